import { MixlabError } from '../../errors.ts'
import { isNumeric, type NumericFactor, spacingOf } from '../design/spacing.ts'
import { meanOf } from '../summary.ts'
import { factorOf } from './factors.ts'
import type { Asked } from './types.ts'

/** By what steps of an ordered factor are equal: the same difference, or the same ratio. */
export type Scale = 'linear' | 'log'

export interface ScaleOptions {
  /** By default the one on which the levels lie more evenly, as on the axes of charts. */
  scale?: Scale
}

/** A factor of numbers, the smallest level first, on a scale. */
export interface OrderedFactor extends NumericFactor {
  scale: Scale
  /** The levels on the scale: themselves, or their logarithms to base 2. */
  places: number[]
}

/**
 * A factor with its levels by size, for `what`, e.g. `a slope`; on the scale `linear` or `log`, where that is given.
 * Throws MixlabError `option` where a level is no number, or has no logarithm where the scale needs it.
 */
export function orderedFactor(asked: Asked, what: string, name: unknown, wanted?: unknown): OrderedFactor {
  const fail = (why: string) => new MixlabError('option', `${asked.study}.questions`, why)
  const factor = factorOf(asked, name)
  if (!isNumeric(factor)) {
    const other = factor.levels.find((level) => typeof level !== 'number')
    throw fail(`level '${other}' of factor '${factor.name}' is no number, and ${what} needs numbers`)
  }
  const levels = factor.levels.toSorted((a, b) => a - b)
  const scale = (wanted as Scale | undefined) ?? (spacingOf(levels) === 'linear' ? 'linear' : 'log')
  const low = levels.find((level) => level <= 0)
  if (scale === 'log' && low !== undefined) {
    throw fail(`level ${low} of factor '${factor.name}' has no logarithm, and ${what} on a logarithmic scale needs it`)
  }
  return { name: factor.name, levels, scale, places: scale === 'log' ? levels.map(Math.log2) : levels }
}

/** The straight line through points by least squares: its height at 0, and its slope. */
export function lineThrough(places: readonly number[], heights: readonly number[]): { at0: number; slope: number } {
  const [middle, height] = [meanOf(places), meanOf(heights)]
  const wide = places.reduce((sum, place) => sum + (place - middle) ** 2, 0)
  const slope = places.reduce((sum, place, i) => sum + (place - middle) * (heights[i] as number), 0) / wide
  return { at0: height - slope * middle, slope }
}
