import { type Band, band, type Line } from '../study/align.ts'
import { bandTrace } from './bandTrace.ts'
import { type Chart, type MetricChartOptions, noteOf, RUN } from './figure/chart.ts'
import type { FigureStyle, PlotlyFigure, PlotlyTrace } from './figure/figure.ts'
import { frame, metricAxis, plotlyAxis } from './figure/layout.ts'
import { type Look, lookOf } from './figure/palette.ts'
import { logAxis } from './figure/ticks.ts'
import { type Format, formatOf, plotlyNumber, plotlyText } from './figure/words.ts'
import { smooth } from './smooth.ts'
import { halfWidth, SPREADS, type SpreadKind } from './spread.ts'

/** The points of a metric of one run. */
export interface CurveRun extends Line {
  variant: string
  seed: number
  /** Whether the run is complete; only complete runs enter mean and band. */
  done: boolean
  /** Its id in the store, to which a click leads. */
  run?: number | null
  /** Training examples of a step, for curves over examples. */
  examplesPerStep?: number | null
  /** Mean seconds of a step, for curves over time. */
  secondsPerStep?: number | null
}

export type CurveX = 'step' | 'examples' | 'seconds'

export interface CurveOptions extends MetricChartOptions {
  /** In the order of their colours. */
  variants: string[]
  /** Where the runs will end; left out or 0 where that is not known. */
  steps?: number
  /** What is drawn of complete runs: their mean in a band, of `sd` if left out, or every seed. */
  show?: SpreadKind | 'seeds'
  /** Runs whose places on this axis are not known are left out. */
  x?: CurveX
  logX?: boolean
  logY?: boolean
  /** Weight of the past in a moving average: 0 (off, if left out) to below 1. */
  smoothing?: number
}

/** What an axis calls its unit, and how much of it a step of a run takes. */
const UNITS: Record<CurveX, { label: string; perStep(run: CurveRun): number | null }> = {
  step: { label: 'step', perStep: () => 1 },
  examples: { label: 'training examples', perStep: (run) => run.examplesPerStep ?? null },
  seconds: { label: 'seconds of training', perStep: (run) => run.secondsPerStep ?? null },
}

/** A run whose values are smoothed, and whose places on the axis are its steps times `perStep`. */
interface PlacedRun extends CurveRun {
  raw: number[]
  perStep: number
}

/**
 * A metric over training: per variant the mean over its complete runs in a band, and thin lines for single seeds where
 * they are asked for, where fewer than three are complete, or where a run is still training.
 */
export function curves(runs: CurveRun[], options: CurveOptions, style: FigureStyle): Chart {
  const { metric, meaning, variants, show = 'sd', x = 'step', smoothing = 0 } = options
  const placed = runs.flatMap((run) => place(run, x, smoothing))
  const format = formatOf(
    meaning,
    placed.flatMap((run) => run.values),
  )
  const groups = variants.map((variant, index): VariantRuns => {
    const own = placed.filter((run) => run.variant === variant)
    const done = own.filter((run) => run.done)
    const mean = show === 'seeds' ? band([]) : meanOf(done)
    return { variant, look: lookOf(index, style), own, done, mean, format }
  })
  // bands lie below all lines
  const data = [
    ...(show === 'seeds' ? [] : groups.flatMap((group) => bandOf(group, show))),
    ...groups.flatMap((group) => seedTraces(group, show === 'seeds')),
    ...groups.map(meanTrace),
  ]
  return {
    title: `${metric} over ${UNITS[x].label}`,
    figure: { data, layout: layout(options, placed, format, style) },
    ...tableOf(placed, x, smoothing),
    ...noted(show, groups, smoothing),
  }
}

function place(run: CurveRun, x: CurveX, smoothing: number): PlacedRun[] {
  const perStep = UNITS[x].perStep(run)
  if (perStep === null || run.steps.length === 0) return []
  return [{ ...run, values: smoothing > 0 ? smooth(run.values, smoothing) : run.values, raw: run.values, perStep }]
}

const placesOf = ({ steps, perStep }: PlacedRun) => steps.map((step) => step * perStep)

/** Mean and deviation of runs after the same steps, at their mean place on the axis. */
function meanOf(runs: PlacedRun[]): Band {
  const perStep = runs.reduce((sum, run) => sum + run.perStep, 0) / runs.length
  const { steps, ...rest } = band(runs)
  return { steps: steps.map((step) => step * perStep), ...rest }
}

interface VariantRuns {
  variant: string
  look: Look
  own: PlacedRun[]
  done: PlacedRun[]
  mean: Band
  format: Format
}

function bandOf({ variant, look, done, mean: { steps, mean, sd } }: VariantRuns, kind: SpreadKind): PlotlyTrace[] {
  if (done.length < 2 || steps.length === 0) return []
  const half = sd.map((each) => halfWidth(each, done.length, kind))
  const edge = (sign: number) => mean.map((value, i) => value + sign * (half[i] ?? 0))
  return [bandTrace(steps, edge(-1), edge(1), look.color, variant)]
}

function seedTraces({ variant, look, own, done, format }: VariantRuns, all: boolean): PlotlyTrace[] {
  const thin = own.filter((run) => all || !run.done || done.length === 2)
  return thin.map((run) => ({
    ...base(variant),
    mode: run.steps.length === 1 ? 'lines+markers' : 'lines',
    name: plotlyText(`${variant}, seed ${run.seed}`),
    x: placesOf(run),
    y: run.values.map(plotlyNumber),
    line: { color: look.color, width: 1.2, dash: look.dash },
    opacity: run.done && !all ? 0.5 : 0.8,
    hovertemplate: `%{y:${format.value}}`,
    ...meta(run),
  }))
}

function meanTrace({ variant, look, done, mean: { steps, mean }, format }: VariantRuns): PlotlyTrace {
  const known = steps.length > 0
  const [only] = done
  return {
    ...base(variant),
    mode: steps.length === 1 ? 'lines+markers' : 'lines',
    name: plotlyText(variant),
    showlegend: true,
    // a trace without points would be missing in the legend, which would then grow as variants begin
    x: known ? steps : [null],
    y: known ? mean : [null],
    line: { color: look.color, width: 2, dash: look.dash },
    hovertemplate: `%{y:${format.value}}`,
    ...(only && done.length === 1 ? meta(only) : {}),
  }
}

function base(variant: string) {
  return { type: 'scatter', mode: 'lines', legendgroup: variant, showlegend: false } as const
}

function meta({ run }: CurveRun) {
  return run == null ? {} : { meta: { run } }
}

function layout(options: CurveOptions, runs: PlacedRun[], format: Format, style: FigureStyle): PlotlyFigure['layout'] {
  const { metric, meaning = {}, steps = 0, x = 'step', logX, logY, show, smoothing = 0 } = options
  const positive = runs.every((run) => run.values.every((value) => !(value < 0)))
  const end = x === 'step' && steps > 0
  const label = smoothing > 0 ? `${metric}, smoothed by ${smoothing}` : metric
  return {
    ...frame(style),
    margin: { l: 56, r: 12, t: 8, b: 40 },
    xaxis: {
      ...plotlyAxis(UNITS[x].label, style),
      ...(logX ? logAxis(runs.flatMap(placesOf)) : { rangemode: 'tozero', ...(end ? { range: [0, steps] } : {}) }),
    },
    yaxis: {
      ...metricAxis(label, meaning, style, logY),
      ...(logY ? logAxis(runs.flatMap((run) => run.values)) : { rangemode: positive ? 'nonnegative' : 'normal' }),
      tickformat: format.ticks,
      showticklabels: runs.length > 0,
    },
    hovermode: show === 'seeds' ? 'closest' : 'x unified',
    uirevision: `${metric} ${x} ${logX} ${logY}`,
  }
}

/** The points as they were logged, run by run. */
function tableOf(runs: PlacedRun[], x: CurveX, smoothing: number): Pick<Chart, 'columns' | 'rows'> {
  const columns = ['variant', 'seed', RUN, 'step', ...(x === 'step' ? [] : [UNITS[x].label]), 'value']
  const rows = runs.flatMap(({ variant, seed, run = null, steps, values, raw, perStep }) =>
    steps.map((step, i) => [
      ...[variant, seed, run, step],
      ...(x === 'step' ? [] : [step * perStep]),
      plotlyNumber(raw[i]),
      ...(smoothing > 0 ? [plotlyNumber(values[i])] : []),
    ]),
  )
  return { columns: smoothing > 0 ? [...columns, 'smoothed'] : columns, rows }
}

function noted(show: SpreadKind | 'seeds', groups: VariantRuns[], smoothing: number): Pick<Chart, 'note'> {
  const banded = show !== 'seeds' && groups.some(({ done }) => done.length > 1)
  const notes = [
    ...(banded ? [`Band: ${SPREADS[show]}.`] : []),
    ...(smoothing > 0 ? [`Smoothed: moving average with ${smoothing} of the past.`] : []),
  ]
  return noteOf(notes)
}
