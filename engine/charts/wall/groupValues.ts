import { whiskers } from '../against.ts'
import { type Chart, type MetricChartOptions, noteOf, RUN } from '../figure/chart.ts'
import type { DotsTrace, FigureStyle, PlotlyFigure } from '../figure/figure.ts'
import { frame, metricAxis, plotlyAxis } from '../figure/layout.ts'
import { withAlpha } from '../figure/palette.ts'
import { logAxis } from '../figure/ticks.ts'
import { type Format, formatOf, plotlyNumber, plotlyText } from '../figure/words.ts'
import { type Estimate, estimate, SPREADS } from '../spread.ts'
import { type GroupedRun, type GroupLooks, groupLook, numberIn, runName, runsCount } from './groups.ts'

export interface GroupValuesOptions extends MetricChartOptions, GroupLooks {
  /** Groups that there is room for; of more, the best are drawn. */
  most?: number
  log?: boolean
}

/** Pixels of a group. */
export const GROUP_HEIGHT = 18
/** Pixels above and below the groups. */
export const AROUND = 52
const LONGEST = 26 // characters of a name beside the axis
/** In parts of the place of a group: its runs are spread so far to both sides. */
const SPREAD = 0.28

/** A column of numbers by group, the best group on top: a dot a run, and the mean with its 95% interval. */
export function groupValues(rows: GroupedRun[], options: GroupValuesOptions, style: FigureStyle): Chart {
  const { metric, meaning, hidden, most = Number.POSITIVE_INFINITY } = options
  const seen = rows.filter(({ group }) => !hidden.has(group))
  const known = seen.filter((row) => Number.isFinite(numberIn(row, metric)))
  const groups = [...Map.groupBy(known, ({ group }) => group)].flatMap(([name, own]): Group[] => {
    const drawn = estimate(
      own.map((row) => numberIn(row, metric)),
      'interval',
    )
    return drawn ? [{ name, own, drawn }] : []
  })
  const sign = meaning?.better === 'lower' ? 1 : -1
  const sorted = groups.toSorted((a, b) => sign * (a.drawn.mean - b.drawn.mean))
  const shown = sorted.slice(0, Math.max(1, most))
  const format = formatOf(
    meaning,
    known.map((row) => numberIn(row, metric)),
  )
  return {
    title: `${metric} by group`,
    figure: {
      data: [
        ...shown.map((group, place) => dotsOf(group, place, options, format, style)),
        ...shown.map((group, place) => meanOf(group, place, options, format, style)),
      ],
      layout: layout(shown, options, format, style),
    },
    columns: ['group', RUN, 'study', 'variant', 'seed', metric, 'mean', 'sd', 'n'],
    rows: sorted.flatMap(({ name, own, drawn }) =>
      own.map((row) => [
        ...[name, row.run, row.study, row.variant, row.seed, plotlyNumber(numberIn(row, metric))],
        ...[drawn.mean, drawn.sd, drawn.n],
      ]),
    ),
    height: shown.length * GROUP_HEIGHT + AROUND,
    ...noteOf([
      ...(shown.some(({ drawn }) => drawn.n > 1) ? [`Whiskers: ${SPREADS.interval.replace('seeds', 'runs')}.`] : []),
      ...(sorted.length > shown.length ? [`The best ${shown.length} of ${sorted.length} groups.`] : []),
      ...(seen.length > known.length ? [`${runsCount(seen.length - known.length)} without ${metric}.`] : []),
    ]),
  }
}

interface Group {
  name: string
  own: GroupedRun[]
  drawn: Estimate
}

function dotsOf(
  { name, own }: Group,
  place: number,
  { metric, ...looks }: GroupValuesOptions,
  { value }: Format,
  style: FigureStyle,
): DotsTrace {
  const { color, symbol } = groupLook(name, looks, style)
  // by seed from top to bottom, so that none hides another
  const ordered = own.toSorted((a, b) => a.seed - b.seed)
  const beside = (i: number) => (ordered.length === 1 ? 0 : (i / (ordered.length - 1) - 0.5) * 2 * SPREAD)
  return {
    type: 'scatter',
    mode: 'markers',
    name: plotlyText(name),
    showlegend: false,
    x: ordered.map((row) => plotlyNumber(numberIn(row, metric))),
    y: ordered.map((_, i) => place + beside(i)),
    customdata: ordered.map(({ run }) => run),
    text: ordered.map((row) => plotlyText(`run ${row.run}: ${runName(row)}`)),
    hovertemplate: `%{text}<br>%{x:${value}}<extra></extra>`,
    marker: { color: withAlpha(color, 0.35), size: 5, symbol },
  }
}

function meanOf(
  { name, own, drawn }: Group,
  place: number,
  looks: GroupValuesOptions,
  { value }: Format,
  style: FigureStyle,
): DotsTrace {
  const { color, symbol } = groupLook(name, looks, style)
  const words = drawn.n > 1 ? `${name}, mean of ${runsCount(drawn.n)}` : name
  return {
    type: 'scatter',
    mode: 'markers',
    name: plotlyText(name),
    showlegend: false,
    x: [drawn.mean],
    y: [place],
    customdata: [own.length === 1 ? (own[0]?.run ?? null) : null],
    text: [plotlyText(words)],
    hovertemplate: `%{text}<br>%{x:${value}}<extra></extra>`,
    marker: { color, size: 9, symbol, line: { color: style.surface, width: 1 } },
    error_x: whiskers([drawn], color),
  }
}

function layout(
  groups: Group[],
  { metric, meaning = {}, log = false }: GroupValuesOptions,
  format: Format,
  style: FigureStyle,
): PlotlyFigure['layout'] {
  const short = (name: string) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name)
  const values = groups.flatMap(({ own }) => own.map((row) => numberIn(row, metric)))
  return {
    ...frame(style),
    showlegend: false,
    margin: { l: 8, r: 12, t: 6, b: 38 },
    xaxis: {
      ...metricAxis(metric, meaning, style, log),
      ...(log ? logAxis(values) : {}),
      tickformat: format.ticks,
      nticks: 4,
    },
    yaxis: {
      ...plotlyAxis('', style),
      tickvals: groups.map((_, place) => place),
      ticktext: groups.map(({ name }) => plotlyText(short(name))),
      range: [groups.length - 0.5, -0.5],
      fixedrange: true,
      showgrid: false,
    },
    hovermode: 'closest',
    uirevision: `${metric} ${log}`,
  }
}
