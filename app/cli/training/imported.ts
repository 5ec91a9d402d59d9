import type { ImportedRuns } from '../../../engine/records/workspace.ts'
import { plural } from '../../../engine/study/statistics/index.ts'

/** Lines about runs that were left, at most. */
const MOST_LEFT = 10

/** What an import has come to, in words. */
export function linesOf({ journals, taken, done, known, left }: ImportedRuns): string[] {
  const lines = left
    .slice(0, MOST_LEFT)
    .map(({ study, variant, seed, why }) => `${study}, ${variant}, seed ${seed}: ${why}`)
  const more = left.length - lines.length
  return [
    `${plural(journals, 'journal')}: ${plural(taken, 'run')} taken, ${done} of them done; ${known} known already`,
    ...(left.length > 0
      ? [`${plural(left.length, 'run')} left for another time:`, ...lines.map((line) => `  ${line}`)]
      : []),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}
