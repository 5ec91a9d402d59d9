import { type Key, normal, uniform } from '../../random.ts'
import type { Planted } from '../types.ts'

/** Where the power of a random field lies in the plane of frequencies. Frequencies in cycles per 32 pixels. */
interface Spectrum {
  name: string
  /** Direction of the waves in degrees; the field is the same in all directions without one. */
  direction?: number
  frequency: number
}

const DIRECTIONS = [
  { name: 'columns', direction: 0 },
  { name: 'rising', direction: 45 },
  { name: 'rows', direction: 90 },
  { name: 'falling', direction: 135 },
  { name: 'even' },
]

const SPECTRA: Spectrum[] = DIRECTIONS.flatMap(({ name, ...direction }) => [
  { name: `coarse-${name}`, ...direction, frequency: 4 },
  { name: `fine-${name}`, ...direction, frequency: 7 },
])

/** Class names such as `fine-rows`. */
export const TEXTURES_CLASSES = SPECTRA.map(({ name }) => name)

/** Easiest and hardest value. */
const RANGES = {
  turn: [10, 45], // degrees, deviation of the directions of the waves
  spread: [0.12, 0.5], // deviation of the logarithm of their frequencies
  noise: [0.2, 2.8], // deviation of white noise, where that of the waves is 1
} as const

const valueAt = (name: keyof typeof RANGES, difficulty: number) =>
  RANGES[name][0] + difficulty * (RANGES[name][1] - RANGES[name][0])

const WAVES = 48
const NOISE = 1000 // first counter of the noise, beyond those of the waves

/** The waves of a field of class `label`, which all have the same height. */
function wavesOf(key: Key, label: number, difficulty: number) {
  const at = (name: keyof typeof RANGES) => valueAt(name, difficulty)
  const { direction, frequency } = SPECTRA[label] ?? { frequency: 0 }
  return Array.from({ length: WAVES }, (_, wave) => ({
    degrees: direction === undefined ? 180 * uniform(key, 4 * wave) : direction + at('turn') * normal(key, 4 * wave),
    frequency,
    stretch: Math.exp(at('spread') * normal(key, 4 * wave + 1)),
    phase: 2 * Math.PI * uniform(key, 4 * wave + 2),
  }))
}

/**
 * Draws an image of class `label` into `out`, `[size, size, 1]`: a sum of many plane waves whose frequencies are drawn
 * from the spectrum of the class, which by Bochner's theorem gives a stationary, nearly Gaussian field of one
 * autocovariance a class, and white noise. The values are then replaced by their ranks, so that every image holds the
 * same values in another order: mean, variance and histogram say nothing about the class, and neither does any one
 * pixel.
 */
export function drawField(key: Key, label: number, size: number, difficulty: number, out: Uint8Array): void {
  const scale = (2 * Math.PI) / 32 / Math.max(1, size / 32)
  const field = new Float64Array(size * size)
  for (const { degrees, frequency, stretch, phase } of wavesOf(key, label, difficulty)) {
    const angle = (degrees * Math.PI) / 180
    const turns = scale * frequency * stretch
    addWave(turns * Math.cos(angle), turns * Math.sin(angle), phase, size, field)
  }
  const noise = valueAt('noise', difficulty) * Math.sqrt(WAVES / 2)
  for (let i = 0; i < field.length; i++) field[i] = (field[i] ?? 0) + noise * normal(key, NOISE + i)
  rankInto(field, out)
}

/** Writes the ranks of the values of a field into `out`, 0 to 255; of equal values the first has the lower rank. */
function rankInto(field: Float64Array, out: Uint8Array): void {
  const sorted = field.toSorted() // without a function that compares, which takes most of the time of sorting
  const taken = new Uint8Array(field.length)
  for (let pixel = 0; pixel < field.length; pixel++) {
    const value = field[pixel] as number
    let [rank, end] = [0, field.length]
    while (rank < end) {
      const middle = (rank + end) >> 1
      if ((sorted[middle] as number) < value) rank = middle + 1
      else end = middle
    }
    while (taken[rank]) rank++
    taken[rank] = 1
    out[pixel] = Math.floor((256 * rank) / field.length)
  }
}

/** How the waves of a field differ from those of its class: by the logarithm of their frequency, and in degrees. */
export function plantedIn(key: Key, label: number, difficulty: number): Planted {
  const { direction } = SPECTRA[label] ?? {}
  const waves = wavesOf(key, label, difficulty)
  const mean = (of: (wave: (typeof waves)[number]) => number) => waves.reduce((sum, wave) => sum + of(wave), 0) / WAVES
  const off = mean(({ stretch }) => Math.log(stretch))
  return {
    'frequency off': Math.abs(off),
    'spread of frequencies': Math.sqrt(mean(({ stretch }) => (Math.log(stretch) - off) ** 2)),
    'turn off': direction === undefined ? 0 : Math.abs(mean(({ degrees }) => degrees - direction)),
  }
}

/** Adds cos(x kx + y ky + phase) to a field, a row by turning its first value on and on. */
function addWave(kx: number, ky: number, phase: number, size: number, field: Float64Array): void {
  const [turnCos, turnSin] = [Math.cos(kx), Math.sin(kx)]
  for (let y = 0; y < size; y++) {
    let [cos, sin] = [Math.cos(y * ky + phase), Math.sin(y * ky + phase)]
    for (let i = y * size; i < (y + 1) * size; i++) {
      field[i] = (field[i] ?? 0) + cos
      const next = cos * turnCos - sin * turnSin
      sin = sin * turnCos + cos * turnSin
      cos = next
    }
  }
}
