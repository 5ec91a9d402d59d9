import type { Axis, Layout } from './axes.ts'
import type { FigureStyle } from './figure.ts'
import { plotlyAxis } from './layout.ts'

const HEIGHT = 150 // px of a panel
const ABOVE = 28 // px between panels, for their titles
const BELOW = 30 // px between panels, for their ticks
const TITLE = 20 // px from a panel to what is above its title
const TOP = 62 // px, for the legend and the titles of the first row
const BOTTOM = 40
const LEFT = 52
const RIGHT = 12
const BESIDE = 0.07 // of the width, between columns, for ticks

export interface PanelsOptions {
  titles: string[]
  xLabel: string
  /** Panels in a row; 3, or fewer where there are fewer panels, if left out. */
  columns?: number
}

/** Panels in rows, filled from the left. */
export interface PanelGrid {
  /** Axes, titles, legend and margins of a layout. */
  layout: Layout
  /** The names of the axes of each panel, for its traces. */
  axes: { xaxis: string; yaxis: string }[]
  /** Pixels of the whole. */
  height: number
}

type AxisOf = (panel: number) => Axis

/** A grid of panels that are zoomed together along x. `more` adds to the axes of a panel. */
export function panels(
  { titles, xLabel, columns = Math.min(3, titles.length) }: PanelsOptions,
  style: FigureStyle,
  more: { x?: AxisOf; y?: AxisOf } = {},
): PanelGrid {
  const across = Math.max(1, columns)
  const down = Math.max(1, Math.ceil(titles.length / across))
  const inner = down * HEIGHT + (down - 1) * (ABOVE + BELOW)
  const width = (1 - (across - 1) * BESIDE) / across
  const axes = titles.map((_, i) => ({ xaxis: i === 0 ? 'x' : `x${i + 1}`, yaxis: i === 0 ? 'y' : `y${i + 1}` }))
  const layout: Layout = {
    margin: { l: LEFT, r: RIGHT, t: TOP, b: BOTTOM },
    legend: { orientation: 'h', x: 0, y: 1 + TITLE / inner, yanchor: 'bottom' },
  }
  titles.forEach((_, i) => {
    const [row, column] = [Math.floor(i / across), i % across]
    const left = column * (width + BESIDE)
    const top = 1 - (row * (HEIGHT + ABOVE + BELOW)) / inner
    const last = i + across >= titles.length
    const suffix = i === 0 ? '' : String(i + 1)
    // margins are known here, and Plotly would draw everything twice to find them
    layout[`xaxis${suffix}`] = {
      ...plotlyAxis(last ? xLabel : '', style),
      automargin: false,
      anchor: axes[i]?.yaxis,
      domain: [left, left + width],
      ...(i === 0 ? {} : { matches: 'x' }),
      ...more.x?.(i),
    }
    layout[`yaxis${suffix}`] = {
      ...plotlyAxis('', style),
      automargin: false,
      anchor: axes[i]?.xaxis,
      domain: [Math.max(0, top - HEIGHT / inner), top],
      nticks: 5,
      ...more.y?.(i),
    }
  })
  layout.annotations = titles.map((text, i) => ({
    text,
    showarrow: false,
    font: { size: 12, color: style.text },
    xref: `${axes[i]?.xaxis} domain`,
    x: 0,
    xanchor: 'left',
    yref: `${axes[i]?.yaxis} domain`,
    y: 1,
    yanchor: 'bottom',
  }))
  return { layout, axes, height: inner + TOP + BOTTOM }
}
