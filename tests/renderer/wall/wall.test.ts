import { describe, expect, it } from 'vitest'
import type { GroupedRun } from '../../../engine/charts/wall/groups.ts'
import type { RunFields } from '../../../engine/runs/types.ts'
import { firstPanel, firstWall } from '../../../renderer/wall/firstWall.ts'
import { groupChoices } from '../../../renderer/wall/groupChoices.ts'
import { freeId, moved, panelTitle, resized } from '../../../renderer/wall/panels.ts'
import { placesOf } from '../../../renderer/wall/places.ts'
import { bestRuns, countGroups, groupedRuns, neededColumns } from '../../../renderer/wall/rows.ts'
import { MEANINGS } from '../../meanings.ts'

const fields: RunFields = {
  ...{ facts: ['id', 'variant', 'parameters', 'time'], tags: [], studies: [], options: ['train.batch'] },
  metrics: ['test/accuracy', 'train/loss', 'validation/accuracy'],
  meanings: MEANINGS,
}
const wall = firstWall(fields)
const ids = (of: typeof wall) => of.panels.map(({ id }) => id)

function row(run: number, group: string, value: number | null): GroupedRun {
  return { run, study: 's', variant: 'v', seed: 1, status: 'done', group, values: { acc: value } }
}

describe('a wall', () => {
  it('begins with how the runs learned and what they came to', () => {
    expect(wall.panels.map(panelTitle)).toEqual([
      ...['train/loss', 'validation/accuracy', 'test/accuracy', 'test/accuracy by group'],
      ...['test/accuracy against parameters', 'best by test/accuracy'],
    ])
    const none = { ...fields, metrics: [] }
    expect(firstWall(none).panels).toEqual([])
    expect(firstPanel('curves', 'a', none).metric).toBe('')
  })

  it('moves, sizes and names its panels within its bounds', () => {
    expect(ids(moved(wall, 'p1', 2)).slice(0, 3)).toEqual(['p2', 'p3', 'p1'])
    expect(ids(moved(wall, 'p1', -1))).toEqual(ids(wall))
    expect(ids(moved(wall, 'p1', 99)).at(-1)).toBe('p1')
    expect(moved(wall, 'x', 1)).toBe(wall)
    expect(resized(wall, 'p2', { width: 9, height: -1 }).panels[1]).toMatchObject({ width: 3, height: 1 })
    expect(ids(wall)).not.toContain(freeId(wall))
    expect(freeId(moved({ ...wall, panels: wall.panels.slice(1) }, 'p2', 0))).toBe('p7')
  })

  it('is grouped by what differs first, constants only where they are chosen, and by nothing twice', () => {
    const differing = ['model.block', 'train.batch', 'train.optimizer.options.learningRate']
    const listed = (chosen: string[], taken = '') =>
      groupChoices(differing, chosen, taken).map((each) => {
        return typeof each === 'object' && 'heading' in each
          ? `${each.heading}: ${each.options.map((option) => option[0]).slice(0, 3)}`
          : each[0]
      })
    expect(listed(['variant', 'train.steps'])).toEqual([
      ...['variant', 'what differs: model.block,train.batch,lr', 'facts of runs: study,id,seed'],
      'no difference here: train.steps',
    ])
    expect(listed(['lr', 'seed'], 'lr')).toEqual([
      ...['variant', 'what differs: model.block,train.batch', 'facts of runs: study,id,seed', 'no difference here: '],
    ])
  })

  it('asks for the columns that there are', () => {
    const odd = { ...wall, by: ['variant', 'gone'], panels: [{ ...firstPanel('scatter', 'a', fields), x: 'gone too' }] }
    expect(neededColumns(odd, fields)).toEqual({ by: ['variant'], columns: ['test/accuracy'] })
  })
})

describe('the rows of a wall', () => {
  it('are grouped by the columns that come first, which may be none', () => {
    const line = { id: 1, key: '', study: 's', variant: 'v', seed: 2, status: 'done', error: null } as const
    const said = { hasWeights: false, tags: [], note: '', archived: false, values: ['gmlp', null, 0.5] }
    const page = { total: 1, rows: [{ ...line, ...said }] }
    expect(groupedRuns(page, ['block', 'batch'], ['acc'])[0]).toMatchObject({
      group: 'gmlp, none',
      values: { acc: 0.5 },
    })
    expect(groupedRuns(page, [], [])[0]?.group).toBe('all runs')
  })

  it('count their groups, numbers by size', () => {
    const rows = ['rate 0.01', 'rate 0.003', 'rate 0.01', 'b10', 'b2', 'rate 1e-4'].map((name, i) => row(i, name, null))
    expect(countGroups(rows).map(({ name, runs }) => `${name}: ${runs}`)).toEqual([
      ...['b2: 1', 'b10: 1', 'rate 1e-4: 1', 'rate 0.003: 1', 'rate 0.01: 2'],
    ])
  })

  it('have best ones', () => {
    const rows = [row(1, 'a', 0.5), row(2, 'a', null), row(3, 'a', 0.7), row(4, 'a', Number.NaN)]
    expect(bestRuns(rows, 'acc', false, 9).map(({ run }) => run)).toEqual([3, 1])
    expect(bestRuns(rows, 'acc', true, 1).map(({ run }) => run)).toEqual([1])
  })
})

it('groups keep their colours when others come or go', () => {
  expect(['a', 'b'].map(placesOf(['x'], ['a', 'b']))).toEqual([0, 1])
  expect(['b', 'c', 'a'].map(placesOf(['x'], ['b', 'c']))).toEqual([1, 2, 0])
  expect(['b'].map(placesOf(['y'], ['b']))).toEqual([0])
})
