import { expect, it } from 'vitest'
import type { TrainEvent } from '../../../../engine/records/events.ts'
import type { StudyEvent } from '../../../../engine/records/run.ts'
import { isLive, keepPoints, livePoints, pointsAfter, resumedAt } from '../../../../renderer/session/kernel/points.ts'

const run = (id: number, event: TrainEvent): StudyEvent => ({ type: 'run', key: 'k', id, event, ms: 0 })
const loss = (id: number, step: number) => run(id, { type: 'metric', name: 'loss', step, value: step / 2 })
const start = (resumed?: number): TrainEvent => ({
  ...{ type: 'start', steps: 9, parameters: 1 },
  ...(resumed && { resumedAt: resumed }),
})

it('keeps the points of the runs in training', () => {
  expect(isLive(81)).toBe(false)
  keepPoints([run(81, start()), loss(81, 1), loss(81, 2), loss(82, 1)])
  expect(livePoints(81, 'loss')).toEqual({ steps: [1, 2], values: [0.5, 1] })
  expect(livePoints(81, 'other')).toBeNull()
  expect(resumedAt(81)).toBe(0)
})

it('takes back what an interrupted attempt logged when the run goes on or starts anew', () => {
  keepPoints([run(3, start()), loss(3, 1), loss(3, 2), run(3, { type: 'interrupted', step: 2 })])
  keepPoints([run(3, start(1)), loss(3, 2), loss(3, 3)])
  expect(resumedAt(3)).toBe(1)
  expect(livePoints(3, 'loss')?.steps).toEqual([2, 3])
  expect(pointsAfter(3, 'loss', 2)).toEqual({ steps: [3], values: [1.5] })
  expect(pointsAfter(3, 'loss', 3)).toEqual({ steps: [], values: [] })
  expect(pointsAfter(3, 'other', 0)).toEqual({ steps: [], values: [] })
  keepPoints([run(3, start()), loss(3, 1)])
  expect(resumedAt(3)).toBe(0)
  expect(livePoints(3, 'loss')?.steps).toEqual([1])
})
