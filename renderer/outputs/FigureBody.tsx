import { useMemo } from 'react'
import { shownCharts } from '../../engine/charts/shown.ts'
import type { Figure, Panels, Table } from '../../engine/display/types.ts'
import { ChartView } from '../charts/ChartView.tsx'
import { PanelsView } from '../charts/PanelsView.tsx'
import { pageCharts } from '../charts/pageChart.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { DataTable } from '../ui/DataTable.tsx'

/** What `plot` and `table` make; `label` is read out for it. */
export function FigureBody({ figure, label }: { figure: Figure; label: string }) {
  if (figure.type === 'table') return <DataTable {...figure} label={label} />
  return <Drawn figure={figure} label={label} />
}

function Drawn({ figure, label }: { figure: Exclude<Figure, Table>; label: string }) {
  const style = useFigureStyle()
  const charts = useMemo(() => pageCharts(style, (style) => shownCharts(figure, style)), [figure, style])
  const [first] = charts
  if (figure.type === 'panels') return <PanelsView charts={charts} {...sheetOf(figure, label)} />
  return first ? <ChartView chart={first} label={label} /> : null
}

const sheetOf = ({ title, columns }: Panels, label: string) => ({ title: title ?? '', columns, label })
