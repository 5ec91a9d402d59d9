import type { Judgement } from '../study/statistics/index.ts'

/** What a paper may expect of a comparison. */
export const EXPECTED = ['better', 'worse', 'more', 'less', 'equal'] as const
export type Expected = (typeof EXPECTED)[number]

/**
 * What became of a part of a claim. `found`: shown as the paper says. `found otherwise`: a difference is shown that has the
 * other sign, or that the paper says there is not. `equal within the margin`: the difference that the paper has is shown to be
 * smaller than what matters, whether or not it is shown to be one. `open`: nothing is shown.
 */
export const VERDICTS = ['found', 'found otherwise', 'equal within the margin', 'open'] as const
export type ClaimVerdict = (typeof VERDICTS)[number]

/** A judgement, and why it is not the one that was planned; null where it is. */
export type Decided = Pick<Judgement, 'claim' | 'difference' | 'within'> & { exploratory: string | null }

/** What a judgement says of an expectation. One that was not planned so decides nothing. */
export function verdictOf(expected: Expected, { claim, difference, within, exploratory }: Decided): ClaimVerdict {
  if (exploratory !== null) return 'open'
  if (claim === 'equal' || (within?.above && within.below)) {
    return expected === 'equal' ? 'found' : 'equal within the margin'
  }
  if (claim === 'better' || claim === 'worse') return claim === expected ? 'found' : 'found otherwise'
  if (claim !== 'different' || !difference) return 'open'
  return (difference > 0 ? 'more' : 'less') === expected ? 'found' : 'found otherwise'
}
