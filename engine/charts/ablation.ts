import { whiskers } from './against.ts'
import type { Axis } from './figure/axes.ts'
import { type Chart, type MetricChartOptions, noteOf, type ResultRow, RUN } from './figure/chart.ts'
import type { BarTrace, DotsTrace, FigureStyle, PlotlyFigure } from './figure/figure.ts'
import { frame, metricAxis, plotlyAxis } from './figure/layout.ts'
import { lookOf, withAlpha } from './figure/palette.ts'
import { transposedTrace } from './figure/transposedTrace.ts'
import { type Format, formatOf, plotlyNumber, plotlyText } from './figure/words.ts'
import { type Estimate, estimate, SPREADS, type SpreadKind } from './spread.ts'

export type AblationRow = ResultRow

export interface AblationOptions extends MetricChartOptions {
  /** In the order of their colours. */
  variants: string[]
  /** Its mean is a line across. */
  baseline?: string | null
  /** What the whiskers show; `sd` if left out. */
  spread?: SpreadKind
  /** Bars begin at 0; dots, if left out, show small differences on an axis that does not. */
  mark?: 'dots' | 'bars'
}

/** Of more variants, or longer names, each has a line of its own. */
const UPRIGHT = 6
const SHORT = 14 // characters
const LINE = 30 // px

/** In parts of a variant's place: its mean stands left of the middle, its seeds are spread right of it. */
const MEAN_AT = -0.14
const SEEDS_AT = 0.13
const SEEDS_OVER = 0.28

/** The mean of each variant with whiskers, and a dot per seed beside it. */
export function ablation(rows: AblationRow[], options: AblationOptions, style: FigureStyle): Chart {
  const { metric, meaning, variants, baseline = null, spread = 'sd', mark = 'dots' } = options
  const lying = variants.length > UPRIGHT || variants.some((name) => name.length > SHORT)
  const known = rows.filter(({ value }) => Number.isFinite(value))
  const all = known.map((row) => row.value)
  const format = formatOf(meaning, all)
  const groups = variants.map((variant, place): Group => {
    const own = known.filter((row) => row.variant === variant).sort((a, b) => a.seed - b.seed)
    const values = own.map((row) => row.value)
    return { variant, place, own, drawn: estimate(values, spread), color: lookOf(place, style).color }
  })
  const filled = groups.filter((group): group is Filled => group.drawn !== null)
  const drawn = filled.flatMap((group) => [
    ...(mark === 'bars' ? [barOf(group, format)] : []),
    seedsOf(group, format),
    meanOf(group, format, mark === 'bars' ? style.text : group.color),
  ])
  const across = groups.find(({ variant }) => variant === baseline)?.drawn?.mean ?? null
  const height = lying ? variants.length * LINE + 64 : undefined
  return {
    title: `${metric} by variant`,
    figure: { data: lying ? drawn.map(transposedTrace) : drawn, layout: layout(options, lying, across, format, style) },
    columns: ['variant', 'seed', RUN, metric, 'mean', 'sd', 'n'],
    rows: groups.flatMap(({ variant, own, drawn }) =>
      own.map(({ seed, run, value }) => [
        ...[variant, seed, run, plotlyNumber(value)],
        ...[drawn?.mean ?? null, drawn?.sd ?? null, drawn?.n ?? 0],
      ]),
    ),
    ...(height === undefined ? {} : { height }),
    ...noted(filled, across === null ? null : baseline, spread),
  }
}

interface Group {
  variant: string
  place: number
  /** By seed. */
  own: AblationRow[]
  drawn: Estimate | null
  color: string
}

type Filled = Group & { drawn: Estimate }

function barOf({ variant, place, own, drawn, color }: Filled, { value }: Format): BarTrace {
  return {
    type: 'bar',
    name: plotlyText(variant),
    showlegend: false,
    x: [place],
    y: [drawn.mean],
    width: 0.62,
    customdata: [own.length === 1 ? (own[0]?.run ?? null) : null],
    text: [meanText(variant, drawn.n)],
    textposition: 'none', // under the pointer alone
    hovertemplate: `%{text}<br>%{y:${value}}<extra></extra>`,
    marker: { color: withAlpha(color, 0.35) },
  }
}

function seedsOf({ variant, place, own, color }: Filled, { value }: Format): DotsTrace {
  const beside = (i: number) => (own.length === 1 ? 0 : (i / (own.length - 1) - 0.5) * SEEDS_OVER)
  return {
    type: 'scatter',
    mode: 'markers',
    name: plotlyText(variant),
    showlegend: false,
    x: own.map((_, i) => place + SEEDS_AT + beside(i)),
    y: own.map((row) => row.value),
    customdata: own.map((row) => row.run),
    text: own.map((row) => plotlyText(`${variant}, seed ${row.seed}`)),
    hovertemplate: `%{text}<br>%{y:${value}}<extra></extra>`,
    marker: { color: withAlpha(color, 0.25), size: 7, line: { color, width: 1 } },
  }
}

function meanOf({ variant, place, own, drawn }: Filled, { value }: Format, color: string): DotsTrace {
  return {
    type: 'scatter',
    mode: 'markers',
    name: plotlyText(variant),
    showlegend: false,
    x: [place + MEAN_AT],
    y: [drawn.mean],
    customdata: [own.length === 1 ? (own[0]?.run ?? null) : null],
    text: [meanText(variant, drawn.n)],
    hovertemplate: `%{text}<br>%{y:${value}}<extra></extra>`,
    marker: { color, size: 9, symbol: 'diamond' },
    error_y: { ...whiskers([drawn], color), thickness: 2, width: 6 },
  }
}

function meanText(variant: string, n: number): string {
  return plotlyText(`${variant}, ${n === 1 ? '1 seed' : `mean of ${n} seeds`}`)
}

function noted(groups: Filled[], baseline: string | null, spread: SpreadKind): Pick<Chart, 'note'> {
  const notes = [
    ...(groups.some(({ drawn }) => drawn.n > 1) ? [`Diamonds: mean; whiskers: ${SPREADS[spread]}.`] : []),
    ...(baseline === null ? [] : [`Dashed: mean of ${baseline}.`]),
  ]
  return noteOf(notes)
}

function layout(
  { metric, meaning = {}, variants, mark = 'dots' }: AblationOptions,
  lying: boolean,
  across: number | null,
  format: Format,
  style: FigureStyle,
): PlotlyFigure['layout'] {
  const values: Axis = {
    ...metricAxis(metric, meaning, style),
    tickformat: format.ticks,
    ...(mark === 'bars' ? { rangemode: 'tozero', minallowed: undefined } : {}),
  }
  const ends = [-0.6, variants.length - 0.4]
  const names: Axis = {
    ...plotlyAxis('', style),
    showgrid: false,
    tickvals: variants.map((_, place) => place),
    ticktext: variants.map(plotlyText),
    tickfont: { color: style.text, size: 12 },
    range: lying ? ends.reverse() : ends,
  }
  const line = lying
    ? { xref: 'x', yref: 'paper', x0: across, x1: across, y0: 0, y1: 1 }
    : { xref: 'paper', yref: 'y', x0: 0, x1: 1, y0: across, y1: across }
  return {
    ...frame(style),
    margin: { l: 56, r: 16, t: 8, b: lying ? 40 : 28 },
    ...(lying ? { xaxis: values, yaxis: names } : { xaxis: names, yaxis: values }),
    hovermode: 'closest',
    ...(across === null
      ? {}
      : { shapes: [{ type: 'line', layer: 'below', ...line, line: { color: style.muted, width: 1, dash: 'dash' } }] }),
    uirevision: `${metric} ${mark} ${lying}`,
  }
}
