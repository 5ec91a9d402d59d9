import { integer, keyOf } from '../../random.ts'
import type { PValue } from './family.ts'
import { smallestP } from './signFlip.ts'

/** Up to so many seeds all swaps are tried; beyond, `DRAWS` are drawn. */
const EXACT = 12
const DRAWS = 9_999
/** Statistics that differ by less than this share of the observed one are equal. */
const ROUNDING = 1e-9

/**
 * Two-sided p-value of a statistic of two sides, whatever is chosen inside of it, by a permutation test that swaps the sides within
 * seeds: the share of all swaps whose statistic is at least as far from 0. Right where the sides of a seed are exchangeable
 * (Fisher, "The Design of Experiments", 1935; the choice is repeated each time as in Westfall and Young, "Resampling-Based
 * Multiple Testing", 1993). Swapping all seeds has to turn the sign of the statistic. Exact up to 12 seeds, beyond
 * (hits + 1) / (draws + 1) over swaps that are the same in every call.
 */
export function swapTest(seeds: number, statistic: (isSwapped: (seed: number) => boolean) => number): PValue {
  const observed = Math.abs(statistic(() => false))
  const isHit = (isSwapped: (seed: number) => boolean) => Math.abs(statistic(isSwapped)) >= observed * (1 - ROUNDING)
  if (seeds <= EXACT) {
    const ways = 2 ** Math.max(0, seeds - 1) // the other half mirrors these
    let hits = 0
    for (let way = 0; way < ways; way++) if (isHit((seed) => ((way >> seed) & 1) === 1)) hits += 1
    return { p: hits / ways, smallest: smallestP(seeds) }
  }
  const key = keyOf(0, 'swaps')
  let hits = 0
  for (let draw = 0; draw < DRAWS; draw++) {
    if (isHit((seed) => integer(key, draw * seeds + seed, 2) === 1)) hits += 1
  }
  return { p: (hits + 1) / (DRAWS + 1), smallest: 1 / (DRAWS + 1) }
}
