import { describe, expect, it } from 'vitest'
import { decimate } from '../../../app/store/decimate.ts'
import { begun, freshFolder, range, sampleRun, storeAt } from './samples.ts'

describe('readSeries', () => {
  it('keeps the extremes of a long series in about 1,000 points', () => {
    const store = storeAt(freshFolder())
    const id = begun(store.beginRun(sampleRun()))
    const values = range(0, 50_000).map((i) => Math.sin(i / 100))
    values[31_234] = 99
    values[7] = -99
    store.record(
      id,
      values.map((value, step) => ({ type: 'metric', name: 'loss', step, value })),
    )
    const [series] = store.readSeries([id], 'loss')
    expect(series?.values.length).toBeLessThanOrEqual(1002)
    expect(series?.values.length).toBeGreaterThan(900)
    expect(series?.values).toContain(99)
    expect(series?.steps).toContain(7)
    expect([series?.steps[0], series?.steps.at(-1)]).toEqual([0, 49_999])
    expect(series?.steps.every((step, i) => series.values[i] === values[step])).toBe(true)
    store.close()
  })

  it('answers in the order asked, with an empty series where there is none', () => {
    const store = storeAt(freshFolder())
    const [a, b] = [begun(store.beginRun(sampleRun())), begun(store.beginRun(sampleRun({ variant: 'other' })))]
    store.record(b, [{ type: 'metric', name: 'loss', step: 1, value: 2 }])
    const empty = { steps: [], values: [] }
    expect(store.readSeries([b, 99, a], 'loss')).toEqual([
      { run: b, steps: [1], values: [2] },
      { run: 99, ...empty },
      { run: a, ...empty },
    ])
    expect(store.readSeries([b], 'unknown')).toEqual([{ run: b, ...empty }])
    store.close()
  })

  it.each([0, -1, 1.5, Number.NaN])('rejects %s buckets', (buckets) => {
    const store = storeAt(freshFolder())
    expect(() => store.readSeries([1], 'loss', buckets)).toThrow(
      `buckets: ${buckets}: must be a whole number, 1 or more`,
    )
    store.close()
  })
})

function decimated(steps: number[], values: number[], buckets: number) {
  return decimate({ steps: new Float64Array(steps), values: new Float64Array(values) }, buckets)
}

describe('decimate', () => {
  it('leaves a short series as it is', () => {
    const points = { steps: [1, 2, 3], values: [3, Number.NaN, 1] }
    expect(decimated(points.steps, points.values, 3)).toEqual(points)
    expect(decimated([], [], 1)).toEqual({ steps: [], values: [] })
  })

  it('keeps the order of the steps, and a first point that is not a number', () => {
    const values = range(0, 1000).map((i) => (i >= 700 ? Number.NaN : -i))
    const { steps } = decimated(range(0, 1000), values, 20)
    expect(steps).toEqual([...steps].sort((a, b) => a - b))
    expect(new Set(steps).size).toBe(steps.length)
    expect(steps).toContain(699)
    expect(steps).toContain(700)
    expect(steps.length).toBeLessThanOrEqual(24)
  })

  it('keeps both ends and both extremes in a single bucket', () => {
    expect(decimated([0, 1, 2, 3, 4], [1, 9, 2, -9, 3], 1).values).toEqual([1, 9, -9, 3])
  })
})
