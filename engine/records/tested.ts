import { MixlabError } from '../errors.ts'
import type { StoredRun } from './run.ts'
import { CHOSEN_STEP, isLegacyMetric } from './splits.ts'
import type { KeptWeights, WhichWeights } from './store.ts'

/** Which weights of a run are asked for: those that its test is made with, or some that it keeps, by name. */
export type RequestedWeights = 'tested' | WhichWeights

/** Weights that a run keeps, and what its test has to do with them. */
export interface ChosenWeights extends KeptWeights {
  /** Steps done when the weights were taken that the test was made with; null where the run has made none. */
  testedAt: number | null
}

type Measured = Pick<StoredRun, 'id' | 'metrics'>

/**
 * The weights that are asked for among those that a run keeps. Where no test was made these are the ones that validation
 * has chosen until now, or else the last. Throws MixlabError `store` where the run does not keep them.
 */
export function chosenWeights(run: Measured, kept: readonly KeptWeights[], asked: RequestedWeights): ChosenWeights {
  const named = (which: WhichWeights) => kept.find((each) => each.which === which)
  const chosenAt = run.metrics[CHOSEN_STEP]?.last ?? null
  const testedAt = chosenAt ?? lastOldTest(run)
  // before validation chose, the last test of a run was made with its last weights
  const byValidation = chosenAt !== null || testedAt === null
  const found = asked === 'tested' ? ((byValidation ? named('best') : undefined) ?? named('last')) : named(asked)
  if (!found) throw new MixlabError('store', `run ${run.id}`, `has no ${missing(asked, kept)}`)
  // older stores have the step of the checkpoint that brought the best ones
  const step = found.which === 'best' ? (chosenAt ?? found.step) : found.step
  return { ...found, step, testedAt }
}

/** What a run has not, and what there is to ask for instead. */
function missing(asked: RequestedWeights, kept: readonly KeptWeights[]): string {
  if (kept.length === 0) return 'weights: it ended before its first checkpoint'
  const own = kept.map(({ which, step }) => (which === step ? `step ${step}` : `${which}, of step ${step}`))
  const what = typeof asked === 'number' ? `weights of step ${asked}` : `${asked === 'best' ? 'best' : 'last'} weights`
  return `${what} (kept: ${own.join('; ')})`
}

/** The step of the last evaluation of a run of before there was a validation split; null for others. */
function lastOldTest({ metrics }: Measured): number | null {
  return Object.entries(metrics).find(([name]) => isLegacyMetric(name))?.[1].lastStep ?? null
}

/** Whether the test of the run was made with these weights. */
export const isTested = ({ step, testedAt }: Pick<ChosenWeights, 'step' | 'testedAt'>): boolean => step === testedAt

const steps = (count: number | null) => `${count} ${count === 1 ? 'step' : 'steps'}`

/** Which weights these are, in words: `best on validation, after 20 steps; the test of the run was made with them`. */
export function weightsText(weights: ChosenWeights): string {
  const { which, step, testedAt } = weights
  const name = which === 'best' ? 'best on validation, ' : which === 'last' ? 'the last, ' : ''
  const others = `the test of the run was made with others, after ${steps(testedAt)}`
  const made = isTested(weights) ? 'the test of the run was made with them' : others
  return `${name}after ${steps(step)}; ${testedAt === null ? 'the run has made no test' : made}`
}
