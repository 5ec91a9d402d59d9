import { whiskers } from '../against.ts'
import { type Chart, type MetricChartOptions, noteOf, RUN } from '../figure/chart.ts'
import type { DotsTrace, FigureStyle } from '../figure/figure.ts'
import { frame, metricAxis, plotlyAxis, withUnit } from '../figure/layout.ts'
import { logAxis } from '../figure/ticks.ts'
import { formatOf, plotlyNumber, plotlyText } from '../figure/words.ts'
import { type Estimate, estimate } from '../spread.ts'
import { cellsOf, firstOfEach } from './apart.ts'
import { type GroupedRun, type GroupLooks, groupLook, isOnPaper, numberIn, runName, runsCount } from './groups.ts'

export interface ColumnScatterOptions extends MetricChartOptions, GroupLooks {
  /** The column along x, and what it means where that is a metric. */
  x: string
  xMeaning?: MetricChartOptions['meaning']
  logX?: boolean
  logY?: boolean
  /** Whether a line joins the means of a group, each over its runs at the same place along x. */
  joined?: boolean
  /** Whether the chart is small: of runs of a group that nobody could tell apart there, one is drawn. */
  small?: boolean
}

/** A run a dot: one column of numbers against another, in the colours of the groups. */
export function columnScatter(rows: GroupedRun[], options: ColumnScatterOptions, style: FigureStyle): Chart {
  const {
    metric,
    meaning = {},
    x,
    xMeaning = {},
    logX = false,
    logY = false,
    joined = false,
    small = false,
    hidden,
  } = options
  const seen = rows.filter(({ group }) => !hidden.has(group))
  const known = seen.filter((row) => Number.isFinite(numberIn(row, x)) && Number.isFinite(numberIn(row, metric)))
  const [xs, ys] = [known.map((row) => numberIn(row, x)), known.map((row) => numberIn(row, metric))]
  const [xFormat, format] = [formatOf(xMeaning, xs), formatOf(meaning, ys)]
  const hovertemplate = `%{text}<br>${plotlyText(x)} %{x:${xFormat.value}}<br>${plotlyText(metric)} %{y:${format.value}}<extra></extra>`
  const apart = small ? cellsOf([xs, logX], [ys, logY]) : null
  const data = [...Map.groupBy(known, ({ group }) => group)].flatMap(([name, all]): DotsTrace[] => {
    const own = apart ? firstOfEach(all, (row) => apart(numberIn(row, x), numberIn(row, metric))) : all
    const { color, symbol, dash } = groupLook(name, options, style)
    const dots = { type: 'scatter', name: plotlyText(name), legendgroup: name } as const
    const runs: DotsTrace = {
      ...dots,
      showlegend: isOnPaper(style),
      mode: 'markers',
      x: own.map((row) => plotlyNumber(numberIn(row, x))),
      y: own.map((row) => plotlyNumber(numberIn(row, metric))),
      customdata: own.map(({ run }) => run),
      text: own.map((row) => plotlyText(`run ${row.run}: ${runName(row)}`)),
      hovertemplate,
      marker: { color, symbol, size: joined ? 4 : 6, opacity: joined ? 0.4 : 0.7 },
    }
    const means = joined ? meansOf(all, x, metric) : []
    if (means.length === 0) return [runs]
    return [
      runs,
      {
        ...dots,
        showlegend: false,
        mode: 'lines+markers',
        x: means.map((mean) => mean.x),
        y: means.map(({ mean }) => mean),
        text: means.map(({ n }) => plotlyText(`${name}, mean of ${runsCount(n)}`)),
        hovertemplate,
        line: { color, width: 1.6, dash },
        marker: { color, symbol, size: 8 },
        error_y: whiskers(means, color),
      },
    ]
  })
  return {
    title: `${metric} against ${x}`,
    figure: {
      data,
      layout: {
        ...frame(style),
        showlegend: isOnPaper(style),
        margin: { l: 52, r: 12, t: 8, b: 38 },
        xaxis: {
          ...plotlyAxis(withUnit(x, xMeaning), style),
          automargin: false,
          ...(logX ? logAxis(xs) : {}),
          tickformat: logX ? logAxis(xs).tickformat : xFormat.ticks,
        },
        yaxis: {
          ...metricAxis(metric, meaning, style, logY),
          automargin: false,
          ...(logY ? logAxis(ys) : {}),
          tickformat: format.ticks,
        },
        hovermode: 'closest',
        uirevision: `${metric} ${x} ${logX} ${logY}`,
      },
    },
    columns: ['group', RUN, 'study', 'variant', 'seed', x, metric],
    rows: known.map((row) => [
      ...[row.group, row.run, row.study, row.variant, row.seed],
      ...[plotlyNumber(numberIn(row, x)), plotlyNumber(numberIn(row, metric))],
    ]),
    ...noteOf(
      seen.length > known.length ? [`${runsCount(seen.length - known.length)} without ${metric} or ${x}.`] : [],
    ),
  }
}

/** The mean of the runs at each place along x, from left to right. */
function meansOf(runs: GroupedRun[], x: string, metric: string): (Estimate & { x: number })[] {
  const places = [...Map.groupBy(runs, (row) => numberIn(row, x))].sort(([a], [b]) => a - b)
  return places.flatMap(([place, own]) => {
    const values = own.map((row) => numberIn(row, metric))
    const drawn = estimate(values, 'interval')
    return drawn ? [{ x: place, ...drawn }] : []
  })
}
