import { describe, expect, it } from 'vitest'
import { RED_BLUE, VIRIDIS } from '../../../engine/charts/figure/colorScales.ts'
import type { FigureStyle } from '../../../engine/charts/figure/figure.ts'
import { heatmapChart } from '../../../engine/charts/heatmap.ts'
import { marksChart } from '../../../engine/charts/marks.ts'
import { plot } from '../../../engine/display/plot.ts'

const style: FigureStyle = { series: ['red', 'blue'], text: 't', muted: 'm', grid: 'g', surface: 's', font: 'f' }

describe('marksChart', () => {
  it('draws each series in its colour, with a legend where there are several', () => {
    const { data, layout } = marksChart(
      plot.line({ y: { a: [1, 2], b: [3, 4], c: [5, 6] }, xLabel: 'step' }),
      style,
    ).figure
    expect(data).toMatchObject([
      { type: 'scatter', mode: 'lines', name: 'a', y: [1, 2], line: { color: 'red' }, showlegend: true },
      { name: 'b', line: { color: 'blue' } },
      { name: 'c', line: { color: 'red' } },
    ])
    expect(layout).toMatchObject({ xaxis: { title: { text: 'step' } }, yaxis: { title: { text: '' } } })
    expect(marksChart(plot.line([1, 2]), style).figure.data).toMatchObject([{ showlegend: false }])
  })

  it('draws dots, on a scale where they have one', () => {
    const many = Array.from({ length: 20 }, (_, i) => i)
    const { data } = marksChart(plot.scatter({ y: many, color: many }), style).figure
    expect(data).toMatchObject([{ mode: 'markers', marker: { color: many, showscale: true } }])
    expect(marksChart(plot.scatter([1]), style).figure.data).toMatchObject([{ marker: { color: 'red' } }])
  })

  it('draws bars side by side, and those of a histogram over each other', () => {
    const bars = marksChart(plot.bar({ x: ['a', 'b'], y: [1, 2] }), style).figure
    expect(bars).toMatchObject({
      data: [{ type: 'bar', x: ['a', 'b'] }],
      layout: { barmode: 'group', xaxis: { type: 'category' }, yaxis: { rangemode: 'tozero' } },
    })
    const counts = marksChart(plot.histogram({ x: { a: [0, 1], b: [1, 2] }, bins: 2 }), style).figure
    expect(counts).toMatchObject({ data: [{ width: 1, opacity: 0.6 }, {}], layout: { barmode: 'overlay', bargap: 0 } })
  })

  it('has its marks as a table', () => {
    const { columns, rows, note } = marksChart(plot.line({ y: { a: [1, 2], b: [3, 4] }, xLabel: 'step' }), style)
    expect(columns).toEqual(['series', 'step', 'y'])
    expect(rows).toEqual([
      ['a', 0, 1],
      ['a', 1, 2],
      ['b', 0, 3],
      ['b', 1, 4],
    ])
    expect(note).toBeUndefined()
    const colored = marksChart(plot.scatter({ y: Array(20).fill(1), color: [...Array(20).keys()] }), style)
    expect([colored.columns.at(-1), colored.rows[3]]).toEqual(['color', ['', 3, 1, 3]])
  })
})

describe('heatmapChart', () => {
  it('has its first row on top and 0 in the middle of values of both signs', () => {
    const { figure, columns, rows } = heatmapChart(plot.heatmap({ z: [[-1, 2]], x: ['a', 'b'] }), style)
    const { data, layout } = figure
    expect({ columns, rows }).toEqual({ columns: ['row', 'a', 'b'], rows: [[0, -1, 2]] })
    expect(data).toMatchObject([{ type: 'heatmap', z: [[-1, 2]], x: ['a', 'b'], zmid: 0, colorscale: RED_BLUE }])
    expect(layout).toMatchObject({ yaxis: { autorange: 'reversed' }, xaxis: { type: 'category' } })
    expect(heatmapChart(plot.heatmap([[0, 2]]), style).figure.data).toMatchObject([{ colorscale: VIRIDIS }])
  })
})
