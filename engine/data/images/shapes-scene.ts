import { integer, type Key, normal, uniform } from '../../random.ts'
import type { Planted } from '../types.ts'
import { paint, ripple, type Wave } from './shapes-paint.ts'

/** Textures of an object, by the direction of their waves in degrees; checks are two waves multiplied. */
const TEXTURES = [
  { name: 'rows', waves: [90] },
  { name: 'columns', waves: [0] },
  { name: 'rising', waves: [45] },
  { name: 'falling', waves: [135] },
  { name: 'checks', waves: [0, 90] },
]

/**
 * Which texture is left of which. Each texture has two partners (its neighbours in a ring) and each pair comes in both
 * orders, so that the left object, the right object, or both without their places each leave two classes open.
 */
const ARRANGEMENTS = TEXTURES.flatMap((_, i) => {
  const next = (i + 1) % TEXTURES.length
  return [
    { left: i, right: next },
    { left: next, right: i },
  ]
})

/** Class names such as `rows-columns`: the texture on the left, then the one on the right. */
export const SHAPES_CLASSES = ARRANGEMENTS.map(({ left, right }) => `${TEXTURES[left]?.name}-${TEXTURES[right]?.name}`)

/** Lengths are pixels of a 32-pixel image; contrasts and noise are in a range of 0..1. Easiest and hardest value. */
const RANGES = {
  contrast: [0.43, 0.13],
  noise: [0.02, 0.1],
  backdrop: [0.03, 0.1],
  clutter: [0, 8],
  turn: [3, 15], // degrees
  stretch: [0.04, 0.15],
  shift: [11, 6], // least horizontal distance of the two objects
} as const

const MARGIN = 6
const APART = 15 // least distance of the two objects, centre to centre
const PERIOD = 4
const NOISE = 1000 // first counter of the noise, beyond those of the scene

const valueAt = (name: keyof typeof RANGES, difficulty: number) =>
  RANGES[name][0] + difficulty * (RANGES[name][1] - RANGES[name][0])

/** All that is in an image of class `label` but its noise. Every number comes from `key`. */
function sceneOf(key: Key, label: number, size: number, difficulty: number) {
  const scale = size / 32
  const at = (name: keyof typeof RANGES) => valueAt(name, difficulty)
  let counter = 0
  const between = (low: number, high: number) => low + (high - low) * uniform(key, counter++)
  const pick = (count: number) => integer(key, counter++, count)
  const sign = () => (pick(2) === 0 ? -1 : 1)
  const tones = (low: number, high: number) => [between(low, high), between(low, high), between(low, high)]
  const ink = (contrast: number) => {
    const strength = contrast * sign()
    return tones(0.6, 1).map((tone) => tone * strength)
  }
  const wave = (degrees: number, period: number): Wave => {
    const angle = (degrees * Math.PI) / 180
    const turns = (2 * Math.PI) / period
    return { kx: turns * Math.cos(angle), ky: turns * Math.sin(angle), phase: between(0, 2 * Math.PI) }
  }
  const grain = (degrees: number) =>
    wave(degrees + between(-1, 1) * at('turn'), PERIOD * Math.max(1, scale) * (1 + between(-1, 1) * at('stretch')))
  const blob = (x: number, y: number, radius: number) => ({
    x: x * scale,
    y: y * scale,
    radius: radius * scale,
    corners: [0, 4, 6][pick(3)] ?? 0,
    rotation: between(0, 2 * Math.PI),
    colour: tones(0.3, 0.7),
  })

  const span = 32 - 2 * MARGIN
  const across = between(at('shift'), span)
  const down = between(Math.sqrt(Math.max(0, APART ** 2 - across ** 2)), span) * sign()
  const left = MARGIN + between(0, span - across)
  const top = MARGIN + between(0, span - Math.abs(down)) + Math.max(0, -down)
  const arrangement = ARRANGEMENTS[label] ?? { left: 0, right: 0 }
  const objects = [
    { texture: arrangement.left, x: left, y: top },
    { texture: arrangement.right, x: left + across, y: top + down },
  ].map(({ texture, x, y }) => ({
    ...blob(x, y, between(5.5, 7)),
    ink: ink(at('contrast')),
    waves: (TEXTURES[texture]?.waves ?? []).map(grain),
  }))
  const ground = tones(0.35, 0.65)
  const gratings = [0, 1].map(() => ({
    wave: wave(between(0, 180), between(9, 18) * scale),
    ink: ink(at('backdrop')),
  }))
  // Scraps carry stripes of any direction: a stripe somewhere in the image says nothing by itself.
  const scraps = Array.from({ length: Math.round(at('clutter')) }, () => ({
    ...blob(between(0, 32), between(0, 32), between(1.5, 3)),
    ink: ink(at('contrast') * 0.6),
    waves: [grain(between(0, 180))],
  }))
  return { across, down, objects, ground, gratings, scraps }
}

/**
 * Draws an image of class `label` into `out`, `[size, size, 3]`. Every number comes from `key`: the same scene gets
 * harder with `difficulty` (0..1) and finer with `size`.
 */
export function drawScene(key: Key, label: number, size: number, difficulty: number, out: Uint8Array): void {
  const { ground, gratings, scraps, objects } = sceneOf(key, label, size, difficulty)
  const canvas = new Float32Array(size * size * 3)
  for (let i = 0; i < canvas.length; i++) canvas[i] = ground[i % 3] ?? 0
  for (const grating of gratings) {
    for (let i = 0; i < size * size; i++) {
      const height = ripple(grating.wave, i % size, Math.floor(i / size))
      for (let c = 0; c < 3; c++) canvas[i * 3 + c] = (canvas[i * 3 + c] ?? 0) + height * (grating.ink[c] ?? 0)
    }
  }
  for (const each of [...scraps, ...objects]) paint(each, canvas, size)
  const noise = valueAt('noise', difficulty)
  for (let i = 0; i < canvas.length; i++) {
    const value = (canvas[i] ?? 0) + noise * normal(key, NOISE + i)
    out[i] = Math.round(255 * Math.min(1, Math.max(0, value)))
  }
}

/** What an image shows: lengths in pixels of a 32-pixel image, directions in degrees, contrasts in a range of 0..1. */
export function plantedIn(key: Key, label: number, difficulty: number): Planted {
  const { across, down, objects, gratings, scraps } = sceneOf(key, label, 32, difficulty)
  const strength = ({ ink }: { ink: number[] }) => ink.reduce((sum, tone) => sum + Math.abs(tone), 0) / ink.length
  const least = (values: number[]) => Math.min(...values)
  const covered = (scrap: Disc) => objects.some((object) => apart(scrap, object) < scrap.radius + object.radius)
  return {
    distance: Math.hypot(across, down),
    'distance across': across,
    contrast: least(objects.map(strength)),
    backdrop: Math.max(...gratings.map(strength)),
    radius: least(objects.map(({ radius }) => radius)),
    'scraps at objects': scraps.filter(covered).length,
  }
}

type Disc = Record<'x' | 'y' | 'radius', number>

const apart = (a: Disc, b: Disc) => Math.hypot(a.x - b.x, a.y - b.y)
