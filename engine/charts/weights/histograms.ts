import type { StoredHistogram } from '../../records/histogram.ts'
import type { Chart } from '../figure/chart.ts'
import { densities } from '../figure/colorScales.ts'
import type { AnyTrace, FigureStyle, PlotlyFigure } from '../figure/figure.ts'
import { frame, plotlyAxis } from '../figure/layout.ts'
import { withAlpha } from '../figure/palette.ts'

/** The histogram of a tensor, or of its gradients, at a step of a run. */
export interface HistogramRow extends StoredHistogram {
  run?: number
}

const BINS = 80
const HEIGHT = 280 // px
/** Standard deviations around the mean of a step that are drawn. */
const REACH = 5

/** How the values of one tensor are spread, step by step: where they are densest in colours, with mean and deviation. */
export function histograms(rows: HistogramRow[], style: FigureStyle): Chart {
  const { name = 'no tensor', kind = 'weights', run } = rows[0] ?? {}
  const steps = rows.map(({ step }) => step)
  const [low, high] = rangeOf(rows)
  const width = (high - low) / BINS
  const shares = rows.map((row) => rebinned(row, low, width))
  const beyond = rows.some(({ min, max }) => min < low || max > high)
  const missing = rows.some(({ notFinite }) => notFinite > 0)
  const line = (label: string, dash: 'solid' | 'dot', of: (row: HistogramRow) => number): AnyTrace => ({
    type: 'scatter',
    mode: rows.length === 1 ? 'lines+markers' : 'lines',
    name: label,
    x: steps,
    y: rows.map(of),
    legendgroup: label,
    showlegend: false,
    line: { color: withAlpha(style.series[1] ?? style.text, dash === 'solid' ? 1 : 0.8), width: 1.6, dash },
    hovertemplate: `${label} %{y:.3g}<extra></extra>`,
  })
  const figure: PlotlyFigure<AnyTrace> = {
    data: [
      {
        type: 'heatmap',
        x: steps,
        y: Array.from({ length: BINS }, (_, i) => low + (i + 0.5) * width),
        z: Array.from({ length: BINS }, (_, bin) => shares.map((row) => row[bin] ?? null)),
        zmin: 0,
        colorscale: densities(style),
        showscale: false,
        hovertemplate: 'step %{x}, around %{y:.3g}: %{z:.1%}<extra></extra>',
        ...(run === undefined ? {} : { meta: { run } }),
      },
      line('mean', 'solid', ({ mean }) => mean),
      line('mean + sd', 'dot', ({ mean, sd }) => mean + sd),
      line('mean − sd', 'dot', ({ mean, sd }) => mean - sd),
    ],
    layout: {
      ...frame(style),
      margin: { l: 56, r: 12, t: 8, b: 40 },
      xaxis: { ...plotlyAxis('step', style), showgrid: false },
      yaxis: { ...plotlyAxis(kind === 'weights' ? 'value' : 'gradient', style), showgrid: false, range: [low, high] },
      hovermode: 'closest',
    },
  }
  return {
    title: `${kind === 'weights' ? 'Weights' : 'Gradients'} of ${name}`,
    figure,
    height: HEIGHT,
    columns: ['step', 'min', 'max', 'mean', 'sd', 'not finite'],
    rows: rows.map(({ step, min, max, mean, sd, notFinite }) => [step, min, max, mean, sd, notFinite]),
    note: [
      'Line and dots: mean ± standard deviation.',
      beyond && `What is farther than ${REACH} deviations from the mean is left out.`,
      missing && 'Some values are not finite, see the data.',
    ]
      .filter(Boolean)
      .join(' '),
  }
}

/** What is drawn of the values: all, or what is within reach of the means. */
function rangeOf(rows: HistogramRow[]): [number, number] {
  const low = Math.min(...rows.map(({ min, mean, sd }) => Math.max(min, mean - REACH * sd)))
  const high = Math.max(...rows.map(({ max, mean, sd }) => Math.min(max, mean + REACH * sd)))
  if (rows.length === 0) return [0, 1]
  if (high > low) return [low, high]
  const around = Math.abs(low) / 2 || 0.5
  return [low - around, high + around]
}

/** The shares of the values in bins from `low` on, each bin of the row spread evenly over those that it meets. */
function rebinned({ min, max, counts }: HistogramRow, low: number, width: number): number[] {
  const shares = new Array<number>(BINS).fill(0)
  const total = counts.reduce((sum, count) => sum + count, 0) || 1
  const own = (max - min) / counts.length
  counts.forEach((count, i) => {
    if (count === 0) return
    const [from, to] = [(min + i * own - low) / width, (min + (i + 1) * own - low) / width]
    for (let bin = Math.max(0, Math.floor(from)); bin < BINS && bin <= to; bin++) {
      const met = to > from ? (Math.min(to, bin + 1) - Math.max(from, bin)) / (to - from) : 1
      shares[bin] = (shares[bin] as number) + (Math.max(0, met) * count) / total
    }
  })
  return shares
}
