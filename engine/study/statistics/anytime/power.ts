import { normalCdf } from '../normal.ts'
import { smallestFor } from '../power.ts'
import { POWER } from '../seeds.ts'
import { ENOUGH, evidence, fewestLooks } from './evidence.ts'

/** More seeds than a plan with looks goes up to. */
const MOST = 200
const ROUNDING = 1e-12

/**
 * Statistical power after looks: the probability that normal numbers with a mean of `effect` standard deviations have ever had
 * an evidence of 20 times `family` after at most so many seeds, by the number of seeds, from 0 on. Exact: summed over all
 * counts of signs, of which each is positive with the probability that a number is.
 */
export function looksPowers(effect: number, upTo: number, family = 1): number[] {
  const chance = normalCdf(effect)
  const needed = ENOUGH * family * (1 - ROUNDING)
  const powers = [0]
  let open = [1] // the probability of each count of positive signs that is not decided
  let decided = 0
  for (let seeds = 1; seeds <= upTo; seeds++) {
    const next = new Array<number>(seeds + 1).fill(0)
    for (const [more, share] of open.entries()) {
      next[more] = (next[more] as number) + share * (1 - chance)
      next[more + 1] = (next[more + 1] as number) + share * chance
    }
    for (const [more, share] of next.entries()) {
      if (share === 0 || evidence(more, seeds - more) < needed) continue
      decided += share
      next[more] = 0
    }
    open = next
    powers.push(decided)
  }
  return powers
}

/** The same after all of them. */
export function looksPower(effect: number, upTo: number, family = 1): number {
  return looksPowers(effect, upTo, family)[upTo] as number
}

/** The smallest effect that is decided with a power of 0.8; null where none is. */
export function smallestLooked(upTo: number, family = 1): number | null {
  return smallestFor((effect) => looksPower(effect, upTo, family))
}

/** The fewest seeds up to which a plan has a power of 0.8 for an effect; null where it takes more than 200. */
export function looksForPower(effect: number, family = 1): number | null {
  const found = looksPowers(effect, MOST, family).findIndex((each) => each >= POWER)
  return found < 0 ? null : Math.max(found, fewestLooks(ENOUGH * family))
}
