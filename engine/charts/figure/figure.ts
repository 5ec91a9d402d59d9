/** The part of a Plotly figure that the charts of this page use. */
export interface PlotlyFigure<T = PlotlyTrace> {
  data: T[]
  layout: Record<string, unknown>
}

/** What a trace of any kind may have. */
interface Shared {
  /** Ids of the runs behind the points, one each; null for a point that belongs to several, or to none. */
  customdata?: (number | null)[]
  /** The run behind the whole trace. */
  meta?: { run: number }
  /** The axes of its panel, `x2` and `y2`. */
  xaxis?: string
  yaxis?: string
  legendgroup?: string
  hoverinfo?: 'skip'
  hovertemplate?: string
  /** Words per point: drawn beside it, and shown under the pointer. */
  text?: string[]
  hovertext?: string[]
  opacity?: number
}

export interface PlotlyTrace extends Shared {
  type: 'scatter'
  mode: 'lines' | 'lines+markers'
  name: string
  x: (number | null)[]
  y: (number | null)[]
  legendgroup: string
  showlegend: boolean
  line: { color: string; width: number; dash?: Dash }
  marker?: { size: number; symbol?: string }
  fill?: 'toself'
  fillcolor?: string
}

/** Lines or dots of any kind, bars, and matrices in colours. */
export type AnyTrace = PlotlyTrace | DotsTrace | BarTrace | HeatmapTrace

type Place = number | string | null

interface Named extends Shared {
  name: string
  x: Place[]
  y: Place[]
  showlegend: boolean
  error_x?: ErrorBars
  error_y?: ErrorBars
}

/** Whiskers to both sides of each point; null for none. */
export interface ErrorBars {
  type: 'data'
  array: (number | null)[]
  color: string
  thickness: number
  width: number
}

export interface DotsTrace extends Named {
  type: 'scatter'
  mode: 'lines' | 'lines+markers' | 'markers' | 'markers+text' | 'lines+markers+text'
  line?: { color: string; width: number; dash?: Dash }
  marker: Record<string, unknown>
  textposition?: string
  textfont?: Record<string, unknown>
  cliponaxis?: boolean
}

export interface BarTrace extends Named {
  type: 'bar'
  marker: { color: string | string[] }
  orientation?: 'h' | 'v'
  textposition?: 'none'
  width?: number
}

export interface HeatmapTrace extends Omit<Shared, 'text' | 'hovertext'> {
  type: 'heatmap'
  z: (number | null)[][]
  x?: Place[]
  y?: Place[]
  /** The middle of the first column and row, where these are one apart. */
  x0?: number
  y0?: number
  zmid?: number
  zmin?: number
  zmax?: number
  colorscale: string | [at: number, colour: string][]
  showscale?: boolean
  /** Words per cell, for `%{text}` in the templates. */
  text?: string[][]
  hovertext?: string[][]
  texttemplate?: string
  textfont?: Record<string, unknown>
  hoverongaps?: boolean
  /** Pixels between columns, and rows. */
  xgap?: number
  ygap?: number
  hovertemplate: string
  colorbar?: Record<string, unknown>
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
