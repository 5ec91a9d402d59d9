import { prospect, type Verdict } from '../../engine/study/statistics/index.ts'

/** Without anything that speaks for another number. */
const FEW = 2

/** How many more seeds to propose for a study of `seeds` seeds: a few, or as many as a claim needs to be possible at all. */
export function proposedSeeds(seeds: number, verdicts: readonly Verdict[]): number {
  return verdicts.length === 0 ? FEW : Math.max(FEW, prospect(seeds, verdicts.length).needed - seeds)
}
