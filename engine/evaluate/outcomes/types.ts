import type { Outcomes } from '../../records/outcomes/outcomes.ts'
import type { Evaluator } from '../types.ts'

/** Collects what a model comes to example by example over an evaluation. */
export interface OutcomeCollector extends Pick<Evaluator, 'add' | 'reads'> {
  value(): Outcomes
}
