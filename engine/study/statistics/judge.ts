import type { MetricMeaning } from '../../records/meaning.ts'
import { meanOf } from '../summary.ts'
import { bca } from './bca.ts'
import { effect } from './effect.ts'
import type { Test } from './family.ts'
import { withinOf } from './margin/within.ts'
import { type SeedNumber, scores, signOf } from './scores.ts'
import { fewestSeeds, seedsFor } from './seeds.ts'
import type { Claim, Diverged, Judgement } from './types.ts'

/** Judges numbers, one per seed, by a test of them. With any `problems` there is no claim. */
export function judge(
  numbers: readonly SeedNumber[],
  test: Test,
  meaning: Pick<MetricMeaning, 'better'>,
  problems: readonly string[],
  margin?: number | undefined,
): Judgement {
  const direction = meaning.better === 'lower' ? -1 : 1
  const all = numbers.filter(({ diverged }) => !diverged).map(({ number }) => number)
  const tested = scores(numbers)
  const signs = numbers.map(signOf)
  const isSound = problems.length === 0
  const sound = numbers.length > 0 && isSound
  const within = sound && test.within && margin !== undefined && withinOf(numbers, margin, test.within, test.level)
  const diverged = divergedIn(numbers)
  return {
    claim: isSound ? claimOf(test, tested, meaning.better && direction) : 'open',
    difference: all.length > 0 ? meanOf(all) : null,
    interval: bca(all, meanOf),
    p: sound ? test.p : null,
    adjusted: sound ? test.adjusted : null,
    effect: effect(all),
    wins: signs.filter((sign) => sign === direction).length,
    ties: signs.filter((sign) => sign === 0).length,
    losses: signs.filter((sign) => sign === -direction).length,
    moreSeeds: isSound ? moreSeeds(tested, test) : null,
    ...(within && { within }),
    ...(diverged && { diverged }),
  }
}

/** `wanted` is the sign of what is better, if any. */
function claimOf(test: Test, all: readonly number[], wanted: number | undefined): Claim {
  if (test.shown) return wanted === undefined ? 'different' : Math.sign(meanOf(all)) === wanted ? 'better' : 'worse'
  const { above = false, below = false } = test.within ?? {}
  if (above && below) return 'equal'
  if (wanted !== undefined && (above || below)) return above === wanted > 0 ? 'not worse' : 'not better'
  return test.tooFew ? 'too few' : 'open'
}

function moreSeeds(all: readonly number[], { shown, level }: Test): number | null {
  if (shown) return 0
  const size = all.length > 2 && all.every((value) => value === 0) ? 0 : effect(all)
  const needed = size === null ? fewestSeeds(level) : seedsFor(Math.abs(size), level, all.length)
  return needed === null ? null : Math.max(1, needed - all.length)
}

function divergedIn(numbers: readonly SeedNumber[]): Diverged | null {
  const lost = numbers.flatMap(({ diverged }) => (diverged ? [diverged] : []))
  if (lost.length === 0) return null
  const by: Record<string, number> = {}
  for (const variant of lost.flat()) by[variant] = (by[variant] ?? 0) + 1
  return { seeds: lost.length, by }
}
