import type { FigureStyle } from '../figure/figure.ts'
import { type Look, lookOf } from '../figure/palette.ts'

/** How groups of runs are drawn, the same in all charts of a wall. */
export interface GroupLooks {
  /** The place of a group among the colours. */
  placeOf(name: string): number
  /** Groups that are not drawn. */
  hidden: ReadonlySet<string>
}

/** The look of a group. */
export function groupLook(name: string, { placeOf }: GroupLooks, style: FigureStyle): Look {
  return lookOf(placeOf(name), style)
}

/** Whether a chart is for paper, where no legend of the wall stands beside it. */
export function isOnPaper({ distinct }: FigureStyle): boolean {
  return distinct === true
}

/** A run and what it came to in some columns, by name. */
export interface GroupedRun {
  run: number
  study: string
  variant: string
  seed: number
  status: string
  group: string
  values: Record<string, string | number | null>
}

/** The value of a column as a number; NaN where it is none. */
export function numberIn({ values }: GroupedRun, column: string): number {
  const value = values[column]
  return typeof value === 'number' ? value : Number.NaN
}

/** `study, variant, seed 3`. */
export function runName({ study, variant, seed }: Pick<GroupedRun, 'study' | 'variant' | 'seed'>): string {
  return `${study}, ${variant}, seed ${seed}`
}

const COUNT = new Intl.NumberFormat('en-US')

/** `1 run`, `12 runs`. */
export function runsCount(count: number): string {
  return `${COUNT.format(count)} ${count === 1 ? 'run' : 'runs'}`
}

const NUMBER = /(\d+(?:\.\d+)?(?:e[-+]?\d+)?)/i

/** The order of groups, and so of their colours: word by word, numbers in the same place by their size, so that 0.003 is before 0.01, and 2 before 10. */
export function byWordsAndNumbers(a: string, b: string): number {
  const [left, right] = [a.split(NUMBER), b.split(NUMBER)]
  for (const [i, word] of left.entries()) {
    const other = right[i] ?? ''
    // what `split` keeps of the pattern stands at odd places
    const order = i % 2 === 1 ? Number(word) - Number(other) : word.localeCompare(other)
    if (order !== 0) return order
  }
  return left.length - right.length
}
