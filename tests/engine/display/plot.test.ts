import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { shownCharts } from '../../../engine/charts/shown.ts'
import { isFigure } from '../../../engine/display/figures.ts'
import { plot } from '../../../engine/display/plot.ts'
import { REPORT_STYLE } from '../../../engine/report/chart.ts'

const option = (path: string, message: string) =>
  expect.objectContaining({ code: 'option', path, message: `${path}: ${message}` })

describe('plot', () => {
  it('takes numbers alone, and counts them', () => {
    expect(plot.line([3, Number.NaN, 5])).toEqual({
      type: 'marks',
      mark: 'line',
      series: [{ name: '', x: [0, 1, 2], y: [3, null, 5] }],
      barWidth: null,
      title: null,
      xLabel: null,
      yLabel: null,
      note: null,
    })
    expect(plot.bar(new Float32Array([0.1])).series[0]?.y).toEqual([0.1])
    expect(plot.bar([1_700_000_000.125]).series[0]?.y).toEqual([1_700_000_000.125])
  })

  it('takes several series by name, texts as places, and titles', () => {
    const { series, title, yLabel } = plot.bar({
      x: ['a', 'b'],
      y: { train: [1, 2], test: new Int32Array([3, 4]) },
      title: 'Loss',
      yLabel: 'nats',
    })
    expect(series).toEqual([
      { name: 'train', x: ['a', 'b'], y: [1, 2] },
      { name: 'test', x: ['a', 'b'], y: [3, 4] },
    ])
    expect([title, yLabel]).toEqual(['Loss', 'nats'])
  })

  it('takes tensors and leaves them alone', () => {
    const [line, matrix] = [tf.tensor1d([1, 2]), tf.tensor2d([1, 2, 3, 4], [2, 2])]
    expect(plot.scatter({ x: line, y: line }).series[0]).toEqual({ name: '', x: [1, 2], y: [1, 2] })
    expect(plot.heatmap(matrix).z).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(() => plot.line(matrix)).toThrow(option('plot.line.y', 'has shape [2,2], expected one axis'))
    expect(() => plot.heatmap(line)).toThrow(option('plot.heatmap.z', 'has shape [2], expected two axes'))
    tf.dispose([line, matrix])
  })

  it('colours by group or on a scale', () => {
    const grouped = plot.line({ x: [0, 1, 2], y: [1, 2, 3], color: ['a', 'b', 'a'] })
    expect(grouped.series).toEqual([
      { name: 'a', x: [0, 2], y: [1, 3] },
      { name: 'b', x: [1], y: [2] },
    ])
    const many = Array.from({ length: 20 }, (_, i) => i)
    expect(plot.scatter({ y: many, color: many }).series).toEqual([{ name: '', x: many, y: many, color: many }])
  })

  it('keeps the extremes of long lines and says what it left out', () => {
    const y = new Float64Array(100_000)
    y[54_321] = 9
    const { series, note } = plot.line(y)
    expect(series[0]?.y.length).toBeLessThanOrEqual(4002)
    expect(series[0]?.y).toContain(9)
    expect(series[0]?.x[series[0].y.indexOf(9)]).toBe(54_321)
    expect(note).toMatch(/^\d+ of 100000 points$/)
    expect(plot.scatter(y).series[0]?.y.length).toBeLessThanOrEqual(5000)
  })

  it('counts in bins that all series share', () => {
    const { series, barWidth, yLabel, note } = plot.histogram({ x: { a: [0, 1, 2], b: [4, Number.NaN] }, bins: 4 })
    expect(series).toEqual([
      { name: 'a', x: [0.5, 1.5, 2.5, 3.5], y: [1, 1, 1, 0] },
      { name: 'b', x: [0.5, 1.5, 2.5, 3.5], y: [0, 0, 0, 1] },
    ])
    expect([barWidth, yLabel, note]).toEqual([1, 'count', '1 values that are not finite are left out'])
    expect(plot.histogram([7, 7]).series[0]?.y.reduce((a, b) => (a ?? 0) + (b ?? 0), 0)).toBe(2)
    expect(plot.histogram([]).series[0]?.y).toEqual(new Array(30).fill(0))
  })

  it('shrinks a large matrix to means of blocks', () => {
    const z = Array.from({ length: 256 }, (_, row) => new Float32Array(130).fill(row))
    const shown = plot.heatmap({ z, y: z.map((_, row) => row) })
    expect([shown.z.length, shown.z[0]?.length]).toEqual([128, 128])
    expect(shown.z[1]?.[5]).toBe(2.5)
    expect(shown.y).toBe(null)
    expect(shown.note).toBe('means over blocks of a 256 × 130 matrix')
  })

  it('puts figures side by side as panels', () => {
    const [line, matrix] = [plot.line([1, 2]), plot.heatmap([[1]])]
    const both = plot.panels({ panels: [line, matrix], title: 'Both' })
    expect(both).toEqual({ type: 'panels', panels: [line, matrix], columns: 2, title: 'Both' })
    expect([plot.panels([line]).columns, plot.panels({ panels: [line], columns: 3 }).columns]).toEqual([1, 1])
    expect(isFigure(both)).toBe(true)
    expect(shownCharts(both, REPORT_STYLE).map(({ columns }) => columns)).toEqual([
      ['series', 'x', 'y'],
      ['row', '0'],
    ])
  })

  it('asks for stored runs without their numbers', () => {
    const asked = plot.runs({ filter: 'study:gating', y: 'accuracy' })
    expect(asked).toEqual({
      ...{ type: 'runs', filter: 'study:gating', y: 'accuracy', along: { over: 'step' }, color: ['variant'] },
      ...{ title: null, xLabel: null, yLabel: null },
    })
    expect([isFigure(asked), plot.panels([asked, plot.line([1])]).panels.length]).toEqual([true, 2])
  })

  it('is plain data that only it makes and nobody changes', () => {
    const made = plot.line([1])
    expect(isFigure(made)).toBe(true)
    expect(isFigure({ ...made })).toBe(false)
    expect(JSON.parse(JSON.stringify(made))).toEqual(made)
    expect(() => made.series[0]?.y.push(2)).toThrow(TypeError)
  })

  it.each<[() => unknown, string, string]>([
    [() => plot.line({ x: [1, 2], y: [1, 2, 3] }), 'plot.line.y', 'has 3 values, x has 2'],
    [() => plot.line({ y: { a: [1] }, x: [] }), 'plot.line.y.a', 'has 1 values, x has 0'],
    [() => plot.scatter({ y: [1, 2], color: ['a'] }), 'plot.scatter.y', 'has 2 values, color has 1'],
    [() => plot.line({ x: [1] } as never), 'plot.line.y', 'missing, expected numbers'],
    [() => plot.bar({ y: [1], titel: '' } as never), 'plot.bar', "unknown option 'titel' (did you mean 'title'?)"],
    [() => plot.line(['1'] as never), 'plot.line.y[0]', "'1', expected a number"],
    [() => plot.line('x' as never), 'plot.line.y', "'x', expected an array of numbers or a tensor"],
    [() => plot.panels([]), 'plot.panels.panels', '0 figures, expected 1 to 12 figures'],
    [
      () => plot.panels([plot.line([1]), [2]] as never),
      'plot.panels.panels[1]',
      'expected what plot.line, .scatter, .bar, .histogram, .heatmap or .runs made',
    ],
    [
      () => plot.panels({ panels: [plot.line([1])], columns: 0 }),
      'plot.panels.columns',
      '0, expected a whole number from 1 to 12',
    ],
    [
      () => plot.runs({} as never),
      'plot.runs.y',
      "expected the name of a metric or column, such as 'validation/accuracy'",
    ],
    [() => plot.runs({ y: 'a', x: 'lr', over: 'step' }), 'plot.runs.over', 'curves have no x: give one of over and x'],
    [
      () => plot.runs({ y: 'a', over: 'lr' as never }),
      'plot.runs.over',
      "'lr', expected step, time, macs, examples, epochs; a column is given as x",
    ],
    [() => plot.runs({ y: 'a', color: [1] as never }), 'plot.runs.color', 'expected the name of a column, or up to 3'],
    [() => plot.histogram({ x: [1], bins: 0 }), 'plot.histogram.bins', '0, expected a whole number from 1 to 200'],
    [() => plot.heatmap([[1], [1, 2]]), 'plot.heatmap.z[1]', 'has 2 values, the first row has 1'],
    [() => plot.heatmap({ z: [[1, 2]], x: ['a'] }), 'plot.heatmap.x', 'has 1 values, a row of z has 2'],
    [() => plot.heatmap({ z: [[1, 2]], y: [] }), 'plot.heatmap.y', 'has 0 values, a column of z has 1'],
  ])('says what is wrong: %s', (draw, path, message) => {
    expect(draw).toThrow(option(path, message))
  })

  it('refuses titles in a second argument, and draws each row of a list', () => {
    const line = plot.line as (...given: unknown[]) => unknown
    const message = 'takes one argument: plot.line({ y: ..., title: ... })'
    expect(() => line([1, 2], { title: 'Loss' })).toThrow(option('plot.line', message))
    const rows = [[1, 2], [3]]
    expect(rows.map(plot.line)).toEqual(rows.map((row) => plot.line(row)))
  })

  it('refuses more lines than can be told apart', () => {
    const y = Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`s${i}`, [i]]))
    expect(() => plot.line({ y })).toThrow(option('plot.line', 'has 41 series, expected at most 40'))
  })
})
