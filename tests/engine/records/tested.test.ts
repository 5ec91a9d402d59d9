import { describe, expect, it } from 'vitest'
import type { MetricSummary } from '../../../engine/records/run.ts'
import type { KeptWeights } from '../../../engine/records/store.ts'
import { chosenWeights, isTested, type RequestedWeights, weightsText } from '../../../engine/records/tested.ts'

const kept: KeptWeights[] = [
  { which: 10, step: 10 },
  { which: 'best', step: 20 },
  { which: 'last', step: 30 },
]
const lastOnly = kept.filter(({ which }) => which === 'last')
const summary = (last: number, lastStep: number) => ({ last, lastStep }) as MetricSummary
const runWith = (metrics: Record<string, MetricSummary>) => ({ id: 7, metrics })
const tested = runWith({ 'chosen/step': summary(20, 30), 'test/accuracy': summary(0.9, 30) })
const untested = runWith({ 'validation/accuracy': summary(0.9, 20) })
/** Of before there was a validation split: the best ones were chosen by test examples, and are not what was measured last. */
const old = runWith({ 'eval/accuracy': summary(0.9, 30) })

describe('weights that are asked for', () => {
  it.each<[string, Parameters<typeof chosenWeights>[0], KeptWeights[], RequestedWeights, string]>([
    [
      'the test was made with',
      tested,
      kept,
      'tested',
      'best on validation, after 20 steps; the test of the run was made with them',
    ],
    [
      'are the last',
      tested,
      kept,
      'last',
      'the last, after 30 steps; the test of the run was made with others, after 20 steps',
    ],
    ['are of a step', tested, kept, 10, 'after 10 steps; the test of the run was made with others, after 20 steps'],
    ['no test was made of', untested, kept, 'tested', 'best on validation, after 20 steps; the run has made no test'],
    ['nothing was validated of', untested, lastOnly, 'tested', 'the last, after 30 steps; the run has made no test'],
    [
      'an old run was tested with',
      old,
      kept,
      'tested',
      'the last, after 30 steps; the test of the run was made with them',
    ],
    [
      'an old run chose',
      old,
      kept,
      'best',
      'best on validation, after 20 steps; the test of the run was made with others, after 30 steps',
    ],
  ])('%s', (_, run, kept, asked, words) => {
    const chosen = chosenWeights(run, kept, asked)
    expect(weightsText(chosen)).toBe(words)
    expect(isTested(chosen)).toBe(words.endsWith('with them'))
  })
  it('are of the step at which validation chose them, whatever checkpoint brought them', () => {
    const late: KeptWeights[] = [{ which: 'best', step: 28 }, ...lastOnly]
    expect(chosenWeights(tested, late, 'tested')).toEqual({ which: 'best', step: 20, testedAt: 20 })
    expect(chosenWeights(untested, late, 'best').step).toBe(28)
  })
  it('are the tested ones by any name', () => {
    const same: KeptWeights[] = [{ which: 20, step: 20 }, ...lastOnly]
    expect(isTested(chosenWeights(tested, same, 20))).toBe(true)
    const atEnd = runWith({ 'chosen/step': summary(30, 30) })
    expect(isTested(chosenWeights(atEnd, lastOnly, 'last'))).toBe(true)
    expect(chosenWeights(atEnd, lastOnly, 'tested').which).toBe('last')
  })
  it('are of one step, or of several', () => {
    expect(weightsText({ which: 1, step: 1, testedAt: null })).toBe('after 1 step; the run has made no test')
  })
  it('are refused where the run does not keep them', () => {
    expect(() => chosenWeights(tested, [], 'tested')).toThrow(
      'run 7: has no weights: it ended before its first checkpoint',
    )
    expect(() => chosenWeights(tested, lastOnly, 'best')).toThrow('run 7: has no best weights')
    expect(() => chosenWeights(tested, kept, 11)).toThrow('run 7: has no weights of step 11')
  })
})
