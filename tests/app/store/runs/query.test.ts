import { describe, expect, it } from 'vitest'
import type { Store } from '../../../../app/store/index.ts'
import { freshStore } from '../openedStores.ts'
import { addRun, query } from './samples.ts'

/** Four runs, whose ids are 1 to 4. */
function filled(): Store {
  const store = freshStore()
  addRun(store, { seed: 1, metrics: { 'test/accuracy': [0.5, 0.9], 'train/loss': [3, 2, 1] } })
  addRun(store, { seed: 2, metrics: { 'test/accuracy': [0.7, 0.6] }, learningRate: 1e-4 })
  addRun(store, { variant: 'mixer', status: 'failed', metrics: { 'test/accuracy': [Number.NaN] } })
  addRun(store, { study: 'Other', variant: 'g%p', batch: 128 })
  return store
}

const ids = (store: Store, filter: string) => store.queryRuns(query({ filter })).rows.map((row) => row.id)

const sorted = (store: Store, ...columns: string[]) => {
  const sort = columns.map((name) => ({ column: name.replace('-', ''), descending: name.startsWith('-') }))
  return store.queryRuns(query({ sort })).rows.map((row) => row.id)
}

describe('queryRuns', () => {
  it('has facts, options and metrics of each run', () => {
    const store = filled()
    const columns = [
      'study',
      'lr',
      'train.batch',
      'noDecay',
      'accuracy',
      'best:test/accuracy',
      'min:train/loss',
      'tags',
    ]
    const { total, rows } = store.queryRuns(query({ columns }))
    expect(total).toBe(4)
    expect(rows.map((row) => row.values)).toEqual([
      ['Other', 0.001, 128, '[]', null, null, null, null],
      ['gating', 0.001, 64, '[]', Number.NaN, Number.NaN, null, null],
      ['gating', 0.0001, 64, '[]', 0.6, 0.7, null, null],
      ['gating', 0.001, 64, '[]', 0.9, 0.9, 1, null],
    ])
    expect(rows[1]).toMatchObject({
      id: 3,
      variant: 'mixer',
      status: 'failed',
      error: 'loss is NaN',
      hasWeights: false,
    })
  })

  it('has the multiply-adds of runs that know them, which can be filtered and sorted by', () => {
    const store = freshStore()
    for (const macs of [2e9, undefined, 5e12]) addRun(store, macs === undefined ? {} : { macs })
    const { rows } = store.queryRuns(query({ columns: ['macs'] }))
    expect(rows.map((row) => row.values)).toEqual([[5e12], [null], [2e9]])
    expect([ids(store, 'macs>3G'), sorted(store, 'macs'), sorted(store, '-macs')]).toEqual([[3], [1, 3, 2], [3, 1, 2]])
  })

  it('has the value at a step, where there is one', () => {
    const store = filled()
    const columns = ['test/accuracy@10', 'train/loss@20', 'train/loss@25']
    const { rows } = store.queryRuns(query({ columns, filter: 'id<3' }))
    expect(rows.map((row) => row.values)).toEqual([
      [0.7, null, null],
      [0.5, 2, null],
    ])
  })

  it.each([
    ['', [4, 3, 2, 1]],
    ['gmlp', [2, 1]],
    ['GATING', [3, 2, 1]],
    ['-gmlp', [4, 3]],
    ['study:gating -variant:mixer', [2, 1]],
    ['variant:g*p', [4, 2, 1]],
    ['variant:"g%p"', [4]],
    ['variant:g_lp', []],
    ['task:mlm', [4, 3, 2, 1]],
    ['task:image', []],
    ['lr<1e-3', [2]],
    ['lr:1e-3,1e-4 batch:128', [4]],
    ['batch!=64', [4]],
    ['batch:"64"', [3, 2, 1]],
    ['optimizer:adam*', [4, 3, 2, 1]],
    ['accuracy>50%', [2, 1]],
    ['best:test/accuracy>=0.7 last:test/accuracy<0.9', [2]],
    ['-accuracy>0.8', [4, 3, 2]],
    ['status:failed', [3]],
    ['error:nan', [3]],
    ['seed:2', [2]],
    ['seed:2,7', [2]],
    ['accuracy:0.6,90%', [2, 1]],
    ['cell:study notebook:a.ts', []],
    ['id>=3', [4, 3]],
    ['key:00', [4, 3, 2, 1]],
    ['key:f', []],
    ['weights:yes', []],
    ['started>2001-01-01', [4, 3, 2, 1]],
    ['started<2001-01-01', []],
    ['backend:cpu device:processor', [4, 3, 2, 1]],
  ])('%s', (filter, expected) => {
    const store = filled()
    expect(ids(store, filter)).toEqual(expected)
  })

  it('keeps what looks like SQL as it is', () => {
    const store = filled()
    for (const text of ['"x\' or 1=1; --"', 'note:"%"', 'study:"\') or true --"', '\\', '_'])
      expect(ids(store, text)).toEqual([])
  })

  it('sorts by several columns; the newest first where they say nothing, and what is missing last', () => {
    const store = filled()
    expect(sorted(store, 'accuracy')).toEqual([2, 1, 4, 3])
    expect(sorted(store, '-accuracy')).toEqual([1, 2, 4, 3])
    expect(sorted(store, 'study')).toEqual([3, 2, 1, 4])
    expect(sorted(store, '-batch', 'lr')).toEqual([4, 2, 3, 1])
    expect(sorted(store, 'status', 'seed', 'id')).toEqual([1, 4, 2, 3])
  })

  it('gives the rows asked for', () => {
    const store = filled()
    const page = (offset: number, limit: number) => store.queryRuns(query({ offset, limit }))
    expect(page(1, 2)).toMatchObject({ total: 4, rows: [{ id: 3 }, { id: 2 }] })
    expect(page(9, 2)).toEqual({ total: 4, rows: [] })
    expect(page(0, 0)).toEqual({ total: 4, rows: [] })
  })

  it('refuses what cannot be asked', () => {
    const store = filled()
    const refused = (changes: Parameters<typeof query>[0]) => () => store.queryRuns(query(changes))
    expect(refused({ limit: -1 })).toThrow('limit: -1: must be a whole number, 0 or more')
    expect(refused({ offset: 0.5 })).toThrow('offset: 0.5: must be a whole number, 0 or more')
    expect(refused({ columns: ['acuracy'] })).toThrow('acuracy: no such fact, option or metric')
    expect(refused({ sort: [{ column: 'test/accuracy@10', descending: true }] })).toThrow(
      'test/accuracy@10: runs are not sorted by a value at a step',
    )
  })
})

it('differingOptions names what tells the runs of a filter apart, and what some of them lack', () => {
  const store = filled()
  addRun(store, { variant: 'mixer', seed: 7, spec: { model: { block: 'mixer', depth: 2 } } })
  expect(store.differingOptions('')).toEqual([
    ...['model.block', 'model.depth', 'train.batch', 'train.optimizer.options.learningRate'],
  ])
  expect(store.differingOptions('gmlp')).toEqual(['train.optimizer.options.learningRate'])
  expect(['id:1', 'none such'].map((filter) => store.differingOptions(filter))).toEqual([[], []])
  store.archiveRuns([2], true)
  expect(store.differingOptions('gmlp')).toEqual([])
  expect(store.differingOptions('gmlp archived:yes')).toEqual([])
  expect(() => store.differingOptions('depht<2')).toThrow(/depht/)
})

it('runFields names what there is', () => {
  const store = filled()
  expect(store.runFields()).toMatchObject({
    options: [
      'task.task',
      'train.batch',
      'train.noDecay',
      'train.optimizer.optimizer',
      'train.optimizer.options.learningRate',
    ],
    metrics: ['test/accuracy', 'train/loss'],
    tags: [],
    studies: ['Other', 'gating'],
  })
})
