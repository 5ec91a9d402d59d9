import { movedStroke, paintStroke } from '../data/images/glyphs-paint.ts'
import { centreCrop, type Image } from '../data/images/resize.ts'

/** Lines of a pen, each `x0, y0, x1, y1, ...` in any unit, y downwards. */
export type Strokes = readonly (readonly number[])[]

/** How the things in the middle of some pictures are drawn. */
export interface DrawingStyle {
  /** Values from 0 to 1 of what is drawn on, and of what is drawn. */
  ground: number
  ink: number
  /** Of the longer side, and of a line; in pixels. */
  length: number
  thickness: number
  /** What is in the middle of a picture: the box around the thing, or its centre of mass, as in MNIST. */
  centred: 'box' | 'mass'
}

type Shape = readonly [height: number, width: number, channels: number]

/**
 * How pictures are drawn, by medians over some of them: `pixels` are `[count, height, width, channels]` from 0 to 1, flat.
 * Of each picture the ink nearest its middle is looked at, with all that hangs together with it.
 */
export function drawingStyleOf(pixels: Float32Array, [height, width, channels]: Shape): DrawingStyle {
  const size = height * width
  const grey = Float32Array.from({ length: pixels.length / channels }, (_, i) => {
    return pixels.subarray(i * channels, (i + 1) * channels).reduce((sum, value) => sum + value / channels, 0)
  })
  const ground = median(grey)
  const pictures = Array.from({ length: grey.length / size }, (_, i) => grey.subarray(i * size, (i + 1) * size))
  const [darkest, lightest] = [0.02, 0.98].map((share) => median(pictures.map((each) => quantile(each, share))))
  const ink = Math.abs((darkest ?? 0) - ground) > Math.abs((lightest ?? 0) - ground) ? (darkest ?? 0) : (lightest ?? 0)
  const things = pictures.flatMap((each) => {
    const isInk = Array.from(each, (value) => Math.abs(value - ground) > Math.abs(value - ink))
    return centralShape(isInk, height, width) ?? []
  })
  const apart = (of: 'box' | 'mass') => median(things.map((thing) => thing.apart[of]))
  return {
    ground,
    ink,
    length: median(things.map((thing) => thing.length)) || (20 / 28) * Math.min(height, width),
    thickness: median(things.map((thing) => thing.thickness)) || 2,
    centred: apart('mass') < apart('box') ? 'mass' : 'box',
  }
}

/** A drawing as a picture of some shape, drawn as others are. */
export function renderDrawing(hand: DrawingStyle, strokes: Strokes, [height, width, channels]: Shape): Image {
  const side = Math.max(height, width)
  const lines = strokes.map((stroke) => (stroke.length === 2 ? [...stroke, ...stroke] : stroke)) // a dot is a line, too
  const { low, high } = boxOf(lines)
  const extent = Math.max(high[0] - low[0], high[1] - low[1], 1e-9)
  const scale = Math.max(1, hand.length - hand.thickness) / extent
  const middle = hand.centred === 'mass' ? centerOfMass(lines) : [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2]
  const placed = (value: number, axis: 0 | 1) => (value - (middle[axis] as number)) * scale + (side - 1) / 2
  const move = (x: number, y: number) => [placed(x, 0), placed(y, 1)] as const
  const cover = new Float32Array(side * side)
  for (const line of lines) paintStroke(movedStroke(line, move), hand.thickness, cover, side)
  const value = (at: number) => Math.round(255 * (hand.ground + (hand.ink - hand.ground) * (cover[at] ?? 0)))
  const pixels = Uint8Array.from({ length: side * side * channels }, (_, i) => value(Math.floor(i / channels)))
  return centreCrop({ width: side, height: side, channels: channels === 1 ? 1 : 3, pixels }, height, width)
}

interface CentralShape {
  length: number
  thickness: number
  /** How far from the middle of the picture its own is, in pixels. */
  apart: { box: number; mass: number }
}

/** The connected shape of ink nearest to the middle of a picture; null where there is no ink. */
function centralShape(isInk: readonly boolean[], height: number, width: number): CentralShape | null {
  const [middleY, middleX] = [(height - 1) / 2, (width - 1) / 2]
  const distance = (at: number) => Math.hypot(Math.floor(at / width) - middleY, (at % width) - middleX)
  const inked = isInk.flatMap((is, at) => (is ? [at] : []))
  const first = inked.reduce((best, at) => (best < 0 || distance(at) < distance(best) ? at : best), -1)
  if (first < 0) return null
  const near = (at: number, reach: readonly (readonly [number, number])[]) => {
    const [y, x] = [Math.floor(at / width), at % width]
    return reach.flatMap(([down, right]) => {
      const inside = y + down >= 0 && y + down < height && x + right >= 0 && x + right < width
      return inside ? [at + down * width + right] : []
    })
  }
  const found = new Set([first])
  for (const at of found) for (const next of near(at, NEIGHBOURS)) if (isInk[next]) found.add(next)
  const points = [...found].map((at) => [at % width, Math.floor(at / width)])
  const { low, high } = boxOf(points)
  const onEdge = [...found].filter((at) => near(at, NEIGHBOURS.slice(0, 4)).some((next) => !isInk[next])).length
  const mass = centerOfMass(points)
  return {
    length: 1 + Math.max(high[0] - low[0], high[1] - low[1]),
    thickness: (2 * found.size) / Math.max(1, onEdge), // a line has two edges
    apart: {
      box: Math.hypot((low[0] + high[0]) / 2 - middleX, (low[1] + high[1]) / 2 - middleY),
      mass: Math.hypot(mass[0] - middleX, mass[1] - middleY),
    },
  }
}

/** Offsets, in rows and columns, of the neighbours of a pixel; neighbours that share a side come first. */
const NEIGHBOURS = [
  ...[[-1, 0] as const, [1, 0] as const, [0, -1] as const, [0, 1] as const],
  ...[[-1, -1] as const, [-1, 1] as const, [1, -1] as const, [1, 1] as const],
]

type Point = [x: number, y: number]

function boxOf(lines: Strokes): { low: Point; high: Point } {
  const low: Point = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const high: Point = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const line of lines) {
    for (const [i, value] of line.entries()) {
      const axis = (i % 2) as 0 | 1
      low[axis] = Math.min(low[axis], value)
      high[axis] = Math.max(high[axis], value)
    }
  }
  return { low, high }
}

/** The centre of mass of lines, or of points alone where no line has a length. */
function centerOfMass(lines: Strokes): Point {
  let [x, y, total] = [0, 0, 0]
  const add = (atX: number, atY: number, mass: number) => {
    x += atX * mass
    y += atY * mass
    total += mass
  }
  for (const line of lines) {
    for (let i = 0; i < line.length; i += 2) {
      const [x0 = 0, y0 = 0, x1 = x0, y1 = y0] = line.slice(i, i + 4)
      add((x0 + x1) / 2, (y0 + y1) / 2, Math.hypot(x1 - x0, y1 - y0) + 1e-9)
    }
  }
  return [x / total, y / total]
}

const median = (values: ArrayLike<number>) => quantile(values, 0.5)

/** The value below which a share of them is; 0 of none. */
function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = Float32Array.from(values).sort()
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0
}
