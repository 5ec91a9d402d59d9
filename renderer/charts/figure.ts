/** The part of a Plotly figure that the charts of this page use. */
export interface Figure<T = Trace> {
  data: T[]
  layout: Record<string, unknown>
}

export interface Trace {
  type: 'scatter'
  mode: 'lines' | 'lines+markers'
  name: string
  x: (number | null)[]
  y: (number | null)[]
  legendgroup: string
  showlegend: boolean
  hoverinfo?: 'skip'
  hovertemplate?: string
  line: { color: string; width: number; dash?: Dash }
  marker?: { size: number }
  fill?: 'tonexty'
  fillcolor?: string
  opacity?: number
}

/** Lines or dots of any kind, bars, and matrices in colours. */
export type AnyTrace = Trace | DotsTrace | BarTrace | HeatmapTrace

type Place = number | string | null

interface Named {
  name: string
  x: Place[]
  y: (number | null)[]
  showlegend: boolean
}

export interface DotsTrace extends Named {
  type: 'scatter'
  mode: 'lines' | 'lines+markers' | 'markers'
  line?: { color: string; width: number }
  marker: Record<string, unknown>
}

export interface BarTrace extends Named {
  type: 'bar'
  marker: { color: string }
  opacity: number
  width?: number
}

export interface HeatmapTrace {
  type: 'heatmap'
  z: (number | null)[][]
  x?: Place[]
  y?: Place[]
  zmid?: number
  colorscale: string
  hovertemplate: string
  colorbar: Record<string, unknown>
}

export type Dash = 'solid' | 'dash' | 'dot' | 'dashdot'

/** Colours and type of a figure, as the page shows them now. */
export interface FigureStyle {
  /** One colour per variant, repeated when there are more variants. */
  series: string[]
  text: string
  muted: string
  grid: string
  surface: string
  font: string
}
