import { useMemo } from 'react'
import { heatmapChart } from '../../engine/charts/heatmap.ts'
import { marksChart } from '../../engine/charts/marks.ts'
import type { Figure, Heatmap, Marks } from '../../engine/display/types.ts'
import { ChartView } from '../charts/ChartView.tsx'
import { pageChart } from '../charts/pageChart.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { DataTable } from '../ui/DataTable.tsx'

/** What `plot` and `table` make; `label` is read out for it. */
export function FigureBody({ figure, label }: { figure: Figure; label: string }) {
  if (figure.type === 'table') return <DataTable {...figure} label={label} />
  return <Drawn figure={figure} label={label} />
}

function Drawn({ figure, label }: { figure: Marks | Heatmap; label: string }) {
  const style = useFigureStyle()
  const chart = useMemo(
    () =>
      pageChart(style, (style) => (figure.type === 'marks' ? marksChart(figure, style) : heatmapChart(figure, style))),
    [figure, style],
  )
  return <ChartView chart={chart} label={label} />
}
