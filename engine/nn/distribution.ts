import { type Key, keyOf, normal, uniform } from '../random.ts'
import { truncatedDraw } from './initialisers.ts'

/** What the initial values of a parameter are drawn from. */
export type Distribution =
  | { kind: 'constant'; value: number }
  | { kind: 'normal'; mean: number; std: number }
  /** A normal cut off at two deviations on either side; `std` is that before. */
  | { kind: 'truncated'; mean: number; std: number }
  | { kind: 'uniform'; from: number; to: number }
  /** Always the same values, in the order of memory. */
  | { kind: 'fixed'; values: Float32Array }
  /** Code that draws otherwise; its mean and deviation. */
  | { kind: 'other'; mean: number; std: number }

/** The draws that initialisers are made of, by the number of a value. */
const STANDARD: Record<'normal' | 'truncated' | 'uniform', (key: Key, i: number) => number> = {
  normal,
  truncated: truncatedDraw,
  uniform,
}

/** So many values of a parameter are compared with the draws. */
const COMPARED = 4096

/**
 * The distribution of what `initial` fills a parameter with, found by comparing its values with the draws of the same
 * streams: also an initialiser of a cell that scales or wraps one of ours is known by what it does.
 */
export function distributionOf(initial: (key: Key) => Float32Array): Distribution {
  const first = initial(keyOf(0, 'distribution/0'))
  const streams = Array.from({ length: first.length < 8 ? 16 : 2 }, (_, i) => {
    const key = keyOf(0, `distribution/${i}`)
    return { key, values: i === 0 ? first : initial(key) }
  })
  if (streams.every(({ values }) => values.every((value, i) => Object.is(value, first[i])))) {
    const [value = 0] = first
    return first.every((other) => other === value) ? { kind: 'constant', value } : { kind: 'fixed', values: first }
  }
  for (const kind of ['normal', 'truncated', 'uniform'] as const) {
    const pairs = streams.flatMap(({ key, values }) =>
      Array.from(values.subarray(0, COMPARED), (value, i): [number, number] => [STANDARD[kind](key, i), value]),
    )
    const line = lineThrough(pairs)
    if (!line) continue
    const { start, slope } = line
    const from = Math.min(start, start + slope)
    if (kind === 'uniform') return { kind, from, to: from + Math.abs(slope) }
    return { kind, mean: start, std: Math.abs(slope) }
  }
  const all = streams.flatMap(({ values }) => Array.from(values.subarray(0, COMPARED)))
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length
  const std = Math.sqrt(all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / all.length)
  return { kind: 'other', mean, std }
}

/** The line on which all points lie, up to what float32 rounds off; null where there is none. */
function lineThrough(points: [x: number, y: number][]): { start: number; slope: number } | null {
  const byX = points.toSorted(([a], [b]) => a - b)
  const [low, high] = [byX[0] as [number, number], byX.at(-1) as [number, number]]
  const slope = (high[1] - low[1]) / (high[0] - low[0])
  const start = tidy(low[1] - slope * low[0], Math.abs(slope))
  const close = 1e-6 * (Math.abs(start) + Math.abs(slope))
  return points.every(([x, y]) => Math.abs(start + slope * x - y) <= close) ? { start, slope } : null
}

/** 0 where it is nothing but what was rounded off. */
const tidy = (value: number, scale: number): number => (Math.abs(value) < 1e-6 * scale ? 0 : value)
