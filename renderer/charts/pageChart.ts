import type { Chart } from '../../engine/charts/figure/chart.ts'
import type { FigureStyle } from '../../engine/charts/figure/figure.ts'

/** A chart that can be made again in another style, as for paper. */
export interface PageChart extends Chart {
  onPaper?(style: FigureStyle): Chart
}

/** A chart in the style of the page. */
export function pageChart(style: FigureStyle, make: (style: FigureStyle) => Chart): PageChart {
  return { ...make(style), onPaper: make }
}

/** Several charts that are made at once. */
export function pageCharts(style: FigureStyle, make: (style: FigureStyle) => Chart[]): PageChart[] {
  return make(style).map((chart, i) => ({ ...chart, onPaper: (paper) => make(paper)[i] ?? chart }))
}
