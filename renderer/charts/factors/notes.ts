import { plural } from '../../../engine/study/statistics/index.ts'
import type { Cells } from './cells.ts'
import { levelsText } from './words.ts'

/** Gaps that a note names; the rest is counted. */
const NAMED = 3

/** What a chart of factors averages over, and what it lacks, in sentences. */
export function cellNotes(
  { names, cells, averaged, each, open, total }: Cells,
  others: readonly string[] = [],
): string[] {
  const gaps = cells.filter(({ drawn }) => !drawn)
  const named = gaps.slice(0, NAMED).map(({ levels }) => levelsText(names, levels))
  const more = gaps.length > NAMED ? [`${gaps.length - NAMED} more`] : []
  return [
    ...(averaged.length > 0
      ? [`Averaged over ${averaged.join(' and ')}, for seeds whose ${each} runs are complete.`]
      : []),
    ...(open > 0 ? [`${open} of ${plural(total, 'run')} left out: not complete, or without a value.`] : []),
    ...(gaps.length > 0 && gaps.length < cells.length ? [`Nothing yet at ${[...named, ...more].join('; ')}.`] : []),
    ...(others.length > 0 ? [`Without these factors, and not drawn: ${others.join(', ')}.`] : []),
  ]
}
