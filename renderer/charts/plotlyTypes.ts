import type { AnyTrace, PlotlyFigure } from '../../engine/charts/figure/figure.ts'

/** The part of Plotly that the charts use. */
export interface Plotly {
  react(element: HTMLElement, data: AnyTrace[], layout: PlotlyFigure['layout'], config: object): Promise<unknown>
  purge(element: HTMLElement): void
  redraw(element: HTMLElement): Promise<unknown>
  Plots: { resize(element: HTMLElement): Promise<unknown> }
}

/** The element of a figure, once it is drawn. */
export interface PlotElement extends HTMLElement {
  data: AnyTrace[]
  layout: PlotlyFigure['layout']
  /** What `layout` came to, in pixels; `t` is the margin above the panels. */
  _fullLayout: { width: number; height: number; _size: { t: number } }
  on(event: 'plotly_click', listener: (click: { points: PlotPoint[]; event: MouseEvent }) => void): void
  on(event: 'plotly_relayout', listener: (change: Record<string, unknown>) => void): void
}

/** A point under the pointer. */
export interface PlotPoint {
  customdata?: unknown
  data: { meta?: unknown }
  x?: unknown
  y: unknown
  /** `d2p` gives pixels from the top of the panel, which lies `_offset` below that of the figure. */
  yaxis?: { d2p(value: unknown): number; _offset: number }
}
