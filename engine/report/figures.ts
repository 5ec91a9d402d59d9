import type { Chart } from '../charts/figure/chart.ts'
import type { FigureStyle } from '../charts/figure/figure.ts'
import { heatmapChart } from '../charts/heatmap.ts'
import { marksChart } from '../charts/marks.ts'
import type { ShownHeatmap, ShownMarks, ShownOutput, ShownValue } from './output.ts'

/** A figure that a cell showed. */
export interface ShownFigure {
  /** Its title, or the name of its cell where it has none. */
  name: string
  chart(style: FigureStyle): Chart
}

/** The figures of stored outputs by cell, in their order. Those of a cell without titles are told apart by numbers. */
export function shownFigures(outputs: readonly { cell: string; output: ShownOutput }[]): ShownFigure[] {
  return outputs.flatMap(({ cell, output: { displays, value } }) => {
    const figures = [...displays, ...(value ? [value] : [])].flatMap(figureIn)
    return figures.map((figure, i) => ({
      name: figure.title || (figures.length > 1 ? `${cell} ${i + 1}` : cell),
      chart: (style: FigureStyle) => shownChart(figure, style),
    }))
  })
}

function figureIn({ body }: ShownValue): (ShownMarks | ShownHeatmap)[] {
  const figure = body?.type === 'tensor' ? body.figure : body
  return figure?.type === 'marks' || figure?.type === 'heatmap' ? [figure] : []
}

/** What a cell drew as a chart. */
export function shownChart(figure: ShownMarks | ShownHeatmap, style: FigureStyle): Chart {
  return figure.type === 'heatmap' ? heatmapChart(figure, style) : marksChart(figure, style)
}
