import type { Font, Layout, Place } from './axes.ts'

/**
 * A drawing by its marks: lines, bands, dots with whiskers, bars and matrices in colours, over one pair of axes or in panels.
 * Closed, so that all that draws knows every part of it; its words are those of Plotly, which draws it in the page as it
 * is. `drawing/` lays it out for SVG and PDF, `pgfplots.ts` writes it for LaTeX.
 */
export interface PlotlyFigure<T = PlotlyTrace> {
  data: T[]
  layout: Layout
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
  marker?: Marker
  fill?: 'toself'
  fillcolor?: string
}

/** Lines or dots of any kind, bars, and matrices in colours. */
export type AnyTrace = PlotlyTrace | DotsTrace | BarTrace | HeatmapTrace

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
  marker: Marker
  textposition?: 'top left'
  textfont?: Font
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
  colorscale: ColorScale
  showscale?: boolean
  /** Words per cell, for `%{text}` in the templates. */
  text?: string[][]
  hovertext?: string[][]
  texttemplate?: string
  textfont?: Font
  hoverongaps?: boolean
  /** Pixels between columns, and rows. */
  xgap?: number
  ygap?: number
  hovertemplate: string
  colorbar?: Colorbar
}

/** The colours of a scale, from its lowest value, 0, to its highest, 1. */
export type ColorScale = [at: number, colour: string][]

/** What a colour scale says beside a panel. */
export interface Colorbar {
  thickness: number
  outlinewidth: 0
  tickfont: Font
  tickformat?: string
}

export interface Marker {
  /** One colour for all, or a value each on a scale. */
  color?: string | (number | null)[]
  size?: number
  symbol?: MarkerSymbol
  opacity?: number
  line?: { color: string; width: number }
  cmin?: number
  cmax?: number
  colorscale?: ColorScale
  showscale?: boolean
  colorbar?: Colorbar
}

export type MarkerSymbol = 'circle' | 'square' | 'diamond' | 'triangle-up'

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
  /** Each series has its own dashes and symbols, as in print; otherwise only from where colours begin again. */
  distinct?: boolean
  /** Pixels across a drawing; that of a wide page if left out. */
  room?: number
  /** Pixels that a drawing may be high; any if left out. */
  page?: number
}
