import { integer, type Key, normal, uniform } from '../../random.ts'
import type { Planted } from '../types.ts'
import { type Move, movedStroke, paintStroke, strokeLength } from './glyphs-paint.ts'
import { GLYPHS } from './glyphs-strokes.ts'

/** Lengths are pixels of a 28-pixel image, intensities in 0..1, the rest deviations. Easiest and hardest value. */
const RANGES = {
  turn: [4, 16], // degrees
  shear: [0.06, 0.25],
  stretch: [0.06, 0.18], // of the logarithm of width and height
  bend: [0.1, 0.45], // of the points, in units of the strokes
  shift: [1, 2.2],
  clutter: [0, 24], // most ink beyond that of the longest glyph
  contrast: [0.8, 0.4],
  noise: [0.02, 0.16],
} as const

const CENTRE = 13.5
const UNIT = 2.5 // pixels of a unit of the strokes
const INK = 66 // pixels of stroke in every image, as in the longest glyph
const NOISE = 1000 // first counter of the noise, beyond those of the scene

const valueAt = (name: keyof typeof RANGES, difficulty: number) =>
  RANGES[name][0] + difficulty * (RANGES[name][1] - RANGES[name][0])

/** A glyph and the scraps around it, in pixels of a 28-pixel image, and how they were moved. Every number comes from `key`. */
function sceneOf(key: Key, label: number, difficulty: number) {
  const at = (name: keyof typeof RANGES) => valueAt(name, difficulty)
  let counter = 0
  const between = (low: number, high: number) => low + (high - low) * uniform(key, counter++)
  // Bounded: no draw may carry a glyph out of the image.
  const around = (name: keyof typeof RANGES) => at(name) * Math.min(2, Math.max(-2, normal(key, counter++)))

  const bends = { across: around('bend'), down: around('bend') }
  const bend = bending(bends.across, bends.down, between(0, 2 * Math.PI), between(0, 2 * Math.PI))
  const placement = {
    turn: around('turn'),
    shear: around('shear'),
    width: UNIT * Math.exp(around('stretch')),
    height: UNIT * Math.exp(around('stretch')),
    x: CENTRE + around('shift'),
    y: CENTRE + around('shift'),
  }
  const place = affine(placement)
  const strokes = (GLYPHS[label] ?? []).map((stroke) => movedStroke(movedStroke(stroke, bend), place))
  const own = strokes.length
  let missing = INK + between(0, at('clutter')) - strokes.reduce((sum, stroke) => sum + strokeLength(stroke), 0)
  while (missing > 1) {
    const glyph = GLYPHS[integer(key, counter++, GLYPHS.length)] ?? []
    const stroke = glyph[integer(key, counter++, glyph.length)] ?? []
    const length = Math.min(missing, between(6, 14))
    const angle = between(0, 2 * Math.PI)
    const distance = between(9, 15)
    const zoom = length / strokeLength(stroke)
    const put = affine({
      turn: between(0, 360),
      shear: 0,
      width: zoom,
      height: zoom,
      x: CENTRE + distance * Math.cos(angle),
      y: CENTRE + distance * Math.sin(angle),
    })
    strokes.push(movedStroke(stroke, put))
    missing -= length
  }
  const thickness = between(1.3, 2.6)
  const ground = between(0.1, 0.25)
  return {
    bends,
    placement,
    strokes,
    scraps: strokes.length - own,
    thickness,
    ground,
    ink: at('contrast') * between(0.6, 1),
  }
}

/**
 * Draws glyph `label` into `out`, `[size, size, 1]`, bright on dark: bent, turned, sheared and moved, as a pen of some
 * thickness draws it, with scraps of other glyphs around it. The scraps make up for short glyphs, so that the amount of
 * ink says little. Every number comes from `key`: the same scene gets harder with `difficulty` (0..1).
 */
export function drawGlyph(key: Key, label: number, size: number, difficulty: number, out: Uint8Array): void {
  const scale = size / 28
  const { strokes, thickness, ground, ink } = sceneOf(key, label, difficulty)
  const cover = new Float32Array(size * size)
  const enlarge: Move = (x, y) => [(x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5]
  for (const stroke of strokes) paintStroke(movedStroke(stroke, enlarge), thickness * scale, cover, size)
  const noise = valueAt('noise', difficulty)
  for (let i = 0; i < cover.length; i++) {
    const value = ground + ink * (cover[i] ?? 0) + noise * normal(key, NOISE + i)
    out[i] = Math.round(255 * Math.min(1, Math.max(0, value)))
  }
}

/** How a glyph was changed: lengths in pixels of a 28-pixel image, the turn in degrees, contrast in a range of 0..1. */
export function plantedIn(key: Key, label: number, difficulty: number): Planted {
  const { bends, placement, scraps, thickness, ink } = sceneOf(key, label, difficulty)
  const { turn, shear, width, height, x, y } = placement
  return {
    bend: Math.hypot(bends.across, bends.down),
    turn: Math.abs(turn),
    shear: Math.abs(shear),
    size: Math.sqrt(width * height) / UNIT,
    shift: Math.hypot(x - CENTRE, y - CENTRE),
    scraps,
    thickness,
    contrast: ink,
  }
}

interface Placement {
  /** Degrees. */
  turn: number
  shear: number
  /** Pixels of a unit. */
  width: number
  height: number
  /** Where the middle of the glyph comes to lie. */
  x: number
  y: number
}

function affine({ turn, shear, width, height, x, y }: Placement): Move {
  const angle = (turn * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return (u, v) => {
    const across = width * (u - 2) + shear * height * (v - 3)
    const down = height * (v - 3)
    return [x + cos * across - sin * down, y + sin * across + cos * down]
  }
}

/** Moves points along waves longer than a glyph, by `across` and `down` at most, in units of the strokes. */
function bending(across: number, down: number, phase: number, other: number): Move {
  return (x, y) => [x + across * Math.sin(y / 2 + phase), y + down * Math.sin(x / 2 + other)]
}
