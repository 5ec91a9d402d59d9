import { describe, expect, it } from 'vitest'
import { band, valueAt } from '../../../engine/study/align.ts'

describe('band', () => {
  it('gives mean and sample deviation over runs at each step', () => {
    const runs = [
      { steps: [10, 20], values: [1, 2] },
      { steps: [10, 20], values: [3, 6] },
    ]
    expect(band(runs)).toEqual({ steps: [10, 20], mean: [2, 4], sd: [Math.SQRT2, Math.sqrt(8)] })
  })

  it('brings runs with other steps onto the densest one and stops where one ends', () => {
    const dense = { steps: [0, 1, 2, 3], values: [0, 1, 2, 3] }
    const sparse = { steps: [0, 2], values: [10, 12] }
    expect(band([sparse, dense])).toMatchObject({ steps: [0, 1, 2], mean: [5, 6, 7] })
  })

  it('has no deviation for one run, and nothing for none', () => {
    expect(band([{ steps: [1], values: [5] }])).toEqual({ steps: [1], mean: [5], sd: [0] })
    expect(band([])).toEqual({ steps: [], mean: [], sd: [] })
    expect(band([{ steps: [], values: [] }])).toEqual({ steps: [], mean: [], sd: [] })
  })

  it('does not depend on the order of runs, nor on runs without values', () => {
    const dense = { steps: [0, 1, 2, 3], values: [0, 1, 2, 3] }
    const sparse = { steps: [0, 2], values: [10, 12] }
    const empty = { steps: [], values: [] }
    expect(band([dense, empty, sparse])).toEqual(band([sparse, dense]))
  })

  it('takes the steps of the first of equally dense runs', () => {
    const [a, b] = [
      { steps: [1, 3], values: [1, 3] },
      { steps: [2, 3], values: [2, 3] },
    ]
    expect(band([a, b]).steps).toEqual([3])
    expect(band([b, a]).steps).toEqual([2, 3])
  })

  it('divides squares by one less than the runs', () => {
    expect(band([1, 2, 6].map((value) => ({ steps: [1], values: [value] }))).sd).toEqual([Math.sqrt(7)])
  })

  it('leaves out steps at which a run has no number', () => {
    const broken = { steps: [1, 2], values: [1, Number.NaN] }
    expect(band([broken, { steps: [1, 2], values: [3, 3] }]).steps).toEqual([1])
  })
})

describe('valueAt', () => {
  const line = { steps: [10, 20, 40], values: [1, 2, 4] }

  it('is the value at a step of the line and between steps on the straight line', () => {
    expect([10, 15, 20, 30, 40].map((step) => valueAt(line, step))).toEqual([1, 1.5, 2, 3, 4])
  })

  it('is NaN before, after, and for an empty line', () => {
    expect([valueAt(line, 9), valueAt(line, 41), valueAt({ steps: [], values: [] }, 1)]).toEqual([NaN, NaN, NaN])
  })
})
