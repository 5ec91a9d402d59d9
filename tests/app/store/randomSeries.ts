import { integer, keyOf, normal, uniform } from '../../../engine/random.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { Line } from '../../../engine/study/align.ts'

/** A series of `count` points whose steps may repeat and skip, with some values that are no numbers or infinite. */
export function randomSeries(seed: number, count: number): Line {
  const [gaps, kinds, numbers] = ['gap', 'kind', 'value'].map((name) => keyOf(seed, name)) as [Key, Key, Key]
  const points: Line = { steps: [], values: [] }
  for (let i = 0, step = integer(gaps, 0, 50); i < count; i++) {
    step += i === 0 ? 0 : ([0, 1, 1, 1, 10][integer(gaps, i, 5)] ?? 1)
    const kind = uniform(kinds, i)
    const value = kind < 0.5 ? normal(numbers, i) : integer(numbers, i, 3)
    points.steps.push(step)
    points.values.push(kind > 0.995 ? Number.NaN : kind > 0.9945 ? Number.POSITIVE_INFINITY : value)
  }
  return points
}

type Key = ReturnType<typeof keyOf>

/** The events that record a series, or a part of it. */
export function eventsOf(name: string, { steps, values }: Line, from = 0, to = steps.length): TrainEvent[] {
  return steps.slice(from, to).map((step, i) => ({ type: 'metric', name, step, value: values[from + i] ?? Number.NaN }))
}
