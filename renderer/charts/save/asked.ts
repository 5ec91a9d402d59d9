import { create } from 'zustand'
import type { Axis, Layout } from '../../../engine/charts/figure/axes.ts'
import type { Chart } from '../../../engine/charts/figure/chart.ts'
import { openDialog } from '../../ui/dialog.ts'
import type { PageChart } from '../pageChart.ts'

type AxisName = `xaxis${string}` | `yaxis${string}`

/** What is saved as one figure: a chart, or several as panels in rows of so many. */
export interface ToSave {
  charts: readonly PageChart[]
  title: string
  columns: number
}

interface AskedState {
  figure: ToSave | null
  /** The parts of the axes that are shown, where the user has zoomed. */
  zoom: Record<AxisName, number[]>
}

/** The figure that is to be saved. */
export const useAsked = create<AskedState>(() => ({ figure: null, zoom: {} }))

/** Opens the window in which a figure is saved, as it is zoomed. */
export function askToSave(figure: ToSave, shown: Layout | null): void {
  const axes = Object.entries(shown ?? {}).filter(([name]) => /^[xy]axis\d*$/.test(name)) as [AxisName, Axis][]
  // Plotly notes in each axis whether it chose the range by itself
  const zoomed = axes.filter(([, axis]) => axis.range && 'autorange' in axis && (axis.autorange as unknown) === false)
  useAsked.setState({ figure, zoom: Object.fromEntries(zoomed.map(([name, { range = [] }]) => [name, range])) })
  openDialog('figure')
}

/** A chart with the parts of its axes that are shown. */
export function zoomedTo(chart: Chart, zoom: AskedState['zoom']): Chart {
  const { layout } = chart.figure
  const axes = Object.entries(zoom).map(([name, range]) => [name, { ...layout[name as AxisName], range }])
  return { ...chart, figure: { ...chart.figure, layout: { ...layout, ...Object.fromEntries(axes) } } }
}
