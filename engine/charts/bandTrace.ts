import type { PlotlyTrace } from './figure/figure.ts'
import { withAlpha } from './figure/palette.ts'

/** The area between two lines over `x`, as one closed outline without hover. */
export function bandTrace(x: number[], low: number[], high: number[], color: string, group: string): PlotlyTrace {
  return {
    type: 'scatter',
    mode: 'lines',
    name: group,
    legendgroup: group,
    showlegend: false,
    hoverinfo: 'skip',
    line: { color, width: 0 },
    x: [...x, ...x.toReversed()],
    y: [...low, ...high.toReversed()],
    fill: 'toself',
    fillcolor: withAlpha(color, 0.16),
  }
}
