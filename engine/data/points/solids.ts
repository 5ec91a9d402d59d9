import { z } from 'zod'
import { type Key, normal, uniform } from '../../random.ts'
import { difficulty, generated, generatedOptions } from '../generated.ts'
import type { Planted } from '../types.ts'
import { pointForm } from './form.ts'
import type { Point } from './mesh.ts'
import { SOLIDS, solidSurface } from './solids-surface.ts'
import { toUnitBall } from './unit-ball.ts'

const options = z.strictObject({
  /** 0 is nearly upright, whole and clean; 1 is turned, stretched, cut off, noisy and with stray points. */
  difficulty,
  /** Points of a cloud. */
  points: z.int().min(8).max(4096).default(128),
  ...generatedOptions({ train: 4096, test: 1024 }),
})

/** Clouds of points on the surfaces of ten solids, turned, stretched, with noise, strays and a part cut off. Generated. */
export const solids = generated({ name: 'solids', version: 1, form: pointForm }, options, ({ points, difficulty }) => ({
  classes: SOLIDS,
  shape: { points: [points, 3] },
  make: (random) => {
    const label = random.balanced('labels', SOLIDS.length)
    return { points: drawCloud(random.key('cloud'), SOLIDS[label] as string, points, difficulty), label }
  },
  planted: (random) => {
    const name = SOLIDS[random.balanced('labels', SOLIDS.length)] as string
    return plantedIn(random.key('cloud'), name, difficulty)
  },
}))

/** Lengths are those of a cloud in the unit ball. Easiest and hardest value. */
const RANGES = {
  tilt: [10, 180], // degrees by which z may be turned away, on top of any turn about z
  stretch: [0.05, 0.4], // natural logarithm of the largest stretch along an axis of the solid
  noise: [0.005, 0.06],
  missing: [0, 0.4], // largest share of the surface that is cut off by a plane
  outliers: [0, 0.08], // share of points anywhere in the ball
} as const

const valueAt = (range: keyof typeof RANGES, difficulty: number) =>
  RANGES[range][0] + difficulty * (RANGES[range][1] - RANGES[range][0])

/** How the solid `name` is placed and seen, and the draws of its points, which come after. Every number comes from `key`. */
function viewOf(key: Key, name: string, difficulty: number) {
  const at = (range: keyof typeof RANGES) => valueAt(range, difficulty)
  let counter = 0
  const draw = () => uniform(key, counter++)
  const gauss = () => normal(key, counter++)
  const between = (low: number, high: number) => low + (high - low) * draw()

  const surface = solidSurface(name, between)
  const stretch = [0, 1, 2].map(() => Math.exp(between(-1, 1) * at('stretch')))
  const [spin, towards, tilt] = [between(0, 2 * Math.PI), between(0, 2 * Math.PI), between(0, at('tilt'))] as const
  const turn = rotation(spin, towards, (tilt * Math.PI) / 180)
  const side = unit([gauss(), gauss(), gauss()])
  const missing = between(0, at('missing'))
  return { surface, stretch, tilt, turn, side, missing, draw, gauss }
}

/** How a solid was changed: its tilt in degrees, how unevenly it is stretched, and the share that is cut off. */
function plantedIn(key: Key, name: string, difficulty: number): Planted {
  const { stretch, tilt, missing } = viewOf(key, name, difficulty)
  return { tilt, stretch: Math.max(...stretch) / Math.min(...stretch), 'cut off': missing }
}

/**
 * Draws `points` points of the solid `name`, in no order: `[points, 3]`, flat, in the unit ball. Every number comes from
 * `key`; `difficulty` is 0..1.
 */
function drawCloud(key: Key, name: string, points: number, difficulty: number): Float32Array {
  const { surface, stretch, turn, side, missing, draw, gauss } = viewOf(key, name, difficulty)
  const seen = 1 - missing
  const whole = Array.from({ length: Math.ceil(points / seen) }, () => {
    const point = surface(draw)
    return turned(turn, [0, 1, 2].map((axis) => (point[axis] as number) * (stretch[axis] as number)) as Point)
  })
  const cloud = Float32Array.from(behindPlane(whole, side, points).flat())
  toUnitBall(cloud)
  const [noise, outliers] = [valueAt('noise', difficulty), valueAt('outliers', difficulty)]
  for (let i = 0; i < points; i++) {
    const stray = draw() < outliers ? inBall(unit([gauss(), gauss(), gauss()]), draw()) : null
    for (let axis = 0; axis < 3; axis++) {
      cloud[3 * i + axis] = (stray?.[axis] ?? (cloud[3 * i + axis] as number)) + noise * gauss()
    }
  }
  toUnitBall(cloud)
  return cloud
}

/** The `count` points that are least far in a direction, in their order. */
function behindPlane(points: Point[], side: Point, count: number): Point[] {
  const far = points.map((point) => dot(point, side))
  const order = points.map((_, i) => i).sort((a, b) => (far[a] as number) - (far[b] as number) || a - b)
  const kept = new Set(order.slice(0, count))
  return points.filter((_, i) => kept.has(i))
}

/** The rows of a turn by `spin` about z, then by `tilt` about the horizontal axis in direction `towards`. */
function rotation(spin: number, towards: number, tilt: number): [Point, Point, Point] {
  const [x, y] = [Math.cos(towards), Math.sin(towards)]
  const [c, s] = [Math.cos(tilt), Math.sin(tilt)]
  const tilted: [Point, Point, Point] = [
    [c + x * x * (1 - c), x * y * (1 - c), y * s],
    [x * y * (1 - c), c + y * y * (1 - c), -x * s],
    [-y * s, x * s, c],
  ]
  const [cz, sz] = [Math.cos(spin), Math.sin(spin)]
  return tilted.map(([a, b, z]): Point => [a * cz + b * sz, b * cz - a * sz, z]) as [Point, Point, Point]
}

function turned(rows: [Point, Point, Point], point: Point): Point {
  return [dot(rows[0], point), dot(rows[1], point), dot(rows[2], point)]
}

/** A point in direction `side`, uniform over the ball for a uniform `share`. */
function inBall(side: Point, share: number): Point {
  const radius = Math.cbrt(share)
  return [side[0] * radius, side[1] * radius, side[2] * radius]
}

function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

function unit(point: Point): Point {
  const length = Math.hypot(...point) || 1
  return [point[0] / length, point[1] / length, point[2] / length]
}
