import { create } from 'zustand'
import type { Axis, Layout } from '../../../engine/charts/figure/axes.ts'
import type { Chart } from '../../../engine/charts/figure/chart.ts'
import { openDialog } from '../../ui/dialog.ts'
import type { PageChart } from '../pageChart.ts'

type AxisName = `xaxis${string}` | `yaxis${string}`

interface AskedState {
  chart: PageChart | null
  /** The parts of the axes that are shown, where the user has zoomed. */
  zoom: Record<AxisName, number[]>
}

/** The chart that is to be saved. */
export const useAsked = create<AskedState>(() => ({ chart: null, zoom: {} }))

/** Opens the window in which a chart is saved, as its figure is zoomed. */
export function askToSave(chart: PageChart, shown: Layout | null): void {
  const axes = Object.entries(shown ?? {}).filter(([name]) => /^[xy]axis\d*$/.test(name)) as [AxisName, Axis][]
  // Plotly notes in each axis whether it chose the range by itself
  const zoomed = axes.filter(([, axis]) => axis.range && 'autorange' in axis && (axis.autorange as unknown) === false)
  useAsked.setState({ chart, zoom: Object.fromEntries(zoomed.map(([name, { range = [] }]) => [name, range])) })
  openDialog('figure')
}

/** A chart with the parts of its axes that are shown. */
export function zoomedTo(chart: Chart, zoom: AskedState['zoom']): Chart {
  const { layout } = chart.figure
  const axes = Object.entries(zoom).map(([name, range]) => [name, { ...layout[name as AxisName], range }])
  return { ...chart, figure: { ...chart.figure, layout: { ...layout, ...Object.fromEntries(axes) } } }
}
