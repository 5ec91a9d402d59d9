import type { MetricMeaning } from '../../records/meaning.ts'
import { metricTitle } from '../../records/splits.ts'
import type { Axis, Layout } from './axes.ts'
import type { FigureStyle } from './figure.ts'

/** An axis in the colours of the page; `label` may be empty. */
export function plotlyAxis(label: string | null, style: FigureStyle): Axis {
  return {
    gridcolor: style.grid,
    linecolor: style.grid,
    zeroline: false,
    tickfont: { color: style.muted, size: 11 },
    automargin: true,
    title: { text: label ?? '', standoff: 8, font: { color: style.muted, size: 12 } },
  }
}

/** The axis of a metric, within its bounds. */
export function metricAxis(label: string, meaning: MetricMeaning, style: FigureStyle, log = false): Axis {
  return { ...plotlyAxis(withUnit(label, meaning), style), ...boundsOf(meaning, log) }
}

/** A metric with its unit; that of shares stands at the ticks. */
export function withUnit(metric: string, { unit, exploratory }: MetricMeaning): string {
  const title = metricTitle(metric, metric, exploratory)
  return unit && unit !== 'share' ? `${title}, ${unit}` : title
}

/** Neither the range of an axis nor a zoom goes beyond what its metric can be. */
export function boundsOf({ bounds }: MetricMeaning, log = false): Pick<Axis, 'minallowed' | 'maxallowed'> {
  const [low = null, high = null] = bounds ?? []
  const end = (name: string, at: number | null) =>
    at === null || (log && at <= 0) ? {} : { [name]: log ? Math.log10(at) : at }
  return { ...end('minallowed', low), ...end('maxallowed', high) }
}

/** A legend in rows above the panel. */
export const LEGEND_PLACE = { orientation: 'h', x: 0, y: 1, yanchor: 'bottom' } as const

/** What all figures have in common. */
export function frame(style: FigureStyle): Layout {
  return {
    autosize: true,
    paper_bgcolor: 'transparent',
    plot_bgcolor: 'transparent',
    font: { family: style.font, color: style.text, size: 12 },
    legend: LEGEND_PLACE,
    hoverlabel: { bgcolor: style.surface, bordercolor: style.grid, font: { color: style.text } },
  }
}
