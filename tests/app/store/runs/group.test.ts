import { describe, expect, it } from 'vitest'
import type { Store } from '../../../../app/store/index.ts'
import { freshStore } from '../openedStores.ts'
import { addRun, query } from './samples.ts'

const accuracy = (value: number) => ({ 'test/accuracy': [value / 2, value] })

function groups(store: Store, changes: Parameters<typeof query>[0] = {}) {
  return store.groupRuns(query(changes))
}

describe('groupRuns', () => {
  it('has mean and deviation over the finished runs of a configuration', () => {
    const store = freshStore()
    addRun(store, { seed: 2, metrics: accuracy(0.5) })
    addRun(store, { seed: 1, metrics: accuracy(0.7) })
    addRun(store, { seed: 3, metrics: accuracy(0.1), status: 'failed' })
    addRun(store, { variant: 'mixer', metrics: accuracy(0.25) })
    const columns = ['seed', 'status', 'lr', 'test/accuracy', 'test/accuracy@10', 'train.noDecay', 'step', 'error']
    expect(groups(store, { columns })).toEqual({
      total: 2,
      rows: [
        {
          study: 'gating',
          variant: 'mixer',
          baseline: false,
          runs: [4],
          values: [
            '1',
            'done',
            0.001,
            { mean: 0.25, sd: null, n: 1 },
            { mean: 0.125, sd: null, n: 1 },
            '[]',
            100,
            null,
          ],
        },
        {
          study: 'gating',
          variant: 'gmlp',
          baseline: false,
          runs: [2, 1, 3],
          values: [
            '1–3',
            '2 done, 1 failed',
            0.001,
            { mean: 0.6, sd: expect.closeTo(Math.SQRT2 / 10, 12), n: 2 },
            { mean: 0.3, sd: expect.closeTo(Math.SQRT2 / 20, 12), n: 2 },
            '[]',
            { mean: 220 / 3, sd: expect.closeTo(46.188021535, 8), n: 3 },
            null,
          ],
        },
      ],
    })
  })

  it('tells configurations apart by their options, their code and what they start from', () => {
    const store = freshStore()
    addRun(store)
    addRun(store, { seed: 2 })
    addRun(store, { learningRate: 3e-4 })
    addRun(store, { spec: { model: { code: 'another' } } })
    const started = (seed: number, batch: number) => {
      const id = addRun(store, { study: 'before', seed, batch })
      const { key } = store.showRun(String(id))
      return addRun(store, { seed, spec: { from: { key, study: 'before', variant: 'gmlp', seed } } })
    }
    const ids = [started(1, 8), started(2, 8), started(1, 16)]
    const found = groups(store, { filter: 'study:gating' }).rows.map(({ runs }) => runs)
    expect(found).toEqual([[ids[2]], [ids[0], ids[1]], [4], [3], [1, 2]])
  })

  it('tells them apart by their teacher, whatever its seed', () => {
    const store = freshStore()
    const taught = (seed: number, batch: number) => {
      const { key } = store.showRun(String(addRun(store, { study: 'teacher', seed, batch })))
      return addRun(store, { seed, spec: { teacher: { key, study: 'teacher', variant: 'gmlp', seed } } })
    }
    const ids = [taught(1, 8), taught(2, 8), taught(1, 16)]
    expect(groups(store, { filter: 'study:gating' }).rows.map(({ runs }) => runs)).toEqual([[ids[2]], [ids[0], ids[1]]])
  })

  it('knows a configuration by what its code does, however it is written', () => {
    const store = freshStore()
    const model = (code: string, digest: string) => ({ spec: { model: { block: code, code, digest } } })
    addRun(store, model('one', 'd'))
    addRun(store, { ...model('two', 'd'), seed: 2 })
    addRun(store, { ...model('one', 'e'), seed: 3 })
    expect(groups(store, { filter: 'study:gating' }).rows.map(({ runs }) => runs)).toEqual([[3], [1, 2]])
  })

  it('sorts by the mean, and gives the groups asked for', () => {
    const store = freshStore()
    for (const [variant, value] of [
      ['a', 0.2],
      ['a', 0.4],
      ['b', 0.35],
      ['c', 0.1],
    ] as const)
      addRun(store, { variant, seed: Math.round(value * 100), metrics: accuracy(value) })
    const sort = [{ column: 'test/accuracy', descending: true }]
    const names = (changes = {}) => groups(store, { sort, ...changes }).rows.map(({ variant }) => variant)
    expect(names()).toEqual(['b', 'a', 'c'])
    expect(names({ offset: 1, limit: 1 })).toEqual(['a'])
    expect(names({ filter: 'test/accuracy<0.3' })).toEqual(['a', 'c'])
    expect(groups(store, { filter: 'variant:a test/accuracy<0.3' }).rows[0]?.runs).toEqual([1])
    for (const column of ['study', 'lr', 'seed', 'started', 'time', 'step', 'tags', 'status', 'note'])
      expect(groups(store, { sort: [{ column, descending: false }] }).total).toBe(3)
  })

  it('knows the pinned baseline', () => {
    const store = freshStore()
    addRun(store, { variant: 'a' })
    addRun(store, { variant: 'b' })
    store.pinBaseline('gating', 'a')
    expect(store.baselines()).toEqual({ gating: 'a' })
    expect(groups(store).rows.map(({ baseline }) => baseline)).toEqual([false, true])
    store.pinBaseline('gating', 'b')
    store.pinBaseline('gating', null)
    expect(store.baselines()).toEqual({})
    expect(() => store.pinBaseline('gatnig', 'a')).toThrow("study: no runs of a study 'gatnig'")
    expect(() => store.pinBaseline('gating', 'x')).toThrow("gating: no runs of a variant 'x' (did you mean 'a'?)")
  })
})
