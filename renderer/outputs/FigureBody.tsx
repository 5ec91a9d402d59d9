import { useMemo } from 'react'
import type { Figure, Heatmap, Marks } from '../../engine/display/types.ts'
import { FigureView } from '../charts/FigureView.tsx'
import { heatmapFigure } from '../charts/heatmap.ts'
import { marksFigure } from '../charts/marks.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { DataTable } from './DataTable.tsx'

/** What `plot` and `table` make; `label` is read out for it. */
export function FigureBody({ figure, label }: { figure: Figure; label: string }) {
  if (figure.type === 'table') return <DataTable {...figure} label={label} />
  return (
    <figure className="plot">
      {figure.title && <figcaption>{figure.title}</figcaption>}
      <Drawn figure={figure} label={label} />
      {figure.note && <p className="muted">{figure.note}</p>}
    </figure>
  )
}

function Drawn({ figure, label }: { figure: Marks | Heatmap; label: string }) {
  const style = useFigureStyle()
  const drawn = useMemo(
    () => (figure.type === 'marks' ? marksFigure(figure, style) : heatmapFigure(figure, style)),
    [figure, style],
  )
  return (
    <div className="plot-box">
      <FigureView figure={drawn} label={label} />
    </div>
  )
}
