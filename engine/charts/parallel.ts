import { isShare, type MetricMeaning } from '../records/meaning.ts'
import type { Annotation } from './figure/axes.ts'
import { type Chart, type MetricChartOptions, type ResultRow, RUN } from './figure/chart.ts'
import type { DotsTrace, FigureStyle, PlotlyFigure } from './figure/figure.ts'
import { frame, plotlyAxis } from './figure/layout.ts'
import { ramp } from './figure/palette.ts'
import { formatOf, plotlyText } from './figure/words.ts'
import { bar } from './marks.ts'
import { type Scale, scaleOf } from './parallelScale.ts'

export interface ParallelRow extends ResultRow {
  /** Options of its recipe, model and data; null, or left out, where it has no such option. */
  options: Record<string, string | number | null>
}

export interface ParallelOptions extends MetricChartOptions {
  /** The options to show, from left to right; the metric comes last. All that differ, if left out. */
  axes?: string[]
}

/** More axes are counted in the title. */
const NAMED = 4

/** Lines of one colour are one trace, which draws many runs fast. */
const COLOURS = 7

/** A line per run through its options to its metric, coloured by the metric; the best lie on top. */
export function parallel(rows: ParallelRow[], options: ParallelOptions, style: FigureStyle): Chart {
  const { metric, meaning } = options
  const lower = meaning?.better === 'lower'
  const known = rows.filter(({ value }) => Number.isFinite(value))
  const names = options.axes ?? differing(known)
  const percent = isShare(meaning) ? (value: number) => `${Number((100 * value).toPrecision(3))}%` : undefined
  const axes = [...names, metric].map((name, index): Axis => {
    const values = known.map((row) => (index === names.length ? row.value : (row.options[name] ?? null)))
    return { name, values, scale: index === names.length ? scaleOf(values, percent) : scaleOf(values) }
  })
  const better = lower ? ramp(COLOURS, style).reverse() : ramp(COLOURS, style)
  const shares = known.map(({ value }) => axes.at(-1)?.scale.place(value) ?? 0)
  const lines = better.map((color, step) => {
    const own = [...known.keys()].filter((i) => Math.min(COLOURS - 1, Math.floor((shares[i] ?? 0) * COLOURS)) === step)
    return linesOf(own, known, axes, color)
  })
  const drawn = (lower ? lines.reverse() : lines).filter(({ x }) => x.length > 0)
  const data = known.length > 0 ? [...drawn, keyOf(known, meaning, better, style)] : []
  return {
    title: `${metric} by ${names.length > NAMED ? `${names.length} options` : names.join(', ') || 'run'}`,
    figure: { data, layout: layout(axes, metric, style) },
    columns: ['variant', 'seed', RUN, ...axes.map(({ name }) => name)],
    rows: known.map(({ variant, seed, run }, i) => [
      ...[variant, seed, run],
      ...axes.map(({ values }) => values[i] ?? null),
    ]),
  }
}

interface Axis {
  name: string
  /** One per run. */
  values: (string | number | null)[]
  scale: Scale
}

/** The options whose values are not the same in all rows. */
function differing(rows: ParallelRow[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row.options)))]
  return names.filter((name) => new Set(rows.map((row) => row.options[name] ?? null)).size > 1)
}

/** The runs at `places` as one trace, with a gap after each. */
function linesOf(places: number[], rows: ParallelRow[], axes: Axis[], color: string): DotsTrace {
  const points = places.flatMap((i) => {
    const { variant = '', seed = 0, run = null } = rows[i] ?? {}
    const at = axes.map(({ name, values, scale }, x) => {
      const value = values[i] ?? null
      return { x, y: scale.place(value), run, text: plotlyText(`${variant}, seed ${seed}: ${name} ${value}`) }
    })
    return [...at, { x: axes.length - 1, y: null, run: null, text: '' }]
  })
  return {
    type: 'scatter',
    mode: 'lines+markers',
    name: '',
    showlegend: false,
    x: points.map(({ x }) => x),
    y: points.map(({ y }) => y),
    customdata: points.map(({ run }) => run),
    text: points.map(({ text }) => text),
    hovertemplate: '%{text}<extra></extra>',
    line: { color, width: 1.4 },
    marker: { color, size: 5 },
    opacity: 0.75,
  }
}

/** Draws nothing but the scale of the colours. */
function keyOf(
  rows: ParallelRow[],
  meaning: MetricMeaning | undefined,
  colours: string[],
  style: FigureStyle,
): DotsTrace {
  const values = rows.map(({ value }) => value)
  const [cmin, cmax] = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number])
  const colorscale = colours.map((color, i): [number, string] => [i / (colours.length - 1), color])
  const colorbar = { ...bar(style), tickformat: formatOf(meaning, values).ticks }
  return {
    type: 'scatter',
    mode: 'markers',
    name: '',
    showlegend: false,
    x: [null],
    y: [null],
    marker: { color: [cmin], cmin, cmax, colorscale, showscale: true, colorbar },
  }
}

function layout(axes: Axis[], metric: string, style: FigureStyle): PlotlyFigure['layout'] {
  const last = axes.length - 1
  return {
    ...frame(style),
    margin: { l: 64, r: 12, t: 36, b: 12 },
    xaxis: {
      ...plotlyAxis('', style),
      side: 'top',
      gridcolor: style.muted,
      tickvals: axes.map((_, x) => x),
      ticktext: axes.map(({ name }) => plotlyText(name)),
      tickfont: { color: style.text, size: 12 },
      range: [-0.1, last + 0.05],
      fixedrange: true,
    },
    yaxis: { visible: false, range: [-0.05, 1.05], fixedrange: true },
    annotations: axes.flatMap(({ scale }, x) => scale.ticks.map(({ at, text }) => tick(x, at, text, style))),
    hovermode: 'closest',
    uirevision: `${metric} ${last}`,
  }
}

/** A value beside an axis, on the ground that keeps it legible over lines. */
function tick(x: number, y: number, text: string, style: FigureStyle): Annotation {
  return {
    x,
    y,
    text: plotlyText(text),
    xanchor: 'right',
    xshift: -5,
    showarrow: false,
    font: { size: 11, color: style.text },
    bgcolor: style.surface,
    opacity: 0.85,
    borderpad: 1,
  }
}
