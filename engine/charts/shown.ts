import type { Heatmap, Marks, Panels } from '../display/types.ts'
import type { Chart } from './figure/chart.ts'
import type { FigureStyle } from './figure/figure.ts'
import { heatmapChart } from './heatmap.ts'
import { marksChart } from './marks.ts'

/** What a cell draws as charts: one a panel. */
export function shownCharts(figure: Marks | Heatmap | Panels, style: FigureStyle): Chart[] {
  if (figure.type === 'panels') return figure.panels.flatMap((panel) => shownCharts(panel, style))
  return [figure.type === 'heatmap' ? heatmapChart(figure, style) : marksChart(figure, style)]
}
