import { describe, expect, it } from 'vitest'
import {
  type Chosen,
  comparedRuns,
  comparedSeeds,
  divergedRuns,
  doneRuns,
  seedCount,
  spreadOf,
} from '../../../../renderer/study/table/values.ts'
import { ACCURACY } from '../../../meanings.ts'
import { runView, studyView } from '../studies.ts'

const study = studyView({ a: [0.5, 0.7], b: [0.6, 0.8] })
const metric = 'test/accuracy'
const last: Chosen = { metric, meaning: ACCURACY, choice: 'last', atStep: new Map() }

describe('what is compared', () => {
  it('is the last value, the best one, or that at a step', () => {
    const runs = doneRuns(study)
    expect(spreadOf(runs, 'a', last)).toMatchObject({ mean: 0.6, n: 2 })
    expect(spreadOf(runs, 'a', { ...last, choice: 'best' })?.mean).toBeCloseTo(0.61)
    const atStep: Chosen = { metric, meaning: ACCURACY, choice: 10, atStep: new Map([[1, 0.25]]) }
    expect(spreadOf(runs, 'a', atStep)).toEqual({ mean: 0.25, sd: null, n: 1 })
    expect(comparedRuns(runs, atStep).map(({ metrics }) => metrics)).toEqual([
      { [metric]: { last: 0.25, best: 0.25, meaning: ACCURACY } },
      ...[{}, {}, {}],
    ])
  })

  it('is of complete runs alone', () => {
    const failed = runView(9, 'a', 3, 0.9, { status: 'failed' })
    expect(doneRuns({ ...study, runs: [...study.runs, failed] })).toHaveLength(4)
    expect(spreadOf([], 'a', last)).toBeNull()
    expect(spreadOf(doneRuns(study), 'a', { ...last, metric: 'loss' })).toBeNull()
  })

  it('has runs that diverged beside it, and none that failed for another reason', () => {
    const lost = runView(9, 'a', 3, 0.9, { status: 'failed', error: 'loss is NaN at step 4: training diverged' })
    const other = runView(10, 'b', 3, 0.9, { status: 'failed', error: 'out of memory' })
    const skipped = runView(11, 'b', 4, 0.9, { ...lost, id: null, skipped: true })
    const diverged = divergedRuns({ ...study, runs: [...study.runs, lost, other, skipped] })
    expect(diverged).toEqual([lost])
    expect(comparedRuns(diverged, last)[0]).toMatchObject({ status: 'failed', error: lost.error })
  })

  it('is of all seeds, and in training of those whose runs have all ended', () => {
    const running = runView(9, 'a', 3, 0.9, { status: 'running' })
    const failed = runView(10, 'b', 4, 0.9, { status: 'failed' })
    const growing = { ...study, runs: [...study.runs, running, failed] }
    expect(comparedSeeds(growing, true)).toEqual([1, 2, 4])
    expect(comparedSeeds(growing, false)).toEqual([1, 2, 3, 4])
    expect(seedCount(growing)).toBe(4)
  })
})
