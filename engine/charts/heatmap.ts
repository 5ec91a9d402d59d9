import type { Heatmap } from '../display/types.ts'
import type { Chart } from './figure/chart.ts'
import { RED_BLUE, VIRIDIS } from './figure/colorScales.ts'
import type { AnyTrace, FigureStyle, PlotlyFigure } from './figure/figure.ts'
import { frame, plotlyAxis } from './figure/layout.ts'
import { bar } from './marks.ts'

/** A matrix that a cell draws, its first row on top. Where values lie on both sides of 0, that is the middle colour. */
export function heatmapChart(heatmap: Heatmap, style: FigureStyle): Chart {
  const { title, note, z, x, y } = heatmap
  const width = Math.max(0, ...z.map((row) => row.length))
  return {
    title: title ?? '',
    figure: heatmapFigure(heatmap, style),
    columns: ['row', ...Array.from({ length: width }, (_, i) => String(x?.[i] ?? i))],
    rows: z.map((row, i) => [y?.[i] ?? i, ...row]),
    ...(note ? { note } : {}),
  }
}

function heatmapFigure({ z, x, y, xLabel, yLabel }: Heatmap, style: FigureStyle): PlotlyFigure<AnyTrace> {
  const values = z.flat().filter((value) => value !== null)
  const diverging = values.some((value) => value < 0) && values.some((value) => value > 0)
  return {
    data: [
      {
        type: 'heatmap',
        z,
        ...(x ? { x } : {}),
        ...(y ? { y } : {}),
        ...(diverging ? { zmid: 0 } : {}),
        colorscale: diverging ? RED_BLUE : VIRIDIS,
        hovertemplate: 'row %{y}, column %{x}: %{z:.4g}<extra></extra>',
        colorbar: bar(style),
      },
    ],
    layout: {
      ...frame(style),
      margin: { l: 48, r: 8, t: 8, b: 40 },
      xaxis: { ...plotlyAxis(xLabel, style), showgrid: false, ...(x ? { type: 'category' } : {}) },
      yaxis: {
        ...plotlyAxis(yLabel, style),
        showgrid: false,
        autorange: 'reversed',
        ...(y ? { type: 'category' } : {}),
      },
    },
  }
}
