import type { Layout } from '../../engine/charts/figure/axes.ts'
import type { PlotPoint } from './plotlyTypes.ts'

/** A part of an axis, in its own units. */
export type Range = [number, number]

/**
 * The run of the point that was clicked: of several at the same place on the x axis, the one nearest to the pointer,
 * `top` pixels below the top of the figure. Null where the point belongs to no single run.
 */
export function runOf(points: PlotPoint[], top: number): number | null {
  const distance = ({ yaxis, y }: PlotPoint) => Math.abs(yaxis ? yaxis.d2p(y) + yaxis._offset - top : 0)
  const nearest = points.toSorted((a, b) => (distance(a) || 0) - (distance(b) || 0))[0]
  if (typeof nearest?.customdata === 'number') return nearest.customdata
  const meta = nearest?.data.meta
  return typeof meta === 'object' && meta && 'run' in meta && typeof meta.run === 'number' ? meta.run : null
}

/**
 * The part of the x axis that a change of the layout shows, whichever panel it was made in; null for all of it, undefined
 * where the change is another one.
 */
export function zoomOf(change: Record<string, unknown>, layout: Layout): Range | null | undefined {
  for (const [key, value] of Object.entries(change)) {
    const [, name, what] = /^(xaxis\d*)\.(range\[0\]|range|autorange)$/.exec(key) ?? []
    if (!name) continue
    if (what === 'autorange') return null
    const [from, to] = what === 'range' ? (value as unknown[]) : [value, change[`${name}.range[1]`]]
    const scale = layout[name as `xaxis${string}`]?.type === 'log' ? (at: unknown) => 10 ** Number(at) : Number
    return [scale(from), scale(to)]
  }
  return undefined
}
