import { duration } from '../study/duration.ts'
import { digitsFor, plural } from '../study/statistics/index.ts'
import type { PartResult, Results } from './results.ts'

/** A number in the digits that its spread bears. */
const shown = (value: number, spread: number) => value.toFixed(Math.max(2, digitsFor(spread)))

/** What a part came to in numbers: `0.81 against 0.86, difference -0.05 (-0.07 to -0.03), 7 seeds`. */
export function foundText({ means, difference, interval, seeds }: PartResult): string {
  if (difference === null) return 'nothing to compare'
  const spread = interval ? (interval.high - interval.low) / 2 : Math.abs(difference)
  const [first, second] = means ?? []
  const values =
    first === undefined || second === undefined ? [] : [`${shown(second, spread)} against ${shown(first, spread)}`]
  const range = interval ? ` (${shown(interval.low, spread)} to ${shown(interval.high, spread)})` : ''
  return [...values, `difference ${shown(difference, spread)}${range}`, `${seeds} seeds`].join(', ')
}

/** What it was planned to show: `margin 0.02; power 0.93, to be equal 0.80`. */
export function planText({ plan: { margin, power, equalPower } }: PartResult): string {
  return `margin ${Number(margin.toPrecision(3))}; power ${power.toFixed(2)}, to be equal ${equalPower.toFixed(2)}`
}

/** The verdict, and what would decide an open one: `open: about 12 more seeds would show it equal`. */
export function verdictText({
  verdict,
  needs,
  screening,
}: Pick<PartResult, 'verdict' | 'needs' | 'screening'>): string {
  if (screening !== undefined) return `${verdict}: ${screening}`
  return needs === undefined ? verdict : `${verdict}: ${needs}`
}

/** What a claim took, beside what its plan allows, and what of it is not trained yet. */
export function costText({ seconds, threads, claim }: Results): string {
  const planned = claim ? [`planned ${claim.minutes} min`] : []
  const left = claim?.left ? [`not trained yet: ${claim.left.join(', ')}`] : []
  return [`${duration(seconds)} on ${plural(threads, 'core')}`, ...planned, ...left].join(', ')
}
