/** The part of a Plotly figure that the charts of this page use. */
export interface Figure {
  data: Trace[]
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
