import { meaningIn } from '../../records/meaning.ts'
import { meanOf } from '../summary.ts'
import { bca } from './bca.ts'
import { effect } from './effect.ts'
import { type Test, testFamily } from './family.ts'
import { pairsOf } from './paired.ts'
import { differencesOf } from './sameRecipe.ts'
import { fewestSeeds, seedsFor } from './seeds.ts'
import type { Claim, ComparedRun, SeedPair, Verdict, VerdictsInput } from './types.ts'
import { sentenceOf } from './words.ts'

/**
 * What the runs of a study show: for each variant, in the order given, how it compares to the baseline over the seeds that
 * both have. Takes some milliseconds per variant. docs/statistics.md says how, and what it assumes.
 */
export function verdicts(input: VerdictsInput): Verdict[] {
  const { metric } = input
  const meaning = meaningIn(input.runs, metric)
  const wanted = meaning.better === 'lower' ? -1 : 1
  const compared = input.variants
    .filter((variant) => variant !== input.baseline)
    .map((variant) => ({ variant, ...pairsOf(variant, input) }))
    .map((each) => ({ ...each, ...checked(each.pairs, input.runs, metric) }))
  const tests = testFamily(compared.map(({ pairs, problems }) => (problems.length > 0 ? [] : differences(pairs))))
  return compared.map(({ variant, pairs, missing, broken, problems, notes }, index) => {
    const test = tests[index] as Test
    const all = differences(pairs)
    const tested = pairs.length > 0 && problems.length === 0
    const rounded = all.map((value, i) => roundedSign(value, pairs[i] as SeedPair))
    const verdict = {
      variant,
      baseline: input.baseline,
      metric,
      meaning,
      claim: problems.length > 0 ? 'open' : claimOf(test, all, meaning.better && wanted),
      pairs,
      difference: all.length > 0 ? meanOf(all) : null,
      interval: bca(all, meanOf),
      p: tested ? test.p : null,
      adjusted: tested ? test.adjusted : null,
      effect: effect(all),
      wins: rounded.filter((sign) => sign === wanted).length,
      ties: rounded.filter((sign) => sign === 0).length,
      losses: rounded.filter((sign) => sign === -wanted).length,
      missing,
      problems,
      notes: [...notes, ...broken.map((run) => `${metric} of ${run.variant}, seed ${run.seed}, is not a number`)],
      moreSeeds: problems.length > 0 ? null : moreSeeds(all, test),
    }
    return { ...verdict, sentence: sentenceOf(verdict) }
  })
}

function differences(pairs: readonly SeedPair[]): number[] {
  return pairs.map(({ difference }) => difference)
}

/** What makes pairs unsound, and what is to be known of them; each once. */
function checked(
  pairs: readonly SeedPair[],
  runs: readonly ComparedRun[],
  metric: string,
): { problems: string[]; notes: string[] } {
  const known = new Map(runs.map((run) => [run.id, run]))
  const found = pairs.map((pair) => pair.runs.map((id) => known.get(id) as ComparedRun) as [ComparedRun, ComparedRun])
  const problems = found.flatMap(([a, b]) => (a.spec && b.spec ? differencesOf(a.spec, b.spec, metric) : []))
  const notes = found.flatMap(([a, b]) => (a.backend === b.backend ? [] : [`backend ${a.backend} and ${b.backend}`]))
  return { problems: [...new Set(problems)], notes: [...new Set(notes)] }
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

/** The sign of a difference, 0 where it is rounding. */
function roundedSign(difference: number, { value, baseline }: SeedPair): number {
  return Math.abs(difference) <= 1e-12 * Math.max(Math.abs(value), Math.abs(baseline)) ? 0 : Math.sign(difference)
}
