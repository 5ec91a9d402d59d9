import type { AnyTrace, PlotlyFigure } from '../../engine/charts/figure/figure.ts'

/**
 * What Plotly makes a link, or a style, of, wherever it finds it: titles, names, ticks, texts under the pointer. A style can
 * name an address, which a saved picture would ask when it is opened.
 */
const LINK = /<(?=\/?a|[^<>]*style)/gi

/**
 * A figure with no string that Plotly makes a link or a style of, since strings come from notebooks. The same object
 * where it has none.
 */
export function withoutLinks(figure: PlotlyFigure<AnyTrace>): PlotlyFigure<AnyTrace> {
  return plain(figure) as PlotlyFigure<AnyTrace>
}

function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(LINK, '&lt;')
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value)) {
    const changed = value.map(plain)
    return changed.some((each, index) => each !== value[index]) ? changed : value
  }
  const entries = Object.entries(value).map(([key, each]) => [key, plain(each), each] as const)
  if (entries.every(([, changed, before]) => changed === before)) return value
  return Object.fromEntries(entries.map(([key, changed]) => [key, changed]))
}
