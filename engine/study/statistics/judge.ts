import type { MetricMeaning } from '../../records/meaning.ts'
import { meanOf } from '../summary.ts'
import { bca } from './bca.ts'
import { effect } from './effect.ts'
import type { Test } from './family.ts'
import { fewestSeeds, seedsFor } from './seeds.ts'
import type { Claim, Judgement } from './types.ts'

/** A number of one seed, such as the difference of a pair: a contrast of that seed's runs. */
export interface SeedNumber {
  seed: number
  /** In the unit of what is asked. */
  number: number
  /** The largest size of the values that it was computed from: a number far below it is rounding. */
  size: number
}

/** Judges numbers, one per seed, by a test of them. With any `problems` there is no claim. */
export function judge(
  numbers: readonly SeedNumber[],
  test: Test,
  meaning: Pick<MetricMeaning, 'better'>,
  problems: readonly string[],
): Judgement {
  const direction = meaning.better === 'lower' ? -1 : 1
  const all = numbers.map(({ number }) => number)
  const signs = numbers.map(roundedSign)
  const sound = numbers.length > 0 && problems.length === 0
  return {
    claim: problems.length > 0 ? 'open' : claimOf(test, all, meaning.better && direction),
    difference: all.length > 0 ? meanOf(all) : null,
    interval: bca(all, meanOf),
    p: sound ? test.p : null,
    adjusted: sound ? test.adjusted : null,
    effect: effect(all),
    wins: signs.filter((sign) => sign === direction).length,
    ties: signs.filter((sign) => sign === 0).length,
    losses: signs.filter((sign) => sign === -direction).length,
    moreSeeds: problems.length > 0 ? null : moreSeeds(all, test),
  }
}

/** `wanted` is the sign of what is better, if any. */
function claimOf(test: Test, all: readonly number[], wanted: number | undefined): Claim {
  if (test.shown) return wanted === undefined ? 'different' : Math.sign(meanOf(all)) === wanted ? 'better' : 'worse'
  return test.tooFew ? 'too few' : 'open'
}

function moreSeeds(all: readonly number[], { shown, level }: Test): number | null {
  if (shown) return 0
  const size = all.length > 2 && all.every((value) => value === 0) ? 0 : effect(all)
  const needed = size === null ? fewestSeeds(level) : seedsFor(Math.abs(size), level, all.length)
  return needed === null ? null : Math.max(1, needed - all.length)
}

/** The sign of a number, 0 where it is rounding. */
function roundedSign({ number, size }: SeedNumber): number {
  return Math.abs(number) <= 1e-12 * size ? 0 : Math.sign(number)
}
