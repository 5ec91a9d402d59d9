import { expect, it } from 'vitest'
import { inColumns, type TrainEvent } from '../../../engine/records/events.ts'
import { LOSS } from '../../meanings.ts'

/** Steps from one to another with two metrics each. */
const trained = (from: number, to: number): TrainEvent[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i).flatMap((step): TrainEvent[] => [
    { type: 'step', step, ms: 1 },
    { type: 'metric', step, name: 'loss', value: step / 2, meaning: LOSS },
    { type: 'metric', step, name: 'norm', value: step === 3 ? Number.NaN : 1 },
  ])

it('gathers many points in a row by metric, and leaves all else where it is', () => {
  const start: TrainEvent = { type: 'start', steps: 20, parameters: 1 }
  const snapshot: TrainEvent = { type: 'snapshot', step: 7, weights: new Uint8Array([1]) }
  const done: TrainEvent = { type: 'done', step: 20 }
  const few = trained(8, 9)
  expect(inColumns([start, ...trained(1, 7), snapshot, ...few, done, ...trained(10, 20)])).toEqual([
    start,
    {
      type: 'points',
      step: 7,
      series: [
        { name: 'loss', meaning: LOSS, steps: [1, 2, 3, 4, 5, 6, 7], values: [0.5, 1, 1.5, 2, 2.5, 3, 3.5] },
        { name: 'norm', steps: [1, 2, 3, 4, 5, 6, 7], values: [1, 1, Number.NaN, 1, 1, 1, 1] },
      ],
    },
    snapshot,
    ...few,
    done,
    expect.objectContaining({ type: 'points', step: 20 }),
  ])
})

it('keeps the last step where there is no metric', () => {
  const steps = trained(1, 20).filter(({ type }) => type === 'step')
  expect(inColumns(steps)).toEqual([{ type: 'points', step: 20, series: [] }])
})

it('has nothing for nothing', () => {
  expect(inColumns([])).toEqual([])
})
