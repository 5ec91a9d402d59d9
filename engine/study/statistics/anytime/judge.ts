import type { MetricMeaning } from '../../../records/meaning.ts'
import { median } from '../../time/median.ts'
import { effect } from '../effect.ts'
import type { SeedNumber } from '../failures.ts'
import type { Claim, Failures, Judgement } from '../types.ts'
import { fewestLooks } from './evidence.ts'
import type { LookedTest } from './looks.ts'
import { confidenceSequence } from './sequence.ts'

/** Judges the numbers of the seeds that are over, in the order of the plan, by the evidence of their signs; NaN is none. */
export function judgeLooks(
  numbers: readonly SeedNumber[],
  { shown: _, sign, highest, highestCorrected, ...looks }: LookedTest,
  { better }: Pick<MetricMeaning, 'better'>,
  problems: readonly string[],
  failures: Failures,
): Judgement {
  const direction = better === 'lower' ? -1 : 1
  const known = numbers.filter(({ number }) => !Number.isNaN(number))
  const all = known.map(({ number }) => number)
  const signs = all.map(Math.sign)
  const sound = known.length > 0 && problems.length === 0
  const decided = sound && looks.decidedWith !== null
  const claim: Claim = decided ? (better ? (sign === direction ? 'better' : 'worse') : 'different') : 'open'
  const middle = median(all)
  return {
    claim: claim === 'open' && sound && known.length < fewestLooks() ? 'too few' : claim,
    difference: middle === null || Number.isNaN(middle) ? null : middle,
    interval: confidenceSequence(all),
    p: sound ? 1 / highest : null,
    adjusted: sound ? 1 / highestCorrected : null,
    effect: effect(all.filter(Number.isFinite)),
    wins: signs.filter((each) => each === direction).length,
    ties: numbers.length - signs.filter((each) => each !== 0).length,
    losses: signs.filter((each) => each === -direction).length,
    moreSeeds: decided ? 0 : null,
    failures,
    looks,
  }
}
