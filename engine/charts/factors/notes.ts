import type { Factor, Level } from '../../study/design/crossing.ts'
import { plural } from '../../study/statistics/index.ts'
import type { Cells } from './cells.ts'
import { levelsText } from './words.ts'

/** Gaps that a note names; the rest is counted. */
const NAMED = 3

/** What a chart of factors averages over, and what it lacks, in sentences. */
export function cellNotes(all: Cells, others: readonly string[] = []): string[] {
  const { averaged, empty, each, open, total } = all
  const several = averaged.filter(({ levels }) => levels.length > 1)
  const lost = levelNames(empty)
  const gaps = gapNames(all)
  const more = gaps.length > NAMED ? [`${gaps.length - NAMED} more`] : []
  return [
    ...(several.length > 0
      ? [`Averaged over ${several.map(({ name }) => name).join(' and ')}, for seeds whose ${each} runs are complete.`]
      : []),
    ...(lost.length > 0 ? [`Without ${lost.join('; ')}, where there is nothing yet.`] : []),
    ...(open > 0 ? [`${open} of ${plural(total, 'run')} left out: not complete, or without a value.`] : []),
    ...(gaps.length > 0 ? [`Nothing yet at ${[...gaps.slice(0, NAMED), ...more].join('; ')}.`] : []),
    ...(others.length > 0 ? [`Without these factors, and not drawn: ${others.join(', ')}.`] : []),
  ]
}

/** Cells without any value, those of a level together where all of it are such; none where nothing is drawn. */
function gapNames({ names, cells }: Cells): string[] {
  const drawn = cells.filter((cell) => cell.drawn)
  if (drawn.length === 0) return []
  const isEmpty = (level: Level | undefined, i: number) => drawn.every(({ levels }) => levels[i] !== level)
  const whole = names.map((name, i) => {
    const all = new Set(cells.map(({ levels }) => levels[i] as Level))
    return { name, levels: [...all].filter((level) => isEmpty(level, i)) }
  })
  const single = cells.filter((cell) => !cell.drawn && !cell.levels.some(isEmpty))
  return [...levelNames(whole), ...single.map(({ levels }) => levelsText(names, levels))]
}

function levelNames(factors: readonly Factor[]): string[] {
  return factors.flatMap(({ name, levels }) => levels.map((level) => levelsText([name], [level])))
}
