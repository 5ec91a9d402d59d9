import { describe, expect, it } from 'vitest'
import type { RunView, StudyView } from '../../../renderer/protocol/study.ts'
import { progress } from '../../../renderer/study/progress.ts'
import { paceOf as at } from './studies.ts'

let key = 0
function run(change: Partial<RunView>): RunView {
  const empty = {
    id: null,
    status: 'waiting',
    cached: false,
    backend: '',
    step: 0,
    steps: 0,
    ms: 0,
    error: null,
  } as const
  return { ...empty, key: `k${++key}`, variant: 'a', seed: 1, hasWeights: false, metrics: {}, ...change }
}
const study = (...runs: RunView[]): StudyView => ({ study: 's', metric: 'm', variants: ['a', 'b'], blocks: {}, runs })

describe('progress', () => {
  it('names the run in training and its place', () => {
    const current = run({ status: 'running', step: 5, steps: 10, seed: 2 })
    const state = progress(study(run({ status: 'done', step: 10, steps: 10 }), current, run({}), run({})))
    expect(state).toMatchObject({ done: 1, total: 4, place: 2, current, fraction: 15 / 40 })
  })

  it('counts no runs that are not needed', () => {
    const done = run({ status: 'done', step: 10, steps: 10 })
    expect(progress(study(done, run({ notNeeded: true })))).toMatchObject({ done: 1, total: 1, fraction: 1 })
  })

  it('has no time left before a few steps were timed', () => {
    expect(
      progress(
        study(run({ status: 'running', step: 2, steps: 10, ms: 9000, pace: { ...at(0), recent: [], computed: [] } })),
      ).secondsLeft,
    ).toBeNull()
    expect(progress(study(run({ status: 'running', steps: 10 }))).secondsLeft).toBeNull()
  })

  it('expects a variant to go on as it went, and nothing of one that was not timed', () => {
    const a = run({ status: 'done', step: 10, steps: 10, pace: at(100) })
    const b = run({ variant: 'b', status: 'running', step: 5, steps: 10, pace: at(400) })
    expect(progress(study(a, b, run({}), run({ variant: 'b' }))).secondsLeft).toBeCloseTo(5 * 0.4 + 10 * 0.1 + 10 * 0.4)
    expect(progress(study(a, run({ variant: 'c' }))).secondsLeft).toBeNull()
    const alone = progress(study(run({ variant: 'c' }), { ...b, cached: false }))
    expect([alone.secondsLeft, alone.secondsLeftInRun]).toEqual([null, expect.closeTo(2)])
  })

  it('does not time by runs from the store, and does not wait for them', () => {
    const cached = run({ status: 'done', cached: true, step: 10, steps: 10, ms: 99_999 })
    expect(progress(study(cached, run({ status: 'running', steps: 10 }))).secondsLeft).toBeNull()
    expect(progress(study(cached))).toMatchObject({ done: 1, total: 1, fraction: 1, current: null })
  })

  it('counts what is trained side by side, which halves the time', () => {
    const pair = [1, 2].map((seed) => run({ seed, status: 'running', step: 5, steps: 10, pace: at(100) }))
    const state = progress({ ...study(...pair, run({}), run({})), atOnce: 2 })
    expect(state).toMatchObject({ current: pair[0], place: 1, beside: 1, stepsPerSecond: 20 })
    expect(state.secondsLeft).toBeCloseTo((5 + 5 + 10 + 10) * 0.1 * 0.5)
  })

  it('counts a failed run as over', () => {
    const failed = run({ status: 'failed', step: 3, steps: 10, ms: 30 })
    expect(progress(study(failed, run({})))).toMatchObject({ done: 1, fraction: 0.5 })
  })

  it('is zero for a study without runs', () => {
    expect(progress(study())).toMatchObject({ done: 0, total: 0, fraction: 0, secondsLeft: null })
  })
})
