import { band, type Line } from '../../engine/study/align.ts'
import type { Dash, Figure, FigureStyle, Trace } from './figure.ts'
import { axis, frame } from './layout.ts'

export interface CurveRun extends Line {
  variant: string
  seed: number
  /** Whether the run is complete; only complete runs enter mean and band. */
  done: boolean
}

const DASHES: Dash[] = ['solid', 'dash', 'dot', 'dashdot']

/**
 * A metric over steps: per variant the mean over its complete runs with a band of one standard deviation, and thin lines
 * for single seeds where fewer than three are complete or a run is still training. `steps` is where the runs will end; 0
 * where that is not known.
 */
export function curves(
  metric: string,
  variants: string[],
  runs: CurveRun[],
  steps: number,
  style: FigureStyle,
): Figure {
  const perVariant = variants.map((variant, index) => {
    const color = style.series[index % style.series.length] ?? style.text
    const dash = DASHES[Math.floor(index / style.series.length) % DASHES.length] ?? 'solid'
    const own = runs.filter((run) => run.variant === variant && run.steps.length > 0)
    return { variant, color, dash, own, done: own.filter((run) => run.done) }
  })
  // bands lie below all lines
  const data = [...perVariant.flatMap(bandTraces), ...perVariant.flatMap(seedTraces), ...perVariant.map(meanTrace)]
  return { data, layout: layout(metric, steps, runs, style) }
}

interface VariantRuns {
  variant: string
  color: string
  dash: Dash
  own: CurveRun[]
  done: CurveRun[]
}

function bandTraces({ variant, color, done }: VariantRuns): Trace[] {
  if (done.length < 2) return []
  const { steps, mean, sd } = band(done)
  const edge = (sign: number) => mean.map((value, i) => value + sign * (sd[i] ?? 0))
  const outline = { ...base(variant), name: variant, hoverinfo: 'skip', line: { color, width: 0 }, x: steps } as const
  return [
    { ...outline, y: edge(-1) },
    { ...outline, y: edge(1), fill: 'tonexty', fillcolor: withAlpha(color, 0.16) },
  ]
}

function seedTraces({ variant, color, dash, own, done }: VariantRuns): Trace[] {
  const thin = own.filter((run) => !run.done || done.length === 2)
  return thin.map((run) => ({
    ...base(variant),
    mode: run.steps.length === 1 ? 'lines+markers' : 'lines',
    name: `${variant}, seed ${run.seed}`,
    x: run.steps,
    y: run.values,
    line: { color, width: 1.2, dash },
    opacity: run.done ? 0.5 : 0.8,
    hovertemplate: '%{y:.4g}',
  }))
}

function meanTrace({ variant, color, dash, done }: VariantRuns): Trace {
  const { steps, mean } = band(done)
  const known = steps.length > 0
  return {
    ...base(variant),
    mode: steps.length === 1 ? 'lines+markers' : 'lines',
    name: variant,
    showlegend: true,
    // a trace without points would be missing in the legend, which would then grow as variants begin
    x: known ? steps : [null],
    y: known ? mean : [null],
    line: { color, width: 2, dash },
    hovertemplate: '%{y:.4g}',
  }
}

function base(variant: string) {
  return { type: 'scatter', mode: 'lines', legendgroup: variant, showlegend: false } as const
}

function layout(metric: string, steps: number, runs: CurveRun[], style: FigureStyle): Figure['layout'] {
  const empty = runs.every((run) => run.steps.length === 0)
  const positive = runs.every((run) => run.values.every((value) => value >= 0))
  return {
    ...frame(style),
    margin: { l: 56, r: 12, t: 8, b: 40 },
    xaxis: { ...axis('step', style), ...(steps > 0 ? { range: [0, steps] } : { rangemode: 'tozero' }) },
    yaxis: { ...axis(metric, style), showticklabels: !empty, rangemode: positive ? 'nonnegative' : 'normal' },
    hovermode: 'x unified',
    uirevision: metric,
  }
}

/** `rgb(r, g, b)` with an opacity. */
function withAlpha(colour: string, alpha: number): string {
  const channels = colour.match(/[\d.]+/g)?.slice(0, 3) ?? ['0', '0', '0']
  return `rgba(${channels.join(', ')}, ${alpha})`
}
