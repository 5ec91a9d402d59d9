import { describe, expect, it } from 'vitest'
import type { Store } from '../../../../app/store/index.ts'
import { keyOf, normal } from '../../../../engine/random.ts'
import type { SeriesBand } from '../../../../engine/records/series.ts'
import { band, type Line } from '../../../../engine/study/align.ts'
import { freshStore } from '../openedStores.ts'
import { eventsOf } from '../randomSeries.ts'
import { begun, range, sampleRun } from '../samples.ts'

/** A store with a run for each series, whose metric is `loss`. */
function storeOf(series: Line[]): { store: Store; ids: number[] } {
  const store = freshStore()
  const ids = series.map((_, i) => begun(store.beginRun(sampleRun({ variant: `${i}` }))))
  for (const [i, points] of series.entries()) {
    for (let from = 0; from < points.steps.length; from += 10_000) {
      store.record(ids[i] ?? 0, eventsOf('loss', points, from, from + 10_000))
    }
  }
  return { store, ids }
}

/** Series of normal numbers, every `every` steps from step 0 on. */
function noise(seed: number, count: number, every = 1): Line {
  const key = keyOf(seed, 'noise')
  return { steps: range(0, count).map((i) => i * every), values: range(0, count).map((i) => normal(key, i)) }
}

const only = (bands: SeriesBand[]) => bands[0] as SeriesBand
const least = (values: number[]) => values.reduce((a, b) => Math.min(a, b))
const most = (values: number[]) => values.reduce((a, b) => Math.max(a, b))

function spread(values: number[]): { mean: number; sd: number } {
  const mean = values.reduce((a, b) => a + b) / values.length
  return { mean, sd: Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / (values.length - 1)) }
}

describe('readBands of short series', () => {
  it('is exact, as the band of a study', () => {
    const series = [noise(1, 300), noise(2, 300), noise(3, 300)]
    const { store, ids } = storeOf(series)
    const found = only(store.readBands([{ name: 'a', runs: ids }], ['loss'], 300))
    const { steps, mean, sd } = band(series)
    expect(found).toMatchObject({ group: 'a', metric: 'loss', steps })
    expect(found.mean).toEqual(mean.map((value) => expect.closeTo(value, 12)))
    expect(found.sd).toEqual(sd.map((value) => expect.closeTo(value, 12)))
    expect(found.min).toEqual(steps.map((i) => least(series.map(({ values }) => values[i] ?? 0))))
    expect(found.max).toEqual(steps.map((i) => most(series.map(({ values }) => values[i] ?? 0))))
    expect(found.n).toEqual(steps.map(() => 3))
  })

  it('lets each run count from its first to its last step, and where it has a number', () => {
    const { store, ids } = storeOf([
      { steps: [0, 10, 20, 30], values: [1, 2, 3, Number.NaN] },
      { steps: [5, 15], values: [4, 6] },
      { steps: [], values: [] },
    ])
    expect(only(store.readBands([{ name: '', runs: [...ids, 99] }], ['loss']))).toEqual({
      ...{ group: '', metric: 'loss', steps: [0, 5, 10, 15, 20] },
      ...{ mean: [1, 2.75, 3.5, 4.25, 3], n: [1, 2, 2, 2, 1] },
      sd: [null, 2.5 / Math.SQRT2, 3 / Math.SQRT2, 3.5 / Math.SQRT2, null].map((sd) => sd && expect.closeTo(sd, 12)),
      ...{ min: [1, 1.5, 2, 2.5, 3], max: [1, 4, 5, 6, 3] },
    })
  })

  it('has one band per metric and group, empty ones too', () => {
    const { store, ids } = storeOf([noise(1, 3), noise(2, 3)])
    store.record(ids[0] ?? 0, [{ type: 'metric', name: 'accuracy', step: 1, value: 0.5 }])
    const groups = [
      { name: 'both', runs: ids },
      { name: 'second', runs: ids.slice(1) },
      { name: 'none', runs: [] },
    ]
    const bands = store.readBands(groups, ['loss', 'accuracy', 'unknown'])
    expect(bands.map(({ group, metric, n }) => [metric, group, n.join('')])).toEqual([
      ...[
        ['loss', 'both', '222'],
        ['loss', 'second', '111'],
        ['loss', 'none', ''],
      ],
      ...[
        ['accuracy', 'both', '1'],
        ['accuracy', 'second', ''],
        ['accuracy', 'none', ''],
      ],
      ...groups.map(({ name }) => ['unknown', name, '']),
    ])
  })

  it('runs to the edges of a range', () => {
    const { store, ids } = storeOf([noise(1, 100, 10), noise(2, 100, 10), noise(3, 40, 25)])
    const stepsIn = (from: number, to: number, runs: number[]) =>
      only(store.readBands([{ name: '', runs }], ['loss'], 50, [from, to])).steps
    expect(stepsIn(105, 125, ids.slice(0, 2))).toEqual([100, 110, 120, 130])
    expect(stepsIn(105, 125, ids)).toEqual([100, 110, 120, 125, 130])
    expect(stepsIn(101, 102, ids.slice(0, 2))).toEqual([100, 110])
  })

  it.each([0, 2.5])('rejects %s buckets, and ranges that go backwards', (buckets) => {
    const { store } = storeOf([])
    expect(() => store.readBands([], ['loss'], buckets)).toThrow('must be a whole number, 1 or more')
    expect(() => store.readBands([], ['loss'], 5, [3, 2])).toThrow('range: 3 to 2')
  })
})

describe('readBands of long series', () => {
  it('takes the mean of each run over every stretch of steps, and its extremes', () => {
    const series = [noise(1, 5000), noise(2, 5000), noise(3, 4000)]
    const { store, ids } = storeOf(series)
    const found = only(store.readBands([{ name: '', runs: ids }], ['loss'], 250))
    expect(found.steps).toEqual(range(0, 250).map((i) => i * 20 + 9))
    expect(found.n).toEqual(range(0, 250).map((i) => (i < 200 ? 3 : 2)))
    for (const i of [0, 1, 77, 199, 200, 249]) {
      const parts = series.map(({ values }) => values.slice(i * 20, i * 20 + 20)).filter((part) => part.length > 0)
      const { mean, sd } = spread(parts.map((part) => spread(part).mean))
      expect([found.mean[i], found.sd[i]]).toEqual([expect.closeTo(mean, 10), expect.closeTo(sd, 10)])
      expect([found.min[i], found.max[i]]).toEqual([least(parts.flat()), most(parts.flat())])
    }
  })

  it('loses no extreme, however coarse the levels that it reads', () => {
    const series = [noise(1, 70_000), noise(2, 50_000)]
    const { store, ids } = storeOf(series)
    for (const buckets of [1, 3, 10, 100, 500]) {
      const found = only(store.readBands([{ name: '', runs: ids }], ['loss'], buckets))
      expect(found.steps.length).toBeLessThanOrEqual(buckets)
      expect(least(found.min)).toBe(least(series.flatMap(({ values }) => values)))
      expect(most(found.max)).toBe(most(series.flatMap(({ values }) => values)))
      expect(most(found.mean.map(Math.abs))).toBeLessThan(0.5)
    }
  })

  it('zooms into a range, with neighbours on both sides', () => {
    const series = [noise(1, 30_000), noise(2, 30_000)]
    const { store, ids } = storeOf(series)
    const found = only(store.readBands([{ name: '', runs: ids }], ['loss'], 100, [10_000, 10_999]))
    expect([found.steps[0], found.steps[1], found.steps.at(-2), found.steps.at(-1)]).toEqual([
      9999, 10_004, 10_994, 11_000,
    ])
    const inside = series.flatMap(({ values }) => values.slice(9999, 11_001))
    expect([least(found.min), most(found.max)]).toEqual([least(inside), most(inside)])
    const all = only(store.readBands([{ name: '', runs: ids }], ['loss'], 100, [-1e9, 1e9]))
    expect(all).toEqual(only(store.readBands([{ name: '', runs: ids }], ['loss'], 100)))
  })

  it('has the points next to a range that lies between or beyond all points', () => {
    const { store, ids } = storeOf([noise(1, 2000, 10), noise(2, 1999, 10), noise(3, 1998, 10)])
    const found = (from: number, to: number) =>
      only(store.readBands([{ name: '', runs: ids }], ['loss'], 1, [from, to]))
    expect(found(1001, 1002)).toMatchObject({ steps: [1000, 1010], n: [3, 3] })
    expect(found(30_000, 40_000)).toMatchObject({ steps: [19_990], n: [1] })
    expect(found(-9, -1)).toMatchObject({ steps: [0], n: [3] })
  })

  it('brings runs that log at different steps together', () => {
    const line = (every: number, count: number): Line => {
      return { steps: range(0, count).map((i) => i * every), values: range(0, count).map((i) => i * every) }
    }
    const { store, ids } = storeOf([line(1, 3001), line(7, 430), line(1000, 4)])
    const { steps, mean, n } = only(store.readBands([{ name: '', runs: ids }], ['loss'], 100))
    expect(steps.length).toBeLessThanOrEqual(100)
    for (const [i, step] of steps.entries()) expect(Math.abs((mean[i] ?? 0) - step)).toBeLessThan(31)
    expect(n.slice(1, -2).every((count) => count === 3)).toBe(true)
  })

  it('takes a stretch without numbers as none', () => {
    const { steps, values } = noise(1, 4000)
    const { store, ids } = storeOf([{ steps, values: values.map((value, i) => (i < 2000 ? value : Number.NaN)) }])
    const found = only(store.readBands([{ name: '', runs: ids }], ['loss'], 40))
    expect(found.steps).toEqual(range(0, 20).map((i) => i * 100 + 49))
    expect(found.mean.some(Number.isNaN)).toBe(false)
  })
})
