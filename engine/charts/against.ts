import { type Chart, type MetricChartOptions, noteOf, RUN } from './figure/chart.ts'
import type { DotsTrace, FigureStyle, PlotlyFigure } from './figure/figure.ts'
import { frame, metricAxis, plotlyAxis } from './figure/layout.ts'
import { type Look, lookOf } from './figure/palette.ts'
import { logAxis } from './figure/ticks.ts'
import { type Format, formatOf, plotlyNumber, plotlyText } from './figure/words.ts'
import { type Estimate, estimate, SPREADS, type SpreadKind } from './spread.ts'

/** One run at its place on the x axis. */
export interface AgainstRow {
  /** What is joined by a line. */
  family: string
  /** What is one dot: the runs that differ in their seed alone. */
  point: string
  seed: number
  /** Id in the store; null where it is not known. */
  run: number | null
  x: number
  value: number
}

/** How values are shown, whatever they are set against. */
export interface ValueOptions extends MetricChartOptions {
  logY?: boolean
  /** What the whiskers show; `sd` if left out. */
  spread?: SpreadKind
}

export interface AgainstOptions extends ValueOptions {
  title: string
  /** What is on the x axis, with its unit. */
  xLabel: string
  /** Powers of ten in place of even steps; places that are not above 0 are left out then. */
  logX?: boolean
  /** Writes the name of each point beside it, without the name of its family. */
  named?: boolean
  /** Marks the places on the x axis where points are, and no others. */
  marked?: boolean
  /** Families that have their looks before all others, even where there is no row of them. */
  families?: readonly string[]
}

/** A metric against a number: per point the mean over its seeds with whiskers, and a line through each family. */
export function against(rows: AgainstRow[], options: AgainstOptions, style: FigureStyle): Chart {
  const { meaning, logX = false, spread = 'sd' } = options
  const known = rows.filter(({ x, value }) => Number.isFinite(value) && Number.isFinite(x) && (!logX || x > 0))
  const names = [...new Set([...(options.families ?? []), ...rows.map((row) => row.family)])]
  const values = known.map((row) => row.value)
  const format = formatOf(meaning, values)
  const families = names.flatMap((name, index): Family[] => {
    if (!rows.some((row) => row.family === name)) return []
    const own = known.filter((row) => row.family === name)
    return [{ name, rows: own, points: pointsOf(own, spread), look: lookOf(index, style) }]
  })
  const places = logX && known.every(({ x }) => x >= 1) ? '.3~s' : '.4~g'
  const hover = `%{hovertext}<br>%{y:${format.value}} at %{x:${places}} ${plotlyText(options.xLabel)}<extra></extra>`
  const data = [
    ...families.map((family) => seedDots(family, hover)),
    ...families.map((family) => meanDots(family, options.named ?? false, hover)),
  ]
  return {
    title: options.title,
    figure: { data: data.filter(({ x }) => x.length > 0), layout: layout(options, families, format, style) },
    ...tableOf(families, options),
    ...noted(families, rows.length - known.length, options),
  }
}

interface Point extends Estimate {
  name: string
  x: number
  run: number | null
}

interface Family {
  name: string
  rows: AgainstRow[]
  /** From left to right. */
  points: Point[]
  look: Look
}

function pointsOf(rows: AgainstRow[], spread: SpreadKind): Point[] {
  const names = [...new Set(rows.map((row) => row.point))]
  const points = names.flatMap((name) => {
    const own = rows.filter((row) => row.point === name)
    const values = own.map((row) => row.value)
    const drawn = estimate(values, spread)
    const x = own.reduce((sum, row) => sum + row.x, 0) / own.length
    return drawn ? [{ name, x, run: own.length === 1 ? (own[0]?.run ?? null) : null, ...drawn }] : []
  })
  return points.sort((a, b) => a.x - b.x)
}

/** The seeds behind the means, small; a click leads to their runs. */
function seedDots({ name, rows, points, look }: Family, hovertemplate: string): DotsTrace {
  const several = new Set(points.filter(({ n }) => n > 1).map((point) => point.name))
  const dots = rows.filter((row) => several.has(row.point))
  return {
    type: 'scatter',
    mode: 'markers',
    name: plotlyText(name),
    legendgroup: name,
    showlegend: false,
    x: dots.map((row) => row.x),
    y: dots.map((row) => row.value),
    customdata: dots.map((row) => row.run),
    hovertext: dots.map((row) => plotlyText(`${row.point}, seed ${row.seed}`)),
    hovertemplate,
    marker: { color: look.color, size: 4, opacity: 0.45 },
  }
}

function meanDots({ name, points, look }: Family, named: boolean, hovertemplate: string): DotsTrace {
  const joined = points.length > 1
  return {
    type: 'scatter',
    mode: named ? (joined ? 'lines+markers+text' : 'markers+text') : joined ? 'lines+markers' : 'markers',
    name: plotlyText(name),
    legendgroup: name,
    showlegend: true,
    x: points.map((point) => point.x),
    y: points.map((point) => point.mean),
    customdata: points.map((point) => point.run),
    text: points.map((point) => plotlyText(named ? shortName(point.name, name) : point.name)),
    hovertext: points.map((point) => plotlyText(point.n > 1 ? `${point.name}, mean of ${point.n} seeds` : point.name)),
    hovertemplate,
    line: { color: look.color, width: 1.6, dash: look.dash },
    marker: { color: look.color, symbol: look.symbol, size: 8 },
    error_y: whiskers(points, look.color),
    ...(named ? { textposition: 'top left', textfont: { color: look.color, size: 11 }, cliponaxis: false } : {}),
  }
}

/** `S` for `gMLP-S` of the family `gMLP`. */
function shortName(name: string, family: string): string {
  return name.toLowerCase().startsWith(family.toLowerCase())
    ? name.slice(family.length).replace(/^[\s,_/-]+/, '') || name
    : name
}

/** Whiskers of the points that have several runs. */
export function whiskers(points: Estimate[], color: string) {
  const array = points.map(({ half, n }) => (n > 1 ? half : null))
  return { type: 'data', array, color, thickness: 1.4, width: 4 } as const
}

function layout(
  options: AgainstOptions,
  families: Family[],
  format: Format,
  style: FigureStyle,
): PlotlyFigure['layout'] {
  const { metric, meaning = {}, xLabel, logX, logY, marked } = options
  const points = families.flatMap((family) => family.points)
  const places = points.map(({ x }) => x)
  const drawn = [
    ...families.flatMap(({ rows }) => rows.map(({ value }) => value)),
    ...points.flatMap(({ mean, half }) => [mean - half, mean + half]),
  ]
  return {
    ...frame(style),
    margin: { l: 56, r: 16, t: 8, b: 40 },
    xaxis: {
      ...plotlyAxis(xLabel, style),
      ...(logX ? logAxis(places, places.every(Number.isInteger) ? 1 : 0) : {}),
      ...(marked ? { tickvals: [...new Set(places)], tickformat: ',' } : {}),
    },
    yaxis: { ...metricAxis(metric, meaning, style, logY), ...(logY ? logAxis(drawn) : {}), tickformat: format.ticks },
    hovermode: 'closest',
    showlegend: families.length > 1,
    uirevision: `${metric} ${xLabel} ${logX} ${logY}`,
  }
}

function tableOf(families: Family[], { xLabel, metric }: AgainstOptions): Pick<Chart, 'columns' | 'rows'> {
  return {
    columns: ['family', 'variant', 'seed', RUN, xLabel, metric, 'mean', 'sd', 'n'],
    rows: families.flatMap(({ rows, points }) =>
      rows.map(({ family, point, seed, run, x, value }) => {
        const { mean = null, sd = null, n = 0 } = points.find(({ name }) => name === point) ?? {}
        return [family, point, seed, run, x, plotlyNumber(value), mean, sd, n]
      }),
    ),
  }
}

function noted(families: Family[], left: number, { spread = 'sd', xLabel, metric }: AgainstOptions) {
  const whiskered = families.some(({ points }) => points.some(({ n }) => n > 1))
  const runs = left === 1 ? '1 run' : `${left} runs`
  const notes = [
    ...(whiskered ? [`Whiskers: ${SPREADS[spread]}.`] : []),
    ...(left > 0 ? [`${runs} without ${metric} or ${xLabel} left out.`] : []),
  ]
  return noteOf(notes)
}
