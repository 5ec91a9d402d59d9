import { describe, expect, it } from 'vitest'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { type Pace, paceAfter, paceSeen, stepTime, type TimedRun, timeLeft } from '../../../engine/study/pace.ts'

const start: TrainEvent = { type: 'start', steps: 600, parameters: 1 }

/** The pace after steps that took so many ms, with pauses of so many ms after some of them. */
function paceOf(times: number[], pauses: Record<number, number> = {}): Pace {
  let ms = 500
  let pace = paceAfter(null, start, ms)
  for (const [i, time] of times.entries()) {
    ms += time
    pace = paceAfter(pace, { type: 'step', step: i + 1, ms: time }, ms)
    ms += pauses[i + 1] ?? 0
  }
  if (!pace) throw new Error('no pace after a start')
  return pace
}
const steps = (count: number, ms: number) => Array<number>(count).fill(ms)
const WARM = [8000, 900, 400, 200, 150]
const run = (change: Partial<TimedRun>): TimedRun => ({
  ...{ variant: 'a', left: 100, running: false, pace: null },
  ...change,
})

describe('the pace of a run', () => {
  it('is unknown before the warm-up is over, and does not count it', () => {
    expect(paceAfter(null, { type: 'step', step: 1, ms: 5 }, 5)).toBeNull()
    expect(stepTime(paceOf([]))).toBeNull()
    expect(stepTime(paceOf(WARM))).toBeNull()
    expect(stepTime(paceOf([...WARM, 100]))).toBe(100)
    expect(timeLeft([run({ running: true, left: 629, pace: paceOf([...WARM, ...steps(20, 100)]) })], 1)).toBe(62_900)
  })

  it('is that of the usual step lately, whatever a few took', () => {
    const times = [...WARM, ...steps(50, 300), ...steps(30, 100)]
    times[80] = 20_000
    expect(stepTime(paceOf(times))).toBe(100)
    expect(stepTime(paceOf([...WARM, 10, 20]))).toBe(15)
  })

  it('has in it what lies between the steps', () => {
    const pace = paceOf([...WARM, ...steps(20, 100)], { 5: 1000, 15: 1000, 25: 5000 })
    expect(stepTime(pace)).toBe(100 + 2000 / 20)
    expect(timeLeft([run({ running: true, pace })], 1)).toBe(100 * 200)
  })

  it('begins anew where a run goes on, and shrinks to a number where it ends', () => {
    const pace = paceOf([...WARM, ...steps(40, 100)])
    expect(paceAfter(pace, { ...start, resumedAt: 45 }, 9)).toEqual({ steps: 0, recent: [], between: 0, at: 9 })
    const ended = paceAfter(pace, { type: 'done', step: 45 }, 20_000)
    expect(ended).toEqual({ ...pace, recent: [100] })
    expect(paceAfter(paceOf(WARM), { type: 'failed', step: 5, message: '' }, 20_000)?.recent).toEqual([])
    expect(paceAfter(pace, { type: 'warning', step: 45, message: '' }, 20_000)).toBe(pace)
  })
})

describe('the time left', () => {
  const fast = paceOf([...WARM, ...steps(9, 10)])
  const slow = paceOf([...WARM, ...steps(9, 50)])

  it('is unknown while nothing was timed', () => {
    expect(timeLeft([], 1)).toBeNull()
    expect(timeLeft([run({ running: true, pace: paceOf(WARM) }), run({})], 1)).toBeNull()
  })

  it('goes by the pace of each variant, and by that of another where it has none', () => {
    const done = run({ left: 0, pace: fast })
    expect(timeLeft([done, run({ variant: 'b', running: true, left: 40, pace: slow })], 1)).toBe(40 * 50)
    expect(timeLeft([done, run({ variant: 'b', left: 0, pace: slow }), run({}), run({ variant: 'b' })], 1)).toBe(6000)
    expect(timeLeft([done, run({ variant: 'c' })], 1)).toBe(1000)
  })

  it('is that of the last to end where runs are trained side by side', () => {
    const together = [run({ running: true, left: 600, pace: slow }), run({ running: true, left: 100, pace: fast })]
    expect(timeLeft(together, 2)).toBe(30_000)
    expect(timeLeft([...together, run({})], 2)).toBe(30_000)
    expect(timeLeft([run({ left: 0, pace: slow }), run({}), run({}), run({})], 2)).toBe(10_000)
    expect(timeLeft(together, 1)).toBe(30_000)
  })
})

describe('the pace of a run that somebody else trains', () => {
  it('is what its steps took between the looks', () => {
    const first = paceSeen(null, { step: 10, ms: 4000 }, { step: 20, ms: 5000 })
    expect(first && stepTime(first)).toBe(100)
    const second = paceSeen(first, { step: 20, ms: 5000 }, { step: 30, ms: 7000 })
    expect(second && stepTime(second)).toBe(150)
    expect(timeLeft([run({ running: true, left: 10, pace: second })], 1)).toBe(1500)
  })

  it('is unknown during the warm-up and after the run has gone back; a look at the same step tells nothing', () => {
    expect(paceSeen(null, { step: 0, ms: 0 }, { step: 3, ms: 900 })).toBeNull()
    const known = paceSeen(null, { step: 10, ms: 4000 }, { step: 20, ms: 5000 })
    expect(paceSeen(known, { step: 20, ms: 5000 }, { step: 20, ms: 5000 })).toBe(known)
    expect(paceSeen(known, { step: 20, ms: 5000 }, { step: 5, ms: 1000 })).toBeNull()
  })
})
