import type { Place } from '../figure/axes.ts'
import type {
  AnyTrace,
  BarTrace,
  ColorScale,
  Dash,
  DotsTrace,
  Marker,
  MarkerSymbol,
  PlotlyTrace,
} from '../figure/figure.ts'
import { channelsOf } from '../figure/palette.ts'
import { cornersOf, type Point, type Shape, type Stroke } from './drawing.ts'
import { plainLines } from './letters.ts'

/** Where values of a panel stand, and how large a pixel of the figure is there. */
export interface Placed {
  x(value: Place): number | null
  y(value: Place): number | null
  /** The unit of the x axis, and of the y axis, where they are even. */
  unitX: number
  unitY: number
  pixel: number
}

/** Dashes by name, in widths of the line. */
const DASHES: Record<Dash, number[] | null> = { solid: null, dash: [4, 2.5], dot: [1.2, 1.8], dashdot: [4, 2, 1.2, 2] }

/** A line of a figure, in the unit of the drawing. */
export function strokeOf(line: { color: string; width: number; dash?: Dash }, pixel: number): Stroke {
  const width = line.width * pixel
  const dash = DASHES[line.dash ?? 'solid']
  return {
    color: line.color,
    width,
    ...(dash ? { dash: dash.map((each) => each * Math.max(width, 0.6 * pixel)) } : {}),
  }
}

/** The marks of a trace of lines, bands or dots. */
export function scatterShapes(trace: PlotlyTrace | DotsTrace, at: Placed): Shape[] {
  const points = trace.x.map((x, i) => {
    const [left, top] = [at.x(x), at.y(trace.y[i] ?? null)]
    return left === null || top === null ? null : ([left, top] as const)
  })
  const faint = trace.opacity === undefined ? {} : { opacity: trace.opacity }
  if ('fill' in trace && trace.fill === 'toself') {
    const fill = trace.fillcolor ?? trace.line.color
    return outlinesOf(trace, points).map((outline): Shape => ({ kind: 'area', points: outline, fill, ...faint }))
  }
  const { line, marker = {} } = trace
  const lined = trace.mode.includes('lines') && line
  const lines = lined
    ? runsOf(points).map((run): Shape => ({ kind: 'line', points: run, stroke: strokeOf(line, at.pixel), ...faint }))
    : []
  if (!trace.mode.includes('markers')) return lines
  const color = marker.color ?? line?.color ?? 'rgb(0, 0, 0)'
  const colours = typeof color === 'string' ? null : scaledColours(color, marker)
  const dots = points.flatMap((point, i): Shape[] => {
    const fill = colours ? colours[i] : color
    if (!point || typeof fill !== 'string') return []
    const said = saidOf(trace, i)
    return [markerShape(point, marker, fill, at.pixel, { ...faint, ...(said ? { said } : {}) })]
  })
  return [...lines, ...whiskerShapes(trace, at), ...dots]
}

/** The stretches of a line between its gaps. */
function runsOf(points: (Point | null)[]): Point[][] {
  const runs: Point[][] = [[]]
  for (const point of points) {
    if (point) runs.at(-1)?.push(point)
    else runs.push([])
  }
  return runs.filter((run) => run.length > 1)
}

/** The outlines between the gaps of `x`, without points that have no place, as 0 on a logarithmic axis. */
function outlinesOf({ x }: PlotlyTrace, points: (Point | null)[]): Point[][] {
  const outlines: Point[][] = [[]]
  for (const [i, point] of points.entries()) {
    if (point) outlines.at(-1)?.push(point)
    else if (x[i] === null) outlines.push([])
  }
  return outlines.filter((outline) => outline.length > 2)
}

function saidOf({ name, hovertext, text, x, y }: PlotlyTrace | DotsTrace, i: number): string {
  const said = hovertext?.[i] ?? text?.[i] ?? name
  return `${plainLines(said ?? '').join(' ')}: ${valueText(y[i] ?? null)} at ${valueText(x[i] ?? null)}`
}

function valueText(value: Place): string {
  return typeof value === 'number' ? String(Number(value.toPrecision(5))) : String(value ?? '–')
}

/** A marker at a place: symbols have about the same area. */
export function markerShape(
  [x, y]: Point,
  { symbol = 'circle', size = 6, line, opacity }: Marker,
  fill: string,
  pixel: number,
  more: { opacity?: number; said?: string } = {},
): Shape {
  const radius = (size / 2) * pixel
  const look = {
    fill,
    ...(line ? { stroke: { color: line.color, width: line.width * pixel } } : {}),
    ...(opacity === undefined ? {} : { opacity }),
    ...more,
  }
  if (symbol === 'circle') return { kind: 'dot', x, y, radius, ...look }
  return {
    kind: 'area',
    points: OUTLINES[symbol].map(([dx, dy]): Point => [x + dx * radius, y + dy * radius]),
    ...look,
  }
}

const OUTLINES: Record<Exclude<MarkerSymbol, 'circle'>, Point[]> = {
  square: [
    [-0.9, -0.9],
    [0.9, -0.9],
    [0.9, 0.9],
    [-0.9, 0.9],
  ],
  diamond: [
    [0, -1.25],
    [1.25, 0],
    [0, 1.25],
    [-1.25, 0],
  ],
  'triangle-up': [
    [0, -1.2],
    [1.15, 0.85],
    [-1.15, 0.85],
  ],
}

function whiskerShapes(trace: PlotlyTrace | DotsTrace, at: Placed): Shape[] {
  const { error_x, error_y } = trace as DotsTrace
  const bars = error_y ?? error_x
  if (!bars) return []
  const cap = (bars.width / 2 + 0.5) * at.pixel
  const stroke = { color: bars.color, width: bars.thickness * at.pixel }
  return trace.x.flatMap((x, i): Shape[] => {
    const half = bars.array[i] ?? null
    const [across, up] = [x, trace.y[i] ?? null]
    if (half === null || typeof across !== 'number' || typeof up !== 'number') return []
    const ends = [-half, half].map((by) => (error_y ? [at.x(across), at.y(up + by)] : [at.x(across + by), at.y(up)]))
    const [from, to] = ends as [[number | null, number | null], [number | null, number | null]]
    if (from[0] === null || from[1] === null || to[0] === null || to[1] === null) return []
    const line = (points: Point[]): Shape => ({ kind: 'line', points, stroke })
    const capped = [from, to].map(([left, top]) =>
      error_y
        ? line([
            [(left as number) - cap, top as number],
            [(left as number) + cap, top as number],
          ])
        : line([
            [left as number, (top as number) - cap],
            [left as number, (top as number) + cap],
          ]),
    )
    return [line([from as unknown as Point, to as unknown as Point]), ...capped]
  })
}

/** Bars from 0: of several traces side by side, or over each other. */
export function barShapes(trace: BarTrace, at: Placed, [index, count]: [number, number], width: number): Shape[] {
  const lying = trace.orientation === 'h'
  const own = trace.width ?? width / count
  const beside = trace.width === undefined && count > 1 ? (index - (count - 1) / 2) * own : 0
  const unit = lying ? at.unitY : at.unitX
  return trace.x.flatMap((x, i): Shape[] => {
    const y = trace.y[i] ?? null
    const [middle, end, zero] = lying ? [at.y(y), at.x(x), at.x(0)] : [at.x(x), at.y(y), at.y(0)]
    if (middle === null || end === null || zero === null) return []
    const low = middle + beside * unit - (own * Math.abs(unit)) / 2
    const [a, b] = [Math.min(end, zero), Math.abs(end - zero)]
    const thick = own * Math.abs(unit)
    const box = lying ? { x: a, y: low, width: b, height: thick } : { x: low, y: a, width: thick, height: b }
    const color = trace.marker.color
    const said = `${plainLines(trace.text?.[i] ?? trace.name).join(' ')}: ${valueText(lying ? x : y)} at ${valueText(lying ? y : x)}`
    return [
      {
        kind: 'area',
        points: cornersOf(box),
        fill: typeof color === 'string' ? color : (color[i] ?? 'rgb(0, 0, 0)'),
        ...(trace.opacity === undefined ? {} : { opacity: trace.opacity }),
        said,
      },
    ]
  })
}

/** The colours of values on the scale of a marker. */
export function scaledColours(values: (number | null)[], { cmin, cmax, colorscale = [] }: Marker): (string | null)[] {
  const known = values.filter((value) => value !== null)
  const low = cmin ?? known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const high = cmax ?? known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  return values.map((value) =>
    value === null ? null : `rgb(${colourAt(colorscale, share(value, low, high)).join(', ')})`,
  )
}

export function share(value: number, low: number, high: number): number {
  return high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5
}

/** Red, green and blue of a place on a scale, 0 to 1. */
export function colourAt(scale: ColorScale, place: number): number[] {
  const next = scale.findIndex(([at]) => at >= place)
  const [below, above] = [scale[Math.max(0, next - 1)], scale[next < 0 ? scale.length - 1 : next]]
  if (!below || !above) return [0, 0, 0]
  const within = above[0] > below[0] ? Math.min(1, (place - below[0]) / (above[0] - below[0])) : 0
  const [from, to] = [channelsOf(below[1]), channelsOf(above[1])]
  return from.map((channel, k) => Math.round(channel * (1 - within) + (to[k] ?? 0) * within))
}

/** Whether a trace has a colour scale that stands beside its panel. */
export function isScaled(trace: AnyTrace): boolean {
  if (trace.type === 'heatmap') return trace.showscale !== false
  return trace.type === 'scatter' && trace.marker?.showscale === true
}
