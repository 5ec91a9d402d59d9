import type { PackedPoints } from './chunk.ts'
import type { Points } from './summary.ts'

/**
 * At most about `buckets` of the points, in their order: of each stretch its smallest and largest value, the first one
 * that is not a number, and the two ends of the series. Everything is kept where there are no more than `buckets`.
 */
export function decimate({ steps, values }: PackedPoints, buckets: number): Points {
  const count = values.length
  if (count <= buckets) return { steps: Array.from(steps), values: Array.from(values) }
  const stretches = Math.max(1, Math.floor(buckets / 2))
  const kept = new Set<number>([0])
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * count) / stretches)
    const to = Math.floor(((stretch + 1) * count) / stretches)
    for (const index of extremes(values, from, to)) kept.add(index)
  }
  kept.add(count - 1)
  const indices = [...kept]
  return { steps: indices.map((i) => steps[i] ?? 0), values: indices.map((i) => values[i] ?? Number.NaN) }
}

/** Ascending indices of the smallest, the largest and the first NaN among `values` from `from` to before `to`. */
function extremes(values: Float64Array, from: number, to: number): number[] {
  let smallest = -1
  let largest = -1
  let missing = -1
  let min = Number.NaN
  let max = Number.NaN
  for (let i = from; i < to; i++) {
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) {
      if (missing < 0) missing = i
      continue
    }
    if (!(value >= min)) {
      min = value
      smallest = i
    }
    if (!(value <= max)) {
      max = value
      largest = i
    }
  }
  return [smallest, largest, missing].filter((i) => i >= 0).sort((a, b) => a - b)
}
