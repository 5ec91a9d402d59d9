import type { Factor } from './crossing.ts'

/** How the levels of a numeric factor are spread: evenly, or by powers of two or ten. */
export type Spacing = 'linear' | 'log2' | 'log10'

/** From this ratio on, two levels are spread by powers. */
const WIDE = 10

/** A factor whose levels are all numbers. */
export interface NumericFactor extends Factor {
  levels: number[]
}

export function isNumeric(factor: Factor): factor is NumericFactor {
  return factor.levels.every((level) => typeof level === 'number' && Number.isFinite(level))
}

/** By powers where levels above 0 lie more evenly so, as learning rates do; by powers of two where all are such. */
export function spacingOf(levels: readonly number[]): Spacing {
  const sorted = levels.toSorted((a, b) => a - b)
  const [low = 0, high = 0] = [sorted[0], sorted.at(-1)]
  if (low <= 0) return 'linear'
  const wide = sorted.length > 2 ? unevenness(sorted.map(Math.log)) < unevenness(sorted) : high / low >= WIDE
  const twos = sorted.every((level) => level >= 1 && Number.isInteger(Math.log2(level)))
  if (twos && (wide || high / low > 2)) return 'log2'
  return wide ? 'log10' : 'linear'
}

/** The largest step of sorted numbers over the smallest. */
function unevenness(sorted: readonly number[]): number {
  const steps = sorted.slice(1).map((value, i) => value - (sorted[i] ?? 0))
  return Math.max(...steps) / Math.min(...steps)
}
