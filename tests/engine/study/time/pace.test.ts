import { describe, expect, it } from 'vitest'
import type { TrainEvent } from '../../../../engine/records/events.ts'
import { type Pace, paceAfter, paceSeen, pausePerStep, stepTime } from '../../../../engine/study/time/pace.ts'

const start: TrainEvent = { type: 'start', steps: 600, parameters: 1 }

/** The pace after steps that took so many ms, with pauses of so many ms before some of them. */
function paceOf(times: number[], pauses: Record<number, number> = {}): Pace {
  let ms = 500
  let pace = paceAfter(null, start, ms)
  for (const [i, time] of times.entries()) {
    const paused = pauses[i + 1] ?? 0
    ms += time + paused
    pace = paceAfter(pace, { type: 'step', step: i + 1, ms: time, ...(paused && { paused }) }, ms)
  }
  if (!pace) throw new Error('no pace after a start')
  return pace
}
const steps = (count: number, ms: number) => Array<number>(count).fill(ms)
const WARM = [8000, 900, 400, 200, 150]

describe('the pace of a run', () => {
  it('is unknown before the warm-up is over, and does not count it', () => {
    expect(paceAfter(null, { type: 'step', step: 1, ms: 5 }, 5)).toBeNull()
    expect(stepTime(paceOf([]))).toBeNull()
    expect(stepTime(paceOf(WARM))).toBeNull()
    expect(stepTime(paceOf([...WARM, 100]))).toBe(100)
  })

  it('is that of the usual step lately, whatever a few took', () => {
    const times = [...WARM, ...steps(50, 300), ...steps(30, 100)]
    times[80] = 20_000
    expect(stepTime(paceOf(times))).toBe(100)
    expect(stepTime(paceOf([...WARM, 10, 20]))).toBe(15)
  })

  it('has in it what lies between the steps, from the second time on: the first compiles', () => {
    const once = paceOf([...WARM, ...steps(20, 100)], { 10: 9000 })
    expect([pausePerStep(once), stepTime(once)]).toEqual([null, 100])
    const often = paceOf([...WARM, ...steps(25, 100)], { 10: 9000, 20: 1000, 30: 1000 })
    expect([pausePerStep(often), stepTime(often)]).toEqual([100, 200])
  })

  it('says what a run takes before its pace and after its last step, and of a step the part that waits', () => {
    const pace = paceOf([...WARM, ...steps(10, 100)])
    expect(pace.head).toBe(500 + 9650 - 5 * 100)
    expect(paceAfter(pace, { type: 'done', step: 15 }, pace.at + 300)?.tail).toBe(300)
    const waited = paceAfter(pace, { type: 'step', step: 16, ms: 100, waited: 90 }, pace.at + 100)
    expect([waited?.recent.at(-1), waited?.computed.at(-1)]).toEqual([100, 10])
    const again = paceAfter(pace, { ...start, resumedAt: 45 }, 20_000)
    expect([again?.began, again?.head]).toEqual([20_000, null])
  })

  it('begins anew where a run goes on, and shrinks to a number where it ends', () => {
    const pace = paceOf([...WARM, ...steps(40, 100)])
    expect(paceAfter(pace, { ...start, resumedAt: 45 }, 9)).toMatchObject({ steps: 0, recent: [], computed: [], at: 9 })
    const ended = paceAfter(pace, { type: 'done', step: 45 }, 20_000)
    expect(ended).toMatchObject({ steps: 45, recent: [100], computed: [100] })
    expect(paceAfter(paceOf(WARM), { type: 'failed', step: 5, message: '' }, 20_000)?.recent).toEqual([])
    expect(paceAfter(pace, { type: 'warning', step: 45, message: '' }, 20_000)).toBe(pace)
  })
})

describe('the pace of a run that somebody else trains', () => {
  it('is what its steps took between the looks', () => {
    const first = paceSeen(null, { step: 10, ms: 4000 }, { step: 20, ms: 5000 })
    expect(first && stepTime(first)).toBe(100)
    const second = paceSeen(first, { step: 20, ms: 5000 }, { step: 30, ms: 7000 })
    expect(second && stepTime(second)).toBe(150)
  })

  it('is unknown during the warm-up and after the run has gone back; a look at the same step tells nothing', () => {
    expect(paceSeen(null, { step: 0, ms: 0 }, { step: 3, ms: 900 })).toBeNull()
    const known = paceSeen(null, { step: 10, ms: 4000 }, { step: 20, ms: 5000 })
    expect(paceSeen(known, { step: 20, ms: 5000 }, { step: 20, ms: 5000 })).toBe(known)
    expect(paceSeen(known, { step: 20, ms: 5000 }, { step: 5, ms: 1000 })).toBeNull()
  })
})
