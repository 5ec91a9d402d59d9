import { normalQuantile } from './normal.ts'
import { fewestOneSided, smallestP } from './signFlip.ts'
import type { Prospect } from './types.ts'

/** The share of studies without any difference in which one may be claimed. */
export const ALPHA = 0.05
/** Statistical power: how probable it should be that a real difference is shown. */
export const POWER = 0.8
export const MAX_EXTRA_SEEDS = 100

/**
 * What so many seeds can show in `comparisons` variants beside the baseline, of each of `studies` that were planned
 * together. All are whole; comparisons may be 0.
 */
export function prospect(seeds: number, comparisons: number, studies = 1): Prospect {
  const family = comparisons * studies
  const smallest = Math.min(1, smallestP(seeds) * family)
  const enough = family > 0 && smallest <= ALPHA
  const needed = fewestSeeds(ALPHA / Math.max(1, family))
  const beside = studies > 1 ? ` in each of ${studies} studies` : ''
  return {
    ...{ seeds, comparisons, smallest, enough, needed },
    sentence: sentence(seeds, comparisons, smallest, needed, beside),
  }
}

function sentence(seeds: number, comparisons: number, smallest: number, needed: number, beside: string): string {
  if (comparisons === 0) return 'one variant: there is nothing to compare it with'
  const count = plural(seeds, 'seed')
  const several = comparisons > 1 || beside !== ''
  const compared = `${plural(comparisons, 'comparison')}${beside}`
  const p = significant(smallest)
  if (smallest > ALPHA) {
    const who = several ? `with ${compared} ${count}` : count
    const after = several ? " after Holm's correction" : ''
    return `${who} cannot reach ${ALPHA}${after} (smallest p ${p}); ${plural(needed, 'seed')} can`
  }
  if (!several) return `${count} can show a difference: the smallest p is ${p}`
  return `${count} can show a difference: with ${compared} the smallest p after Holm's correction is ${p}`
}

/**
 * What so many seeds cannot show of a margin in `comparisons` variants beside the baseline, in each of several `studies` that
 * were planned together; null where they can.
 */
export function marginProspect(seeds: number, comparisons: number, studies = 1): string | null {
  if (comparisons === 0) return null
  const fewest = fewestOneSided(ALPHA / comparisons / studies)
  if (seeds >= fewest) return null
  return `${plural(seeds, 'seed')} cannot show that anything is equal within the margin; ${plural(fewest, 'seed')} can`
}

/** The fewest seeds with which a p of at most `level` is possible at all. */
export function fewestSeeds(level: number): number {
  let seeds = 1
  while (smallestP(seeds) > level) seeds += 1
  return seeds
}

/**
 * How many seeds show a standardised mean difference with a power of 80% at a two-sided `level`:
 * n = ((z_level + z_power) / effect)^2 + z_level^2 / 2 (Guenther, "Sample Size Formulas for Normal Theory t Tests", 1981),
 * and never fewer than can show anything. Null above `MAX_EXTRA_SEEDS` more than `have`.
 */
export function seedsFor(effect: number, level: number, have = 0): number | null {
  const z = normalQuantile(1 - level / 2)
  const seeds = Math.ceil(((z + normalQuantile(POWER)) / effect) ** 2 + z ** 2 / 2)
  return seeds - have > MAX_EXTRA_SEEDS ? null : Math.max(seeds, fewestSeeds(level))
}

/** `1 seed`, `2 seeds`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** 0.0625, 0.031, 1: as many digits as tell it from 0.05. */
export function significant(p: number): string {
  return String(Number(p.toPrecision(p > 0.05 && p < 0.1 ? 3 : 2)))
}

/** `+1.8`, `-0.4`, and `0.0` for what is rounded to nothing. */
export function signedText(value: number, digits: number): string {
  const text = value.toFixed(digits)
  if (Number(text) === 0) return text.replace('-', '')
  return value > 0 ? `+${text}` : text
}

/** Decimals to print beside an uncertainty of this size: two of its digits where they are below 30, else one. */
export function digitsFor(uncertainty: number): number {
  return uncertainty > 0 ? Math.min(8, Math.max(0, -Math.floor(Math.log10(uncertainty / 3)))) : 0
}
