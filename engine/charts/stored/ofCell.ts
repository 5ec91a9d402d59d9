import type { MarkSeries, Marks, OpenFigure, Panels, RunsFigure } from '../../display/types.ts'
import { MixlabError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { isShare } from '../../records/meaning.ts'
import type { CurveAxis } from '../../records/series.ts'
import { type Column, resolveColumn } from '../../runs/column.ts'
import { groupName } from '../../runs/curves.ts'
import { noteOf } from '../figure/chart.ts'
import { plotlyNumber } from '../figure/words.ts'
import { BAND_WORDS, CURVE_AXIS_WORDS, isWhole, notDrawn } from '../wall/groupCurves.ts'
import { byWordsAndNumbers, runsCount } from '../wall/groups.ts'

/** What figures of a cell read of the store. */
export type OpenFigureHost = Pick<Host, 'readCurves' | 'queryRuns' | 'runFields'>

const BUCKETS = 300 // points of a curve
const MOST_GROUPS = 40
const MOST_RUNS = 5000
const PARTLY = 'Lines end where fewer than half of the runs of a group have a value.'

/**
 * A figure of a cell with the runs that it asks for, as they are now. Throws MixlabError `option` for what names no column,
 * for a filter that is none, and where there is nothing to draw.
 */
export async function closeFigure(figure: OpenFigure, host: OpenFigureHost): Promise<Marks | Panels> {
  if (figure.type === 'runs') return marksOf(figure, host)
  const panels: Panels['panels'] = []
  for (const panel of figure.panels) panels.push(panel.type === 'runs' ? await marksOf(panel, host) : panel)
  return { ...figure, panels }
}

async function marksOf(figure: RunsFigure, host: OpenFigureHost): Promise<Marks> {
  const { along, filter, y, title, xLabel, yLabel } = figure
  const column = resolveColumn(y, await host.runFields())
  const drawn =
    'over' in along ? await overTraining(figure, column, along.over, host) : await against(figure, along.x, host)
  if (drawn.series.length === 0)
    throw new MixlabError('option', 'plot.runs', `no complete run with ${drawn.yLabel} passes the filter '${filter}'`)
  const groups = new Set([...(await groupsOf(figure, host)), ...drawn.series.map(({ name }) => name)])
  const places = [...groups].sort(byWordsAndNumbers) // the order of the wall
  return {
    ...{ type: 'marks', barWidth: null },
    ...drawn,
    series: drawn.series
      .map((series) => ({ ...series, place: places.indexOf(series.name) }))
      .sort((a, b) => a.place - b.place),
    title: title ?? `${y} ${'over' in along ? 'over' : 'against'} ${drawn.xLabel}`,
    xLabel: xLabel ?? drawn.xLabel,
    yLabel: yLabel ?? drawn.yLabel,
    ...(column.kind === 'metric' && isShare(column.meaning) && { share: true }),
  }
}

type Drawn = Pick<Marks, 'mark' | 'series' | 'note' | 'xLabel' | 'yLabel'>

/** The mean of the runs of each group that have ended, in a band of one standard deviation. */
async function overTraining(
  { filter, y, color }: RunsFigure,
  column: Column,
  over: CurveAxis,
  host: OpenFigureHost,
): Promise<Drawn> {
  if (column.kind !== 'metric')
    throw new MixlabError('option', 'plot.runs.y', `'${y}' is no metric; with an x it is drawn against a column`)
  const metric = column.name
  const asked = { filter, metric, by: color, x: over, logX: false, lines: [], buckets: BUCKETS }
  const curves = await host.readCurves(asked)
  const groups = curves.groups.slice(0, MOST_GROUPS)
  const groupsLeft = curves.groupsLeft + curves.groups.length - groups.length
  const training = curves.lines.filter(({ status }) => status === 'running').length
  const series = groups.map(({ name, x, mean, sd, n, runs }): MarkSeries => {
    const around = (sign: number) =>
      mean.map((value, i) => ((n[i] ?? 0) > 1 ? plotlyNumber(value + sign * (sd[i] ?? 0)) : null))
    return {
      ...{
        name: color.length === 0 ? '' : name,
        x,
        y: mean.map((value, i) => (isWhole(n[i], runs) ? plotlyNumber(value) : null)),
      },
      ...(runs > 1 && { band: { low: around(-1), high: around(1) } }),
    }
  })
  const { note = null } = noteOf([
    ...(groups.some(({ runs }) => runs > 1) ? [`Band: ${BAND_WORDS.sd}.`] : []),
    ...(groups.some(({ n, runs }) => n.some((count) => !isWhole(count, runs))) ? [PARTLY] : []),
    ...(training > 0 ? [`${runsCount(training)} in training left out.`] : []),
    ...notDrawn({ ...curves, groups, groupsLeft }, metric, over),
  ])
  return { mark: 'line', series, note, xLabel: CURVE_AXIS_WORDS[over], yLabel: metric }
}

/** Each run a dot. */
async function against({ filter, y, color }: RunsFigure, x: string, host: OpenFigureHost): Promise<Drawn> {
  const columns = [...color, x, y]
  const page = await host.queryRuns({ filter, sort: [], columns, offset: 0, limit: MOST_RUNS })
  const rows = page.rows.map(({ values }) => {
    const [place = null, value = null] = values.slice(color.length)
    return { group: groupName(values.slice(0, color.length)), place, value }
  })
  const known = rows.filter(({ place, value }) => place !== null && typeof value === 'number')
  const groups = [...Map.groupBy(known, ({ group }) => group)].sort(([, a], [, b]) => b.length - a.length)
  const series = groups.slice(0, MOST_GROUPS).map(
    ([name, own]): MarkSeries => ({
      name: color.length === 0 ? '' : name,
      x: own.map(({ place }) => place),
      y: own.map(({ value }) => value as number),
    }),
  )
  const lacking = rows.length - known.length
  const { note = null } = noteOf([
    ...(lacking > 0 ? [`${runsCount(lacking)} without ${y} or ${x}.`] : []),
    ...(groups.length > series.length ? [`The ${series.length} groups with the most runs, of ${groups.length}.`] : []),
    ...(page.total > rows.length ? [`The newest ${runsCount(rows.length)} of ${page.total}.`] : []),
  ])
  return { mark: 'scatter', series, note, xLabel: x, yLabel: y }
}

/** The groups of all runs that pass the filter, so that each has its colour whichever others have a value in a figure. */
async function groupsOf({ filter, color }: RunsFigure, host: OpenFigureHost): Promise<string[]> {
  if (color.length === 0) return ['']
  const { rows } = await host.queryRuns({ filter, sort: [], columns: color, offset: 0, limit: MOST_RUNS })
  return rows.map(({ values }) => groupName(values))
}
