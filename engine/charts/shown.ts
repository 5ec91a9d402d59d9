import type { Heatmap, Marks, Panels } from '../display/types.ts'
import type { Chart, Panel } from './figure/chart.ts'
import type { FigureStyle } from './figure/figure.ts'
import { heatmapChart } from './heatmap.ts'
import { marksChart } from './marks.ts'

/** What a cell draws. */
export function shownPanels(figure: Marks | Heatmap | Panels): Panel[] {
  if (figure.type === 'panels') return figure.panels.flatMap(shownPanels)
  return [(style) => (figure.type === 'heatmap' ? heatmapChart(figure, style) : marksChart(figure, style))]
}

/** The same as charts: one a panel. */
export function shownCharts(figure: Marks | Heatmap | Panels, style: FigureStyle): Chart[] {
  return shownPanels(figure).map((panel) => panel(style))
}
