import type { MetricMeaning } from '../../../records/meaning.ts'
import { newestEnded, rounded, type SeedNumber, valueIn } from '../failures.ts'
import type { ComparedRun, VerdictsInput, Which } from '../types.ts'

/**
 * The outcome of each seed of `plan` in its order, up to the first of which a run is not over: evidence counts in the order
 * of the plan, never in that of arrival. A run that diverged, or ended in a value that is not a number, loses to one that did
 * not, infinitely far on the worse side; of two of them nothing is known, and NaN makes no bet.
 */
export function pairOutcomes(
  variant: string,
  { runs, metric, which = 'last', baseline }: VerdictsInput,
  { better }: Pick<MetricMeaning, 'better'>,
  plan: readonly number[],
): SeedNumber[] {
  const [ours, theirs] = [newestEnded(runs, variant), newestEnded(runs, baseline)]
  const worst =
    better === undefined ? Number.NaN : better === 'lower' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  return outcomesUpTo(plan, (seed) => {
    const [run, other] = [ours.get(seed), theirs.get(seed)]
    if (!run || !other) return null
    const [value, base] = [valueOr(run, metric, which, worst), valueOr(other, metric, which, worst)]
    const size = Math.max(...[value, base].map((each) => (Number.isFinite(each) ? Math.abs(each) : 0)))
    return { seed, number: rounded(value - base, size), size, failed: [], lost: 0 }
  })
}

/** The outcomes of the first seeds of a plan, up to the first that has none yet. */
export function outcomesUpTo(plan: readonly number[], outcomeOf: (seed: number) => SeedNumber | null): SeedNumber[] {
  const outcomes: SeedNumber[] = []
  for (const seed of plan) {
    const outcome = outcomeOf(seed)
    if (!outcome) break
    outcomes.push(outcome)
  }
  return outcomes
}

/** The seed of the plan that is not over though a later one, among `found`, is: evidence ends before it. */
export function gapIn(plan: readonly number[], over: number, found: readonly { seed: number }[]): number[] {
  const gap = plan[over]
  return gap !== undefined && found.some(({ seed }) => plan.indexOf(seed) > over) ? [gap] : []
}

function valueOr(run: ComparedRun, metric: string, which: Which, worst: number): number {
  const value = valueIn(run, metric, which)
  return value !== undefined && Number.isFinite(value) ? value : worst
}
