import type { LayerNorms } from '../../records/norms.ts'
import type { Chart } from '../figure/chart.ts'
import { VIRIDIS } from '../figure/colorScales.ts'
import type { AnyTrace, FigureStyle, PlotlyFigure } from '../figure/figure.ts'
import { frame, plotlyAxis } from '../figure/layout.ts'
import { lookOf } from '../figure/palette.ts'
import { logAxis } from '../figure/ticks.ts'
import { plotlyText } from '../figure/words.ts'
import { bar } from '../marks.ts'

/** The norms of a layer at a step of a run. */
export interface LayerNormsRow extends LayerNorms {
  run?: number
}

const KINDS = {
  gradient: { title: 'Gradient norm by layer', axis: 'norm of the gradient', note: 'Before clipping.' },
  ratio: {
    title: 'Update ratio by layer',
    axis: 'update / weights',
    note: 'Norm of what the step changed, by that of the weights; about 1/1000 is usual.',
  },
}

/** With more layers than this, lines hide each other. */
const MAX_LINES = 10
const HEIGHT = 300 // px

/** The gradient norm, or the update ratio, of each layer over the steps: a line each, of many a row in colours each. */
export function layerNorms(rows: LayerNormsRow[], kind: keyof typeof KINDS, style: FigureStyle): Chart {
  const { title, axis, note } = KINDS[kind]
  const layers = [...new Set(rows.map(({ layer }) => layer))]
  const shown = rows.map((row) => ({ ...row, value: row[kind] }))
  const lines = layers.length <= MAX_LINES
  return {
    title,
    figure: lines ? linesOf(shown, layers, axis, style) : coloursOf(shown, layers, axis, style),
    columns: ['layer', 'step', axis],
    rows: shown.map(({ layer, step, value }) => [layer, step, value]),
    height: lines ? HEIGHT : Math.max(HEIGHT, 90 + 14 * layers.length),
    note: lines ? note : `${note} Colours: the power of ten.`,
  }
}

type Shown = LayerNormsRow & { value: number | null }

/** The value where a logarithm has a place for it. */
const above0 = (value: number | null | undefined) => (value != null && value > 0 ? value : null)

function linesOf(rows: Shown[], layers: string[], axis: string, style: FigureStyle): PlotlyFigure<AnyTrace> {
  const data = layers.map((layer, i): AnyTrace => {
    const own = rows.filter((row) => row.layer === layer)
    const { color } = lookOf(i, style)
    const { dash, symbol } = lookOf(i * style.series.length, style) // told apart without colours, too
    const [{ run } = {}] = own
    return {
      type: 'scatter',
      mode: 'lines+markers',
      name: plotlyText(layer),
      legendgroup: layer,
      showlegend: true,
      x: own.map(({ step }) => step),
      y: own.map(({ value }) => above0(value)),
      line: { color, width: 1.6, dash },
      marker: { color, size: 5, symbol },
      hovertemplate: `${plotlyText(layer)}: %{y:.3g}<extra></extra>`,
      ...(run === undefined ? {} : { meta: { run } }),
    }
  })
  return {
    data,
    layout: {
      ...frame(style),
      margin: { l: 64, r: 12, t: 8, b: 40 },
      xaxis: plotlyAxis('step', style),
      yaxis: { ...plotlyAxis(axis, style), ...logAxis(rows.flatMap(({ value }) => above0(value) ?? [])) },
      hovermode: 'x',
    },
  }
}

function coloursOf(rows: Shown[], layers: string[], axis: string, style: FigureStyle): PlotlyFigure<AnyTrace> {
  const steps = [...new Set(rows.map(({ step }) => step))].sort((a, b) => a - b)
  const at = (layer: string, step: number) =>
    above0(rows.find((row) => row.layer === layer && row.step === step)?.value)
  const [{ run } = {}] = rows
  return {
    data: [
      {
        type: 'heatmap',
        x: steps,
        y: layers.map(plotlyText),
        z: layers.map((layer) =>
          steps.map((step) => {
            const value = at(layer, step)
            return value === null ? null : Math.log10(value)
          }),
        ),
        text: layers.map((layer) => steps.map((step) => at(layer, step)?.toPrecision(3) ?? 'none')),
        colorscale: VIRIDIS,
        colorbar: bar(style),
        hovertemplate: `%{y}, step %{x}: ${plotlyText(axis)} %{text}<extra></extra>`,
        ...(run === undefined ? {} : { meta: { run } }),
      },
    ],
    layout: {
      ...frame(style),
      margin: { l: 90, r: 12, t: 8, b: 40 },
      xaxis: { ...plotlyAxis('step', style), showgrid: false },
      yaxis: { ...plotlyAxis('', style), showgrid: false, autorange: 'reversed', type: 'category' },
    },
  }
}
