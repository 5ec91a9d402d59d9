import { describe, expect, it } from 'vitest'
import { resolveRecipe } from '../../../engine/train/recipe.ts'
import { learningRateAt, type ScheduleName, schedule, scheduleNames } from '../../../engine/train/schedule.ts'

const recipe = (schedule: ScheduleName) => resolveRecipe({ steps: 100, warmup: 10, floor: 0.1, schedule })

describe('learningRateAt', () => {
  it.each(scheduleNames)('rises linearly to the peak before %s', (schedule) => {
    expect(learningRateAt(0, recipe(schedule))).toBeCloseTo(0.1)
    expect(learningRateAt(4, recipe(schedule))).toBeCloseTo(0.5)
    expect(learningRateAt(9, recipe(schedule))).toBe(1)
    expect(learningRateAt(10, recipe(schedule))).toBe(1)
  })
  it.each([
    ['cosine', 0.1 + 0.9 * (0.5 + Math.SQRT1_2 / 2), 0.55, 0.1],
    ['linear', 0.775, 0.55, 0.1],
    ['constant', 1, 1, 1],
  ] as const)('follows %s to the floor', (schedule, quarter, half, end) => {
    expect(learningRateAt(32.5, recipe(schedule))).toBeCloseTo(quarter)
    expect(learningRateAt(55, recipe(schedule))).toBeCloseTo(half)
    expect(learningRateAt(100, recipe(schedule))).toBeCloseTo(end)
  })
  it('gives a scheduler of a cell the steps after warm-up, and the floor', () => {
    const halves = schedule('halves', (step, steps, floor) => Math.max(floor, 0.5 ** Math.floor((3 * step) / steps)))
    const own = resolveRecipe({ steps: 100, warmup: 10, floor: 0.3, schedule: halves })
    expect([0, 10, 40, 70].map((step) => learningRateAt(step, own))).toEqual([0.1, 1, 0.5, 0.3])
  })
  it('starts where it is told to, and reaches the peak after warm-up', () => {
    const from = { ...recipe('cosine'), warmupStart: 0.001 }
    expect(learningRateAt(0, from)).toBe(0.001)
    expect(learningRateAt(5, from)).toBeCloseTo(0.001 + 0.999 / 2)
    expect(learningRateAt(5, { ...from, warmupStart: 0.5 })).toBe(0.75)
    expect(learningRateAt(10, from)).toBe(1)
  })
  it.each(scheduleNames)('starts %s at the peak without warm-up', (schedule) => {
    expect(learningRateAt(0, { ...recipe(schedule), warmup: 0 })).toBe(1)
  })
})
