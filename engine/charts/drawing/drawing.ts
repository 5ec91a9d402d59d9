/** How a line is drawn: `rgb(...)` or `rgba(...)`, its width, and lengths of dashes and gaps. */
export interface Stroke {
  color: string
  width: number
  dash?: number[]
}

export type Point = readonly [x: number, y: number]

/** One part of a drawing, in its unit from the upper left corner. `said` is what the pointer says over it. */
export type Shape =
  | { kind: 'line'; points: Point[]; stroke: Stroke; opacity?: number }
  | { kind: 'area'; points: Point[]; fill?: string; stroke?: Stroke; opacity?: number; said?: string }
  | {
      kind: 'dot'
      x: number
      y: number
      radius: number
      fill: string
      stroke?: Stroke
      opacity?: number
      said?: string
    }
  | TextShape
  | ImageShape
  | { kind: 'clip'; box: Box; shapes: Shape[] }
  /** The marks of one series, or its entry in the legend. */
  | { kind: 'series'; name: string; shapes: Shape[] }

export interface TextShape {
  kind: 'text'
  /** Of its anchor, on the line that the letters stand on. */
  x: number
  y: number
  text: string
  size: number
  color: string
  anchor: 'start' | 'middle' | 'end'
  bold?: boolean
  /** Degrees against the clock. */
  turned?: number
}

/** Cells in colours, row by row with four bytes each, sharp at any size. */
export interface ImageShape {
  kind: 'image'
  box: Box
  columns: number
  rows: number
  rgba: Uint8Array
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A figure laid out: shapes by place, later ones above. Plain data, from which SVG and PDF are written. */
export interface Drawing {
  width: number
  height: number
  shapes: Shape[]
  /** What a pointer reads along the x axis, where there is one panel. */
  readings?: Readings
}

/** Series by name, with their points from left to right: where, and what the axes say there. */
export interface Readings {
  box: Box
  series: { name: string; points: [at: number, x: string, y: string][] }[]
}

/** The corners of a box. */
export function cornersOf({ x, y, width, height }: Box): Point[] {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ]
}

/** A drawing elsewhere. */
export function moved(shapes: Shape[], dx: number, dy: number): Shape[] {
  const at = ([x, y]: Point): Point => [x + dx, y + dy]
  const box = (each: Box): Box => ({ ...each, x: each.x + dx, y: each.y + dy })
  return shapes.map((shape): Shape => {
    if (shape.kind === 'line' || shape.kind === 'area') return { ...shape, points: shape.points.map(at) }
    if (shape.kind === 'dot' || shape.kind === 'text') return { ...shape, x: shape.x + dx, y: shape.y + dy }
    if (shape.kind === 'image') return { ...shape, box: box(shape.box) }
    if (shape.kind === 'clip') return { ...shape, box: box(shape.box), shapes: moved(shape.shapes, dx, dy) }
    return { ...shape, shapes: moved(shape.shapes, dx, dy) }
  })
}
