import { type Key, normal, uniform } from '../../random.ts'
import type { Planted } from '../types.ts'

/** The ground, then the outlines by their place in `OUTLINES`. */
export const SCENE_CLASSES = ['ground', 'disc', 'square', 'triangle', 'cross']

/** Whether a point is inside of an outline that reaches about 1 from its centre. */
const OUTLINES: ((u: number, v: number) => boolean)[] = [
  (u, v) => u * u + v * v <= 0.8,
  (u, v) => Math.abs(u) <= 0.75 && Math.abs(v) <= 0.75,
  (u, v) => v >= -0.5 && v + Math.sqrt(3) * Math.abs(u) <= 1,
  (u, v) => Math.min(Math.abs(u), Math.abs(v)) <= 0.3 && Math.max(Math.abs(u), Math.abs(v)) <= 1,
]

/** What is in a scene, and the next of its draws, by which its noise begins. Every number comes from `key`. */
function contentOf(key: Key, difficulty: number) {
  let counter = 0
  const between = (low: number, high: number) => low + (high - low) * uniform(key, counter++)
  const at = (easy: number, hard: number) => easy + difficulty * (hard - easy)
  const colour = [0, 1, 2].map(() => between(80, 175))
  const wave = { across: between(-0.6, 0.6), down: between(-0.6, 0.6), phase: between(0, 6), height: at(6, 22) }
  const count = Math.round(between(1, at(3, 6)))
  const objects = Array.from({ length: count }, () => {
    const kind = Math.floor(between(0, OUTLINES.length))
    const [x, y, radius, turn] = [
      between(0.1, 0.9),
      between(0.1, 0.9),
      between(0.14, 0.3),
      between(0, 2 * Math.PI),
    ] as const
    const contrast = at(80, 35)
    const own = colour.map((ground) => ground + contrast * (between(0, 1) < 0.5 ? -1 : 1) * between(0.5, 1))
    return { kind, x, y, radius, turn, own }
  })
  return { colour, wave, objects, noise: at(3, 20), counter }
}

/** What a scene shows: lengths as shares of its side, contrast in 0..255. */
export function plantedIn(key: Key, difficulty: number): Planted {
  const { colour, wave, objects } = contentOf(key, difficulty)
  const contrast = (own: number[]) => own.reduce((sum, tone, i) => sum + Math.abs(tone - (colour[i] as number)), 0) / 3
  const near = objects.map((object, i) => {
    const others = objects.slice(0, i).filter(({ x, y }) => Math.hypot(x - object.x, y - object.y) < object.radius)
    return others.length
  })
  return {
    objects: objects.length,
    'least contrast': Math.min(...objects.map(({ own }) => contrast(own))),
    'mean radius': objects.reduce((sum, { radius }) => sum + radius, 0) / objects.length,
    covered: near.reduce((sum, count) => sum + count, 0),
    'waves of the ground': Math.hypot(wave.across, wave.down),
  }
}

/** Draws a scene, all its numbers from `key`: its pixels `[size, size, 3]` in 0..255, and the class of each, flat. */
export function drawScene(key: Key, size: number, difficulty: number): { image: Uint8Array; target: Uint8Array } {
  const { colour, wave, objects, noise, counter } = contentOf(key, difficulty)
  const values = Float32Array.from({ length: size * size * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % size, Math.floor(i / (3 * size))]
    return (colour[i % 3] as number) + wave.height * Math.sin(wave.across * x + wave.down * y + wave.phase)
  })
  const target = new Uint8Array(size * size)

  for (const { kind, x, y, radius, turn, own } of objects) {
    const [cosine, sine] = [Math.cos(turn), Math.sin(turn)]
    const inside = OUTLINES[kind] as (typeof OUTLINES)[number]
    for (let i = 0; i < target.length; i++) {
      const [dx, dy] = [(((i % size) + 0.5) / size - x) / radius, ((Math.floor(i / size) + 0.5) / size - y) / radius]
      if (!inside(cosine * dx + sine * dy, cosine * dy - sine * dx)) continue
      target[i] = kind + 1
      values.set(own, 3 * i)
    }
  }
  const image = Uint8Array.from(values, (value, i) =>
    Math.max(0, Math.min(255, value + noise * normal(key, counter + i))),
  )
  return { image, target }
}
