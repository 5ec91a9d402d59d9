import type { MetricMeaning } from '../../records/meaning.ts'
import { type Soundness, soundness } from '../statistics/comparable.ts'
import {
  hasDiverged,
  hasLearned,
  type LearnedRule,
  measured,
  newestEnded,
  rounded,
  type SeedNumber,
  valueIn,
} from '../statistics/failures.ts'
import { togetherText } from '../statistics/family.ts'
import type { Compared } from '../statistics/judge.ts'
import type { ComparedRun, VerdictsInput } from '../statistics/judgement.ts'
import { worstOf } from '../statistics/sequentialTest.ts'
import { isCounted, marginIn, seedsIn } from '../statistics/verdict.ts'
import { trainedNames } from '../tuning/kept.ts'
import { tunedText } from '../tuning/words.ts'
import { atText, bestOfSides, namesIn, optionsOf, sumAt, withoutFailures } from './sides.ts'
import type { Contrast, SeedValues } from './types.ts'

/** The numbers of a contrast by seed, and whether the runs that they are of can be compared. */
export interface ContrastNumbers extends Soundness, Compared {
  contrast: Contrast
  /** The seeds that have a value in all variants. */
  seeds: SeedValues[]
  numbers: SeedNumber[]
  missing: number[]
  /** Minus or plus infinity where a side can be worse, else 0. */
  worst: number
  /** The choices that are compared, by side, where any are. */
  chosen: number[]
  /** What they are, and what could not be chosen, in words. */
  at: string[]
  /** Whether something is to be chosen, and no way of the metric is better. */
  unchosen: boolean
}

/** Whether the sign of a number is better or worse. */
export const isOriented = ({ say, oriented = !say }: Contrast) => oriented

/** Whether the number of a seed is a difference in the unit of the metric. */
export const isDifference = (contrast: Contrast) => isOriented(contrast) && !contrast.unitless && !contrast.test

/** What all contrasts of a study look up in its runs, found once. */
export interface KnownRuns {
  /** All seeds of the plan and of the runs, in order. */
  all: number[]
  byVariant: Map<string, ComparedRun[]>
  /** What the variants of a name are intended to differ in. */
  intended: Map<string, string[]>
  /** The variants that are trained for one that keeps several values. */
  trained: Map<string, string[]>
}

export function knownRuns(input: VerdictsInput): KnownRuns {
  const named = Map.groupBy(input.design?.variants ?? [], ({ variant }) => variant)
  const intended = new Map([...named].map(([name, all]) => [name, [...new Set(all.flatMap((each) => each.intended))]]))
  const byVariant = Map.groupBy(input.runs, ({ variant }) => variant)
  return { all: seedsIn(input), byVariant, intended, trained: trainedNames(input.design?.tuned) }
}

/**
 * The numbers of a contrast, by seed, of the runs of a study. A seed on which a run did not learn is one that failed. Where a
 * side is at the best of several choices, those on which the fewest seeds failed are chosen from, and the number is that of the
 * choices with the best means.
 */
export function numbersOf(
  given: Contrast,
  ruleOf: (variants: readonly string[]) => LearnedRule,
  meaning: MetricMeaning,
  input: VerdictsInput,
  { all, byVariant, trained, intended: intendedIn }: KnownRuns,
): ContrastNumbers {
  const { metric, which = 'last', design, notebook } = input
  const options = optionsOf(given, trained)
  const contrast = options ? { ...given, variants: namesIn(options) } : given
  const trainedFor = (variant: string) => trained.get(variant)?.[0] ?? variant
  const rule = ruleOf(contrast.variants.map(trainedFor))
  const newest = (variant: string) => newestEnded(byVariant.get(variant) ?? [], variant)
  const ended = new Map(contrast.variants.map((variant) => [variant, newest(trainedFor(variant))]))
  const used: [ComparedRun, ComparedRun][] = []
  const missing: number[] = []
  const seeds = all.flatMap((seed): SeedValues[] => {
    const own = contrast.variants.map((variant) => ended.get(variant)?.get(seed))
    const isOver = own.every((run) => run && valueIn(run, metric, which) !== undefined)
    if (!isOver || (contrast.test && own.some((run) => run && hasDiverged(run)))) {
      missing.push(seed)
      return []
    }
    const [first, ...others] = own as ComparedRun[]
    for (const run of others) used.push([first as ComparedRun, run])
    return [
      { seed, value: (variant) => valueIn(ended.get(variant)?.get(seed) as ComparedRun, metric, which) as number },
    ]
  })
  const isFailed = (variant: string, { value }: SeedValues) =>
    !contrast.test && !hasLearned(value(variant), rule, meaning)
  const failedOn = (variants: readonly string[]) =>
    seeds.filter((seed) => variants.some((variant) => isFailed(variant, seed))).length
  const left = options && withoutFailures(options, failedOn, seeds.length)
  const variants = left ? namesIn(left.options) : contrast.variants
  const finite = seeds.filter(({ value }) => variants.every((variant) => Number.isFinite(value(variant))))
  const failedIn = (seed: SeedValues) => variants.filter((variant) => isFailed(variant, seed))
  const own = measured(finite.map((seed) => ({ ...seed, number: 0, failed: failedIn(seed) }))).numbers
  const best = left && bestOfSides(left.options, own, meaning)
  const of = left && best ? sumAt(left.options, best.chosen) : contrast.of
  const sided = !options && isDifference(contrast) && !contrast.say
  const numbers = seeds.flatMap((seed): SeedNumber[] => {
    const failed = failedIn(seed)
    const size = Math.max(...variants.map((variant) => Math.abs(seed.value(variant))))
    const number = Number.isFinite(size) ? of(seed.value) : Number.NaN
    if (number === null || (Number.isFinite(size) && !Number.isFinite(number))) return []
    const lost = sided && failed.length > 0 ? (contrast.of((each) => Number(failed.includes(each))) ?? 0) : 0
    const own = contrast.unitless ? number : rounded(number, size)
    return [{ seed: seed.seed, number: own, size, failed, lost: rounded(lost, 1) }]
  })
  const isChosen = left && best && own.length > 0
  const chosen = isChosen ? best.chosen.map((place, side) => left.options[side]?.places[place] as number) : []
  const intended = new Set(contrast.variants.flatMap((variant) => intendedIn.get(trainedFor(variant)) ?? []))
  const { problems, notes } = soundness(used, metric, intended, notebook)
  return {
    contrast,
    rule,
    variants,
    seeds: finite,
    numbers,
    missing,
    sided,
    best: best ?? undefined,
    chosen,
    at: isChosen ? [...atText(given, options, chosen), ...left.leftOut] : [],
    unchosen: options !== null && best === null,
    worst: isDifference(contrast) ? worstOf(meaning) : 0,
    counted: !contrast.test && isCounted(variants.map((variant) => finite.map(({ value }) => value(variant)))),
    ownTest: Boolean(contrast.test ?? options),
    margin: isDifference(contrast) ? marginIn(input) : undefined,
    problems,
    notes: [...tunedText(design, given.variants), ...togetherText(design), ...notes],
  }
}
