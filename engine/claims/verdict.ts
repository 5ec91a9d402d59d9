import type { MetricMeaning } from '../records/meaning.ts'
import type { Claim, Judgement } from '../study/statistics/index.ts'

/** What a paper may expect of a comparison. */
export const EXPECTED = ['better', 'worse', 'more', 'less', 'equal'] as const
export type Expected = (typeof EXPECTED)[number]

/**
 * What became of a part of a claim. `found`: shown as the paper says. `found otherwise`: a difference is shown that has the
 * other sign, or that the paper says there is not. `equal within the margin`: the difference that the paper has is shown to be
 * smaller than what matters, whether or not it is shown to be one. `open`: nothing is shown. `screening`: a variant does not pass the
 * floor of its data (screening.ts), so that the part counts as none of these.
 */
export const VERDICTS = ['found', 'found otherwise', 'equal within the margin', 'open', 'screening'] as const
export type ClaimVerdict = (typeof VERDICTS)[number]

/** A judgement, and why it is not the one that was planned, or not yet; null where it is. */
export type Decided = Pick<Judgement, 'claim' | 'difference' | 'within'> & {
  meaning: Pick<MetricMeaning, 'better'>
  exploratory: string | null
}

/** What a judgement says of an expectation. One that was not planned so decides nothing. */
export function verdictOf(expected: Expected, decided: Decided): ClaimVerdict {
  const { claim, difference, within, meaning, exploratory } = decided
  if (exploratory !== null) return 'open'
  if (claim === 'equal' || (within?.above && within.below)) {
    return expected === 'equal' ? 'found' : 'equal within the margin'
  }
  const found = sideOf(claim, difference ?? 0, meaning)
  return found === null ? 'open' : found === expected ? 'found' : 'found otherwise'
}

/** Which side a judgement is on; null where it shows none. */
function sideOf(claim: Claim, difference: number, { better }: Decided['meaning']): Expected | null {
  if (claim === 'better' || claim === 'fails less') return 'better'
  if (claim === 'worse' || claim === 'fails more') return 'worse'
  if (claim === 'counted' && better) return difference > 0 === (better === 'higher') ? 'better' : 'worse'
  return (claim === 'different' || claim === 'counted') && difference !== 0 ? (difference > 0 ? 'more' : 'less') : null
}
