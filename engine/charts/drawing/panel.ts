import type { Annotation, Axis, RuleShape } from '../figure/axes.ts'
import type { AnyTrace, DotsTrace, PlotlyFigure } from '../figure/figure.ts'
import { edgesOf } from './cells.ts'
import { type OnAxis, type Scale, scaleOf } from './scale.ts'

/** What shares a pair of axes. */
export interface Panel {
  x: Axis
  y: Axis
  scaleX: Scale
  scaleY: Scale
  traces: AnyTrace[]
  /** What stands above it. */
  title: string | null
  notes: Annotation[]
  rules: RuleShape[]
  /** The width of a bar in units of its axis, where the trace does not say it. */
  bar: number
}

/** The panels of a figure, in the order of their axes. Axes that are zoomed together have one range. */
export function panelsOf({ data, layout }: PlotlyFigure<AnyTrace>): Panel[] {
  const names = Object.keys(layout)
    .filter((name) => /^xaxis\d*$/.test(name))
    .map((name) => name.slice('xaxis'.length))
    .sort((a, b) => Number(a || 1) - Number(b || 1))
  const shared = names.some((name) => layout[`xaxis${name}`]?.matches === 'x')
  return (names.length > 0 ? names : ['']).map((name): Panel => {
    const traces = data.filter((trace) => (trace.xaxis ?? 'x') === `x${name}`)
    const x = counted(layout[`xaxis${name}`] ?? {}, traces, 'x')
    const y = counted(layout[`yaxis${name}`] ?? {}, traces, 'y')
    const notes = (layout.annotations ?? []).filter(({ xref = 'x' }) => xref.split(' ')[0] === `x${name}`)
    const titles = notes.filter(({ xref }) => xref?.endsWith(' domain'))
    const bar = barWidth(traces, layout.bargap ?? 0.2)
    const other = names.length === 1 ? [] : traces
    return {
      x,
      y,
      scaleX: scaleOf(x, onAxis(shared ? data : traces, 'x', bar)),
      scaleY: scaleOf(y, onAxis(traces, 'y', bar)),
      traces,
      title: titles[0]?.text ?? null,
      notes: notes.filter((note) => !titles.includes(note)),
      rules: (layout.shapes ?? []).filter(
        ({ xref, yref }) => other.length === 0 || xref === `x${name}` || yref === `y${name}`,
      ),
      bar,
    }
  })
}

/** An axis along which cells are only counted is marked at whole numbers. */
function counted(axis: Axis, traces: AnyTrace[], name: 'x' | 'y'): Axis {
  const cells = traces.length > 0 && traces.every((trace) => trace.type === 'heatmap' && trace[name] === undefined)
  return cells && !axis.tickvals ? { ...axis, tickformat: 'd' } : axis
}

function onAxis(traces: AnyTrace[], axis: 'x' | 'y', bar: number): OnAxis {
  const cells = traces.filter((trace) => trace.type === 'heatmap')
  const others = traces.filter((trace) => trace.type !== 'heatmap')
  const number = (value: unknown) => (Number.isFinite(Number(value)) ? Number(value) : null)
  const named = cells.flatMap((trace) => trace[axis] ?? [])
  const edges = named.some((value) => typeof value === 'string')
    ? []
    : cells.flatMap((trace) => edgesOf(trace, { x: number, y: number })[axis])
  const bars = others.filter((trace) => trace.type === 'bar')
  const along = bars.filter(({ orientation }) => (orientation === 'h' ? 'y' : 'x') === axis)
  const dots = others.some((trace) => trace.type === 'scatter' && trace.mode.includes('markers'))
  const numbers = others.flatMap((trace): number[] => {
    const { error_x, error_y } = trace as DotsTrace
    const array = (axis === 'y' ? error_y : error_x)?.array ?? []
    return trace[axis].flatMap((value, i) => {
      const half = array[i] ?? null
      return half === null || typeof value !== 'number' ? [] : [value - half, value + half]
    })
  })
  return {
    values: [...others.flatMap((trace) => trace[axis]), ...(edges.length > 0 ? [] : named)],
    numbers: [...numbers, ...edges],
    zero: bars.length > along.length,
    share: cells.length > 0 && others.length === 0 ? 0 : axis === 'y' ? 0.06 : dots ? 0.04 : 0,
    units: along.length > 0 ? bar / 2 : 0,
  }
}

/** Of bars that do not say their width: the least distance of two, less the gap. */
function barWidth(traces: AnyTrace[], gap: number): number {
  const bars = traces.filter((trace) => trace.type === 'bar')
  const given = bars.find(({ width }) => width !== undefined)?.width
  if (given !== undefined) return given
  const places = [...new Set(bars.flatMap(({ x, y, orientation }) => (orientation === 'h' ? y : x)))]
  const numbers = places.filter((place) => typeof place === 'number').sort((a, b) => a - b)
  const least = numbers
    .slice(1)
    .reduce((most, at, i) => Math.min(most, at - (numbers[i] as number)), Number.POSITIVE_INFINITY)
  return (Number.isFinite(least) && numbers.length === places.length ? least : 1) * (1 - gap)
}

/** Panels that stand beside each other in the figure. */
export function columnsOf({ layout }: PlotlyFigure<AnyTrace>): number {
  const starts = Object.entries(layout).flatMap(([name, axis]) => {
    return name.startsWith('xaxis') ? [(axis as Axis).domain?.[0] ?? 0] : []
  })
  return Math.max(1, new Set(starts).size)
}
