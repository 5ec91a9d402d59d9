/** A text as an axis, a legend or a drawing has it. */
export interface Font {
  color?: string
  size?: number
  family?: string
}

/** A place on an axis: a number, the name of a category, or none. */
export type Place = number | string | null

/** One axis of a panel. Ranges and bounds of logarithmic axes are exponents of ten; ticks and traces are values. */
export interface Axis {
  title?: { text: string; standoff?: number; font?: Font }
  type?: 'linear' | 'log' | 'category'
  range?: number[]
  /** What is on it beside the values: 0, or nothing below 0. */
  rangemode?: 'tozero' | 'nonnegative' | 'normal'
  autorange?: 'reversed'
  /** Neither the range nor a zoom goes beyond. */
  minallowed?: number | undefined
  maxallowed?: number | undefined
  tickvals?: Place[]
  ticktext?: string[]
  tickmode?: 'array'
  /** The distance of ticks; on a logarithmic axis exponents, `D2` for 1, 2 and 5, or `L0.1` for even steps. */
  dtick?: number | string
  nticks?: number
  /** A format as d3 has it. */
  tickformat?: string | undefined
  tickfont?: Font
  ticks?: ''
  showticklabels?: boolean
  showgrid?: boolean
  showline?: boolean
  gridcolor?: string
  linecolor?: string
  zeroline?: boolean
  visible?: boolean
  side?: 'top' | 'left' | 'right' | 'bottom'
  automargin?: boolean
  fixedrange?: boolean
  /** Where its panel is, in parts of the drawing. */
  domain?: [number, number]
  anchor?: string | undefined
  /** The axis that is zoomed with it. */
  matches?: string
  /** The axis whose units are as long as its own: cells are squares. */
  scaleanchor?: string
  constrain?: 'domain'
  constraintoward?: 'left' | 'top'
}

/** A text at a place of a panel, in the units of its axes (exponents where these are logarithmic) or in parts of it. */
export interface Annotation {
  text: string
  x: Place
  y: Place
  xref?: string
  yref?: string
  xanchor?: 'left' | 'center' | 'right'
  yanchor?: 'top' | 'middle' | 'bottom'
  /** Pixels from its place. */
  xshift?: number
  yshift?: number
  align?: 'left'
  showarrow: false
  font: Font
  bgcolor?: string
  opacity?: number
  borderpad?: number
}

/** A line across a panel. */
export interface RuleShape {
  type: 'line'
  layer?: 'below'
  xref: string
  yref: string
  x0: number | null
  x1: number | null
  y0: number | null
  y1: number | null
  line: { color: string; width: number; dash?: 'solid' | 'dash' | 'dot' | 'dashdot' }
}

/** What a figure says beside its traces. */
export interface Layout {
  margin?: { l: number; r: number; t: number; b: number }
  font?: Font
  legend?: { orientation: 'h'; x: number; y: number; yanchor: 'bottom'; title?: { text: string; font?: Font } }
  showlegend?: boolean
  annotations?: Annotation[]
  shapes?: RuleShape[]
  barmode?: 'group' | 'overlay'
  bargap?: number
  hovermode?: 'closest' | 'x' | 'x unified'
  hoverlabel?: { bgcolor: string; bordercolor: string; font: Font }
  /** What is zoomed stays so while this does. */
  uirevision?: string
  autosize?: boolean
  paper_bgcolor?: string
  plot_bgcolor?: string
  [axis: `xaxis${string}` | `yaxis${string}`]: Axis
}
