import type { Look } from '../study/statistics/index.ts'
import { type Chart, noteOf } from './figure/chart.ts'
import type { DotsTrace, FigureStyle } from './figure/figure.ts'
import { frame, plotlyAxis } from './figure/layout.ts'
import { lookOf } from './figure/palette.ts'
import { plotlyText } from './figure/words.ts'

/** The evidence for one comparison, or one part of a question, after each seed. */
export interface EvidenceRow {
  name: string
  path: readonly Look[]
  decidedWith: number | null
}

/** The evidence that decides. */
const ENOUGH = 20
const HEIGHT = 220 // px

/** Evidence over seeds, on a logarithmic axis, with a line at 20 to 1: what has crossed it is decided. */
export function evidenceBySeed(rows: readonly EvidenceRow[], upTo: number, style: FigureStyle): Chart {
  const all = rows.flatMap(({ path }) => path.map(({ evidence }) => evidence))
  const [low, high] = [Math.min(0.5, ...all), Math.max(2 * ENOUGH, ...all)].map(Math.log10) as [number, number]
  const line = { type: 'line', layer: 'below', xref: 'paper', yref: 'y', x0: 0, x1: 1, y0: ENOUGH, y1: ENOUGH } as const
  return {
    title: 'evidence by seed',
    height: HEIGHT,
    figure: {
      data: rows.map((row, place) => traceOf(row, place, style)),
      layout: {
        ...frame(style),
        margin: { l: 56, r: 16, t: 8, b: 40 },
        xaxis: { ...plotlyAxis('seed', style), range: [0.5, upTo + 0.5], tickformat: 'd' },
        yaxis: { ...plotlyAxis('evidence, to 1', style), type: 'log', range: [low - 0.1, high + 0.1], dtick: 1 },
        hovermode: 'closest',
        shapes: [{ ...line, line: { color: style.muted, width: 1, dash: 'dash' } }],
        uirevision: 'evidence',
      },
    },
    columns: ['comparison', 'seed', 'evidence', 'decided'],
    rows: rows.flatMap(({ name, path, decidedWith }) =>
      path.map(({ seed, evidence }) => [name, seed, evidence, seed === decidedWith ? 'here' : '']),
    ),
    ...noteOf([`Dashed: ${ENOUGH} to 1, which decides.`]),
  }
}

function traceOf({ name, path }: EvidenceRow, place: number, style: FigureStyle): DotsTrace {
  const { color, dash, symbol } = lookOf(place, style)
  return {
    type: 'scatter',
    mode: 'lines+markers',
    name: plotlyText(name),
    x: path.map(({ seed }) => seed),
    y: path.map(({ evidence }) => evidence),
    showlegend: true,
    line: { color, width: 1.5, dash },
    marker: { color, symbol, size: 5 },
    hovertemplate: `${plotlyText(name)}, seed %{x}: %{y:.3~g} to 1<extra></extra>`,
  }
}
