import type { Line } from '../study/align.ts'

/** At most about `limit` points of a line; the smallest and largest value of every bucket are kept, and both ends. */
export function decimate(line: Line, limit: number): Line {
  const { steps, values } = line
  if (steps.length <= limit) return line
  const width = steps.length / Math.max(1, Math.floor(limit / 2))
  const kept = new Set([0, steps.length - 1])
  for (let start = 0; start < steps.length; start += width) {
    const [smallest, largest] = extremes(values, Math.floor(start), Math.min(steps.length, Math.floor(start + width)))
    kept.add(smallest).add(largest)
  }
  const indices = [...kept].sort((a, b) => a - b)
  const pick = (from: number[]) => indices.map((index) => from[index] ?? Number.NaN)
  return { steps: pick(steps), values: pick(values) }
}

function extremes(values: number[], from: number, to: number): [number, number] {
  let smallest = from
  let largest = from
  for (let i = from; i < to; i++) {
    const value = values[i] ?? Number.NaN
    if (value < (values[smallest] ?? Number.NaN)) smallest = i
    if (value > (values[largest] ?? Number.NaN)) largest = i
  }
  return [smallest, largest]
}
