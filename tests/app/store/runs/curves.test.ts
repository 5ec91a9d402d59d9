import { describe, expect, it } from 'vitest'
import type { Store } from '../../../../app/store/index.ts'
import { keyOf, normal } from '../../../../engine/random.ts'
import type { CurvesQuery } from '../../../../engine/runs/curves.ts'
import { freshStore } from '../openedStores.ts'
import { eventsOf } from '../randomSeries.ts'
import { begun, range, sampleRun } from '../samples.ts'
import { addRun } from './samples.ts'

const ask = (store: Store, changes: Partial<CurvesQuery> = {}) =>
  store.readCurves({
    ...{ filter: '', metric: 'loss', by: ['variant'], x: 'step', logX: false, lines: [], buckets: 100 },
    ...changes,
  })

const withStore = (test: (store: Store) => void) => () => {
  const store = freshStore()
  test(store)
  store.close()
}

describe('readCurves', () => {
  it(
    'takes the runs of a group together, each from its first to its last point and where it is a number',
    withStore((store) => {
      addRun(store, { variant: 'a', seed: 1, metrics: { loss: [4, 2, 1] } })
      addRun(store, { variant: 'a', seed: 2, metrics: { loss: [2, Number.NaN] }, status: 'failed' })
      addRun(store, { variant: 'b', seed: 1, metrics: { loss: [3, Number.POSITIVE_INFINITY, 5] } })
      const { groups, lines, ...left } = ask(store)
      expect(groups).toEqual([
        {
          ...{ name: 'a', runs: 2, run: null, x: [10, 20, 30], mean: [3, 2, 1], n: [2, 1, 1] },
          ...{ sd: [Math.SQRT2, 0, 0], min: [2, 2, 1], max: [4, 2, 1] },
        },
        { name: 'b', runs: 1, run: 3, x: [10, 30], mean: [3, 5], sd: [0, 0], min: [3, 5], max: [3, 5], n: [1, 1] },
      ])
      expect([lines, left]).toEqual([[], { groupsLeft: 0, runsLeft: 0, lacking: 0, unplaced: 0 }])
    }),
  )

  it(
    'groups by any columns, counts what it leaves out, and gives runs in training one by one',
    withStore((store) => {
      const done = addRun(store, { learningRate: 1, batch: 8, metrics: { loss: [1] } })
      const running = addRun(store, { learningRate: 1, batch: 8, metrics: { loss: [2] }, status: 'running' })
      addRun(store, { learningRate: 2, metrics: { other: [1] } })
      const { groups, lines, lacking } = ask(store, { by: ['lr', 'batch'], lines: [done, 99] })
      expect(groups.map(({ name, runs }) => [name, runs])).toEqual([['1, 8', 1]])
      expect(lines.map(({ run, group, values }) => [run, group, values])).toEqual([
        [running, '1, 8', [2]],
        [done, '1, 8', [1]],
      ])
      expect(lacking).toBe(1)
      expect(ask(store, { by: [] }).groups.map(({ name }) => name)).toEqual(['all runs'])
      expect(ask(store, { by: ['id'], groups: ['2', 'none'] }).groups).toEqual([])
      expect(ask(store, { by: ['id'], groups: [String(done)] }).groups.map(({ run }) => run)).toEqual([done])
      expect(ask(store, { filter: 'lr:7' })).toMatchObject({ groups: [], lines: [], lacking: 0 })
      expect(ask(store, { metric: 'none' })).toMatchObject({ groups: [], lacking: 3 })
      expect(ask(store, { filter: 'lr:2', metric: 'other', by: ['tags'] }).groups[0]?.name).toBe('none')
    }),
  )

  it(
    'places runs by multiply-adds, examples and epochs where these are known, and fills what lies between points',
    withStore((store) => {
      const spec = (batch: number, train: number) => ({
        spec: { task: { options: { data: { options: { train } } } }, train: { batch } },
      })
      addRun(store, { variant: 'a', macs: 5, metrics: { loss: [3, 1] }, ...spec(2, 100) })
      addRun(store, { variant: 'a', seed: 2, macs: 10, metrics: { loss: [3, 1] }, ...spec(2, 50) })
      addRun(store, { variant: 'b', metrics: { loss: [1, 1] }, ...spec(2, 0) })
      const macs = ask(store, { x: 'macs' })
      expect(macs.groups).toMatchObject([{ x: [100, 200, 400], mean: [3, 2, 1], n: [1, 2, 1] }])
      expect(macs.unplaced).toBe(1)
      expect(ask(store, { x: 'epochs' }).groups[0]?.x).toEqual([0.2, 0.4, 0.8])
      expect(ask(store, { x: 'examples', filter: 'variant:b' }).groups[0]?.x).toEqual([20, 40])
    }),
  )

  it(
    'answers for series of any length at about as many places as asked for, also by powers and of a part',
    withStore((store) => {
      const series = range(0, 3).map((seed) => {
        const values = range(0, 20_000).map((i) => 5 / (1 + i / 100) + 0.1 * normal(keyOf(seed, 'loss'), i))
        const id = begun(store.beginRun(sampleRun({ variant: `${seed}` })))
        const steps = range(0, values.length)
        for (let from = 0; from < steps.length; from += 5000) {
          store.record(id, eventsOf('loss', { steps, values }, from, from + 5000))
        }
        store.record(id, [{ type: 'done', step: values.length }])
        return values
      })
      const truth = (from: number, to: number) => {
        const all = series.flatMap((values) => values.slice(from, to))
        return all.reduce((sum, value) => sum + value) / all.length
      }
      const even = ask(store, { by: [], buckets: 50 }).groups[0]
      expect([even?.x.length, even?.x[0], even?.x.at(-1), new Set(even?.n)]).toEqual([50, 0, 19_999, new Set([3])])
      const gap = 19_999 / 49
      for (const i of [3, 20, 45]) {
        expect(even?.mean[i]).toBeCloseTo(truth(Math.round((i - 0.5) * gap), Math.round((i + 0.5) * gap)), 1)
      }
      const powers = ask(store, { by: [], buckets: 50, logX: true }).groups[0]
      expect([powers?.x[0], powers?.x.at(-1)]).toEqual([1, expect.closeTo(19_999, 6)])
      expect(powers?.mean[0]).toBeCloseTo(truth(1, 2), 6)
      const part = ask(store, { by: [], buckets: 500, range: [100, 300] }).groups[0]
      expect([part?.x[0], part?.x.at(-1)]).toEqual([100, expect.closeTo(300, 6)])
      expect(part?.mean.at(-1)).toBeCloseTo(truth(300, 301), 6)
    }),
  )

  it(
    'says what cannot be asked',
    withStore((store) => {
      expect(() => ask(store, { filter: 'lr<' })).toThrow("a value is missing after '<'")
      expect(() => ask(store, { by: ['nothing'] })).toThrow('nothing: no such fact, option or metric')
      expect(() => ask(store, { buckets: 1 })).toThrow('buckets: 1: expected 2 or more')
      expect(() => ask(store, { range: [3, 3] })).toThrow('range: 3 to 3: must go from a place to one after it')
    }),
  )
})
