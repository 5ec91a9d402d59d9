import type { MarkSeries, Marks } from '../display/types.ts'
import { bandTrace } from './bandTrace.ts'
import type { Chart } from './figure/chart.ts'
import { VIRIDIS } from './figure/colorScales.ts'
import type { AnyTrace, Colorbar, FigureStyle, PlotlyFigure, PlotlyTrace } from './figure/figure.ts'
import { frame, plotlyAxis } from './figure/layout.ts'
import { type Look, lookOf } from './figure/palette.ts'
import { plotlyText } from './figure/words.ts'

/** Lines, dots or bars that a cell draws. */
export function marksChart(marks: Marks, style: FigureStyle): Chart {
  const { title, xLabel, yLabel, note, series } = marks
  const [colored, banded] = [series.some(({ color }) => color), series.some(({ band }) => band)]
  return {
    title: title ?? '',
    figure: marksFigure(marks, style),
    columns: [
      'series',
      xLabel ?? 'x',
      yLabel ?? 'y',
      ...(colored ? ['color'] : []),
      ...(banded ? ['low', 'high'] : []),
    ],
    rows: series.flatMap(({ name, x, y, color, band }) =>
      y.map((value, i) => [
        ...[name, x[i] ?? null, value],
        ...(colored ? [color?.[i] ?? null] : []),
        ...(banded ? [band?.low[i] ?? null, band?.high[i] ?? null] : []),
      ]),
    ),
    ...(note ? { note } : {}),
  }
}

function marksFigure(marks: Marks, style: FigureStyle): PlotlyFigure<AnyTrace> {
  const named = marks.series.length > 1 || marks.series.some(({ name }) => name !== '')
  const bars = marks.mark === 'bar'
  return {
    data: [
      ...marks.series.flatMap((series, index) => bandOf(series, lookOf(series.place ?? index, style))),
      ...marks.series.map((series, index) => {
        return {
          ...base(series, named, marks.share),
          ...marksOf(marks, series, lookOf(series.place ?? index, style), style),
        }
      }),
    ],
    layout: {
      ...frame(style),
      margin: { l: 56, r: 12, t: 8, b: 40 },
      xaxis: { ...plotlyAxis(marks.xLabel, style), ...(bars && isNamed(marks) ? { type: 'category' } : {}) },
      yaxis: {
        ...plotlyAxis(marks.yLabel, style),
        ...(bars ? { rangemode: 'tozero' } : {}),
        ...(marks.share ? { tickformat: '~%' } : {}),
      },
      hovermode: marks.mark === 'scatter' ? 'closest' : 'x unified',
      ...(bars
        ? { barmode: marks.barWidth === null ? 'group' : 'overlay', bargap: marks.barWidth === null ? 0.2 : 0 }
        : {}),
    },
  }
}

function base({ name, x, y, band }: MarkSeries, named: boolean, share = false) {
  const percent = share ? { hovertemplate: `${plotlyText(name)} %{y:.2%}<extra></extra>` } : {}
  return { name, x, y, showlegend: named, ...(band ? { legendgroup: name } : {}), ...percent }
}

/** The band around a line, as far as it is known there. */
function bandOf({ name, x, band }: MarkSeries, { color }: Look): PlotlyTrace[] {
  const places = x.flatMap((place, i) => {
    const [low, high] = [band?.low[i] ?? null, band?.high[i] ?? null]
    return typeof place === 'number' && low !== null && high !== null ? [{ place, low, high }] : []
  })
  if (places.length < 2) return []
  const of = (key: 'place' | 'low' | 'high') => places.map((each) => each[key])
  return [bandTrace(of('place'), of('low'), of('high'), color, name)]
}

function marksOf(
  { mark, barWidth, series }: Marks,
  { y, color: scale }: MarkSeries,
  { color, dash, symbol }: Look,
  style: FigureStyle,
) {
  if (mark === 'bar') {
    const opacity = barWidth !== null && series.length > 1 ? 0.6 : 1
    return { type: 'bar', marker: { color }, opacity, ...(barWidth === null ? {} : { width: barWidth }) } as const
  }
  if (mark === 'line') {
    const mode = y.length === 1 ? 'lines+markers' : 'lines'
    return { type: 'scatter', mode, line: { color, width: 1.8, dash }, marker: { color, size: 6, symbol } } as const
  }
  const scaled = scale && { color: scale, colorscale: VIRIDIS, showscale: true, colorbar: bar(style) }
  return {
    type: 'scatter',
    mode: 'markers',
    marker: { size: 6, opacity: 0.8, symbol, ...(scaled ?? { color }) },
  } as const
}

/** The legend of a colour scale. */
export function bar(style: FigureStyle): Colorbar {
  return { thickness: 10, outlinewidth: 0, tickfont: { color: style.muted, size: 11 } }
}

function isNamed({ series }: Marks): boolean {
  return series.some(({ x }) => x.some((place) => typeof place === 'string'))
}
