import { describe, expect, it } from 'vitest'
import { plot } from '../../../engine/display/plot.ts'
import type { FigureStyle } from '../../../renderer/charts/figure.ts'
import { heatmapFigure } from '../../../renderer/charts/heatmap.ts'
import { marksFigure } from '../../../renderer/charts/marks.ts'

const style: FigureStyle = { series: ['red', 'blue'], text: 't', muted: 'm', grid: 'g', surface: 's', font: 'f' }

describe('marksFigure', () => {
  it('draws each series in its colour, with a legend where there are several', () => {
    const { data, layout } = marksFigure(plot.line({ y: { a: [1, 2], b: [3, 4], c: [5, 6] }, xLabel: 'step' }), style)
    expect(data).toMatchObject([
      { type: 'scatter', mode: 'lines', name: 'a', y: [1, 2], line: { color: 'red' }, showlegend: true },
      { name: 'b', line: { color: 'blue' } },
      { name: 'c', line: { color: 'red' } },
    ])
    expect(layout).toMatchObject({ xaxis: { title: { text: 'step' } }, yaxis: { title: { text: '' } } })
    expect(marksFigure(plot.line([1, 2]), style).data).toMatchObject([{ showlegend: false }])
  })

  it('draws dots, on a scale where they have one', () => {
    const many = Array.from({ length: 20 }, (_, i) => i)
    const { data } = marksFigure(plot.scatter({ y: many, color: many }), style)
    expect(data).toMatchObject([{ mode: 'markers', marker: { color: many, showscale: true } }])
    expect(marksFigure(plot.scatter([1]), style).data).toMatchObject([{ marker: { color: 'red' } }])
  })

  it('draws bars side by side, and those of a histogram over each other', () => {
    const bars = marksFigure(plot.bar({ x: ['a', 'b'], y: [1, 2] }), style)
    expect(bars).toMatchObject({
      data: [{ type: 'bar', x: ['a', 'b'] }],
      layout: { barmode: 'group', xaxis: { type: 'category' }, yaxis: { rangemode: 'tozero' } },
    })
    const counts = marksFigure(plot.histogram({ x: { a: [0, 1], b: [1, 2] }, bins: 2 }), style)
    expect(counts).toMatchObject({ data: [{ width: 1, opacity: 0.6 }, {}], layout: { barmode: 'overlay', bargap: 0 } })
  })
})

describe('heatmapFigure', () => {
  it('has its first row on top and 0 in the middle of values of both signs', () => {
    const { data, layout } = heatmapFigure(plot.heatmap({ z: [[-1, 2]], x: ['a', 'b'] }), style)
    expect(data).toMatchObject([{ type: 'heatmap', z: [[-1, 2]], x: ['a', 'b'], zmid: 0, colorscale: 'RdBu' }])
    expect(layout).toMatchObject({ yaxis: { autorange: 'reversed' }, xaxis: { type: 'category' } })
    expect(heatmapFigure(plot.heatmap([[0, 2]]), style).data).toMatchObject([{ colorscale: 'Viridis' }])
  })
})
