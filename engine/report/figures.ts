import type { Panel } from '../charts/figure/chart.ts'
import { shownPanels } from '../charts/shown.ts'
import type { ShownDrawing, ShownOutput, ShownValue } from './output.ts'

/** A figure that a cell showed. */
export interface ShownFigure {
  /** Its title, or the name of its cell where it has none. */
  name: string
  /** How many of its panels stand side by side; null for a figure without panels. */
  columns: number | null
  panels: Panel[]
}

/** The figures of stored outputs by cell, in their order. Those of a cell without titles are told apart by numbers. */
export function shownFigures(outputs: readonly { cell: string; output: ShownOutput }[]): ShownFigure[] {
  return outputs.flatMap(({ cell, output: { displays, value } }) => {
    const figures = [...displays, ...(value ? [value] : [])].flatMap(figureIn)
    return figures.map((figure, i) => ({
      name: figure.title || (figures.length > 1 ? `${cell} ${i + 1}` : cell),
      columns: figure.type === 'panels' ? figure.columns : null,
      panels: shownPanels(figure),
    }))
  })
}

function figureIn({ body }: ShownValue): ShownDrawing[] {
  const figure = body?.type === 'tensor' ? body.figure : body
  return figure?.type === 'marks' || figure?.type === 'heatmap' || figure?.type === 'panels' ? [figure] : []
}
