import type { CurveAxis } from '../../records/series.ts'
import type { CurveGroup, CurveLine, RunCurves } from '../../runs/curves.ts'
import type { BandKind } from '../../runs/wall.ts'
import { bandTrace } from '../bandTrace.ts'
import { type Chart, type MetricChartOptions, noteOf, RUN } from '../figure/chart.ts'
import type { Dash, FigureStyle, PlotlyFigure, PlotlyTrace } from '../figure/figure.ts'
import { frame, metricAxis, plotlyAxis } from '../figure/layout.ts'
import { withAlpha } from '../figure/palette.ts'
import { logAxis } from '../figure/ticks.ts'
import { type Format, formatOf, plotlyNumber, plotlyText } from '../figure/words.ts'
import { smooth } from '../smooth.ts'
import { halfWidth } from '../spread.ts'
import { type GroupLooks, groupLook, isOnPaper, runName, runsCount } from './groups.ts'

export interface GroupCurvesOptions extends MetricChartOptions, GroupLooks {
  x: CurveAxis
  band: BandKind
  logX?: boolean
  logY?: boolean
  /** Weight of the past in a moving average: 0 (off, if left out) to below 1. */
  smoothing?: number
}

/** What axes of curves are called. */
export const CURVE_AXIS_WORDS: Record<CurveAxis, string> = {
  step: 'step',
  time: 'seconds of training',
  macs: 'multiply-adds, forward',
  examples: 'training examples',
  epochs: 'epochs',
}

export const BAND_WORDS: Record<BandKind, string | null> = {
  sd: '± 1 standard deviation over runs',
  interval: '95% interval of the mean over runs (t)',
  range: 'from the smallest to the largest',
  none: null,
}

/** How single runs are told apart, on top of the groups. */
export const LINE_DASHES: readonly Dash[] = ['solid', 'dash', 'dot', 'dashdot']

/** Bands of more groups are lighter, since they lie upon each other, and one mark for all of a colour, which is drawn faster. */
const CROWD = 8

/**
 * A metric over training by group of runs, as the store has taken them together: the mean in a band, fainter where fewer
 * than half of the runs of a group have a value; and single runs on top, those in training in the colour of their group.
 */
export function groupCurves(curves: RunCurves, options: GroupCurvesOptions, style: FigureStyle): Chart {
  const { metric, meaning, smoothing = 0, hidden, x } = options
  const soft = (values: number[]) => (smoothing > 0 ? smooth(values, smoothing) : values)
  const groups = curves.groups
    .filter(({ name }) => !hidden.has(name))
    .toSorted((a, b) => options.placeOf(a.name) - options.placeOf(b.name))
    .map((group) => ({ ...group, mean: soft(group.mean), sd: soft(group.sd), raw: group.mean }))
  const lines = curves.lines
    .filter(({ group, status }) => status !== 'running' || !hidden.has(group))
    .map((line) => ({ ...line, values: soft(line.values), raw: line.values }))
  const values = [...groups.flatMap(({ mean }) => mean), ...lines.flatMap((line) => line.values)]
  const format = formatOf(meaning, values)
  let picked = 0
  const data = [
    ...bandsOf(groups, options, style),
    ...groups.flatMap((group) => meanTraces(group, options, format, style)),
    ...lines.map((line) => lineTrace(line, line.status === 'running' ? null : picked++, options, format, style)),
  ]
  return {
    title: `${metric} over ${CURVE_AXIS_WORDS[x]}`,
    figure: { data, layout: layout([...groups, ...lines], values, options, format, style) },
    columns: ['group', RUN, CURVE_AXIS_WORDS[x], 'mean', 'sd', 'min', 'max', 'runs'],
    rows: [...groups.flatMap(groupRows), ...lines.flatMap(lineRows)],
    ...noted(curves, groups, options),
  }
}

type Smoothed<Each> = Each & { raw: number[] }

function bandsOf(groups: CurveGroup[], options: GroupCurvesOptions, style: FigureStyle): PlotlyTrace[] {
  const bands = groups.flatMap((group) => bandOf(group, options, style))
  if (groups.length <= CROWD) return bands
  const byColor = Map.groupBy(bands, ({ line }) => line.color)
  return [...byColor].flatMap(([color, own]): PlotlyTrace[] => {
    const [first] = own
    if (!first) return []
    const parts = (axis: 'x' | 'y') => own.flatMap((band, i) => (i === 0 ? band[axis] : [null, ...band[axis]]))
    return [{ ...first, x: parts('x'), y: parts('y'), fillcolor: withAlpha(color, 0.07) }]
  })
}

function bandOf(
  group: CurveGroup,
  { band, smoothing = 0, placeOf, hidden }: GroupCurvesOptions,
  style: FigureStyle,
): PlotlyTrace[] {
  if (band === 'none' || group.runs < 2) return []
  const { x, mean, sd, min, max, n, name, runs } = group
  const places = [...x.keys()].filter((i) => isWhole(n[i], runs) && Number.isFinite(mean[i]))
  if (places.length < 2) return []
  const soft = (values: number[]) => (smoothing > 0 ? smooth(values, smoothing) : values)
  const half = (i: number) => halfWidth(sd[i] ?? null, n[i] ?? 0, band === 'interval' ? 'interval' : 'sd')
  const [low, high] =
    band === 'range'
      ? [soft(min), soft(max)]
      : [mean.map((value, i) => value - half(i)), mean.map((value, i) => value + half(i))]
  const pick = (values: number[]) => places.map((i) => values[i] ?? Number.NaN)
  const { color } = groupLook(name, { placeOf, hidden }, style)
  return [bandTrace(pick(x), pick(low), pick(high), color, name)]
}

/** Whether as many of the runs of a group have a value that their mean is one of the group. */
export function isWhole(n: number | undefined, runs: number): boolean {
  return (n ?? 0) * 2 >= runs
}

/** The mean, in two parts: where most of the runs have values, and where few have. */
function meanTraces(
  group: CurveGroup,
  options: GroupCurvesOptions,
  { value }: Format,
  style: FigureStyle,
): PlotlyTrace[] {
  const { name, x, mean, n, runs, run } = group
  const look = groupLook(name, options, style)
  const faint = (i: number) => !isWhole(n[i], runs)
  const words = new Map(
    [...new Set(n)].map((count) => [count, plotlyText(run === null ? `${name}, mean of ${runsCount(count)}` : name)]),
  )
  const text = n.map((count) => words.get(count) ?? '')
  const part = (kept: (i: number) => boolean) => mean.map((each, i) => (kept(i) ? plotlyNumber(each) : null))
  const trace = (y: (number | null)[], opacity: number, showlegend: boolean): PlotlyTrace => ({
    type: 'scatter',
    mode: y.filter((each) => each !== null).length === 1 ? 'lines+markers' : 'lines',
    name: plotlyText(name),
    legendgroup: name,
    showlegend,
    x,
    y,
    text,
    line: { color: look.color, width: 1.8, dash: look.dash },
    opacity,
    hovertemplate: `%{text}<br>%{y:${value}}<extra></extra>`,
    ...(run === null ? {} : { meta: { run } }),
  })
  // the parts meet: a place is in both where its neighbour is in the other
  const few = part((i) => faint(i) || (i > 0 && faint(i - 1)) || (i + 1 < n.length && faint(i + 1)))
  return [
    trace(
      part((i) => !faint(i)),
      1,
      isOnPaper(style),
    ),
    ...(n.some((_, i) => faint(i)) ? [trace(few, 0.4, false)] : []),
  ]
}

function lineTrace(
  line: CurveLine,
  picked: number | null,
  options: GroupCurvesOptions,
  { value }: Format,
  style: FigureStyle,
): PlotlyTrace {
  const { run, x, values, group, status } = line
  const look = groupLook(group, options, style)
  const dash = picked === null ? look.dash : (LINE_DASHES[picked % LINE_DASHES.length] ?? 'solid')
  const color = picked === null ? look.color : style.text
  const name = plotlyText(status === 'running' ? `${runName(line)}, in training` : runName(line))
  return {
    type: 'scatter',
    mode: values.length === 1 ? 'lines+markers' : 'lines',
    name,
    legendgroup: `run ${run}`,
    showlegend: isOnPaper(style),
    x,
    y: values.map(plotlyNumber),
    line: { color, width: picked === null ? 1 : 1.6, dash },
    hovertemplate: `run ${run}: ${name}<br>%{y:${value}}<extra></extra>`,
    meta: { run },
  }
}

function layout(
  drawn: { x: number[] }[],
  values: number[],
  { metric, meaning = {}, x, logX = false, logY = false, smoothing = 0 }: GroupCurvesOptions,
  format: Format,
  style: FigureStyle,
): PlotlyFigure['layout'] {
  const places = drawn.flatMap((each) => each.x)
  const positive = values.every((value) => !(value < 0))
  const label = smoothing > 0 ? `${metric}, smoothed by ${smoothing}` : metric
  return {
    ...frame(style),
    showlegend: isOnPaper(style),
    margin: { l: 52, r: 12, t: 8, b: 38 },
    xaxis: {
      ...plotlyAxis(CURVE_AXIS_WORDS[x], style),
      automargin: false,
      ...(logX ? logAxis(places) : { rangemode: 'tozero' }),
    },
    yaxis: {
      ...metricAxis(label, meaning, style, logY),
      automargin: false,
      ...(logY ? logAxis(values) : { rangemode: positive ? 'nonnegative' : 'normal' }),
      tickformat: format.ticks,
    },
    hovermode: 'closest',
    uirevision: `${metric} ${x} ${logX} ${logY}`,
  }
}

function groupRows({ name, run, x, raw, sd, min, max, n }: Smoothed<CurveGroup>): Chart['rows'] {
  return x.map((place, i) => [
    ...[name, run, place, plotlyNumber(raw[i])],
    ...[plotlyNumber(sd[i]), plotlyNumber(min[i]), plotlyNumber(max[i]), n[i] ?? 0],
  ])
}

function lineRows(line: Smoothed<CurveLine>): Chart['rows'] {
  return line.x.map((place, i) => [runName(line), line.run, place, plotlyNumber(line.raw[i]), null, null, null, 1])
}

function noted(curves: RunCurves, groups: CurveGroup[], options: GroupCurvesOptions) {
  const { band, smoothing = 0, metric, x } = options
  const spread = groups.some(({ runs }) => runs > 1) ? BAND_WORDS[band] : null
  const faint = groups.some(({ n, runs }) => n.some((count) => !isWhole(count, runs)))
  return noteOf([
    ...(spread ? [`Band: ${spread}.`] : []),
    ...(faint ? ['Fainter: fewer than half of the runs of a group have a value.'] : []),
    ...(smoothing > 0 ? [`Smoothed: moving average with ${smoothing} of the past.`] : []),
    ...notDrawn(curves, metric, x),
  ])
}

/** What is not among the groups, in sentences. */
export function notDrawn(
  { groups, groupsLeft, runsLeft, lacking, unplaced }: RunCurves,
  metric: string,
  x: CurveAxis,
): string[] {
  return [
    ...(lacking > 0 ? [`${runsCount(lacking)} without ${metric}.`] : []),
    ...(unplaced > 0 ? [`${runsCount(unplaced)} without known ${CURVE_AXIS_WORDS[x]}.`] : []),
    ...(groupsLeft > 0 ? [`The ${groups.length} groups with the most runs, of ${groups.length + groupsLeft}.`] : []),
    ...(runsLeft > 0 ? [`${runsCount(runsLeft)} before them left out.`] : []),
  ]
}
