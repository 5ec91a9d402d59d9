import { describe, expect, it } from 'vitest'
import type { HeatmapTrace, PlotlyTrace } from '../../../../engine/charts/figure/figure.ts'
import { type HistogramRow, histograms } from '../../../../engine/charts/weights/histograms.ts'
import { histogramOf } from '../../../../engine/records/histogram.ts'
import { style } from '../style.ts'

const row = (step: number, values: ArrayLike<number>): HistogramRow => ({
  ...{ name: 'w', kind: 'weights', step, run: 5, ...histogramOf(values) },
})
const ramp = (from: number, to: number) =>
  Float32Array.from({ length: 4800 }, (_, i) => from + ((to - from) * i) / 4799)
const heatmapOf = (rows: HistogramRow[]) => histograms(rows, style).figure.data[0] as HeatmapTrace
/** The sum of what is drawn of a step. */
const drawn = ({ z }: HeatmapTrace, column: number) => z.reduce((sum, row) => sum + (row[column] ?? 0), 0)

describe('histograms', () => {
  it('puts every step on the same bins, and loses nothing within reach', () => {
    const heatmap = heatmapOf([row(10, ramp(-1, 1)), row(20, ramp(-0.5, 0.5)), row(25, ramp(0.25, 1))])
    expect(heatmap.x).toEqual([10, 20, 25])
    expect([heatmap.y?.[0], heatmap.y?.at(-1)]).toEqual([expect.closeTo(-0.9875, 5), expect.closeTo(0.9875, 5)])
    for (const column of [0, 1, 2]) expect(drawn(heatmap, column)).toBeCloseTo(1, 6)
    expect(heatmap.z[0]).toEqual([expect.closeTo(1 / 80, 4), 0, 0])
    expect(heatmap.meta).toEqual({ run: 5 })
  })

  it('has mean and deviation as lines, and all in the table', () => {
    const { figure, columns, rows, title, note } = histograms([row(1, [0, 2]), row(2, [1, Number.NaN])], style)
    const [, mean, above, below] = figure.data as PlotlyTrace[]
    expect([mean?.y, above?.y, below?.y]).toEqual([
      [1, 1],
      [2, 1],
      [0, 1],
    ])
    expect(title).toBe('Weights of w')
    expect(columns).toEqual(['step', 'min', 'max', 'mean', 'sd', 'not finite'])
    expect(rows[1]).toEqual([2, 1, 1, 1, 0, 1])
    expect(note).toContain('not finite')
  })

  it('leaves out what lies far beyond, and says so', () => {
    const far = Float32Array.from({ length: 1000 }, (_, i) => (i === 0 ? 1000 : i % 2))
    const { figure, note } = histograms([row(1, far)], style)
    const { range } = figure.layout.yaxis as { range: [number, number] }
    expect(range[1]).toBeLessThan(200)
    expect(drawn(figure.data[0] as HeatmapTrace, 0)).toBeCloseTo(0.999, 3)
    expect(note).toContain('farther than 5 deviations')
  })

  it('takes nothing, a step alone, the same value everywhere, and gradients that are all 0', () => {
    expect(histograms([], style)).toMatchObject({ title: 'Weights of no tensor', rows: [] })
    for (const value of [0, 3, -2]) {
      const { figure, title } = histograms([{ ...row(1, [value, value]), kind: 'gradients' }], style)
      expect(title).toBe('Gradients of w')
      expect(drawn(figure.data[0] as HeatmapTrace, 0)).toBeCloseTo(1, 6)
      const { range } = figure.layout.yaxis as { range: [number, number] }
      expect(range[0]).toBeLessThan(value)
      expect(range[1]).toBeGreaterThan(value)
      expect((figure.data[1] as PlotlyTrace).mode).toBe('lines+markers')
    }
  })
})
