import type { MetricMeaning } from '../../records/meaning.ts'
import { selectionMetric } from '../../records/splits.ts'
import { type Soundness, soundness } from '../statistics/comparable.ts'
import {
  hasDiverged,
  hasLearned,
  type LearnedRule,
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
import { tunedText } from '../tuning/words.ts'
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
}

/** Whether the sign of a number is better or worse. */
export const isOriented = ({ say, oriented = !say }: Contrast) => oriented

/** Whether the number of a seed is a difference in the unit of the metric, of that seed's runs alone. */
export const isDifference = (contrast: Contrast) =>
  isOriented(contrast) && !contrast.unitless && !contrast.given && !contrast.test

/** What all contrasts of a study look up in its runs, found once. */
export interface KnownRuns {
  /** All seeds of the plan and of the runs, in order. */
  all: number[]
  byVariant: Map<string, ComparedRun[]>
  /** What the variants of a name are intended to differ in. */
  intended: Map<string, string[]>
}

export function knownRuns(input: VerdictsInput): KnownRuns {
  const named = Map.groupBy(input.design?.variants ?? [], ({ variant }) => variant)
  const intended = new Map([...named].map(([name, all]) => [name, [...new Set(all.flatMap((each) => each.intended))]]))
  return { all: seedsIn(input), byVariant: Map.groupBy(input.runs, ({ variant }) => variant), intended }
}

/**
 * The numbers of a contrast, by seed, of the runs of a study. A seed on which a run did not learn is one that failed, but for
 * contrasts that choose among variants by all seeds: there a variant that learns nothing is not chosen.
 */
export function numbersOf(
  contrast: Contrast,
  rule: LearnedRule,
  meaning: MetricMeaning,
  input: VerdictsInput,
  { all, byVariant, intended: intendedIn }: KnownRuns,
): ContrastNumbers {
  const { metric, which = 'last', design, notebook } = input
  const sided = isDifference(contrast) && !contrast.say
  const chooses = Boolean(contrast.given || contrast.test)
  const newest = (variant: string) => newestEnded(byVariant.get(variant) ?? [], variant)
  const ended = new Map(contrast.variants.map((variant) => [variant, newest(variant)]))
  const used: [ComparedRun, ComparedRun][] = []
  const failedOn = new Map<number, string[]>()
  const missing: number[] = []
  const seeds = all.flatMap((seed): SeedValues[] => {
    const own = contrast.variants.map((variant) => ended.get(variant)?.get(seed))
    const isOver = own.every((run) => run && valueIn(run, metric, which) !== undefined)
    if (!isOver || (chooses && own.some((run) => run && hasDiverged(run)))) {
      missing.push(seed)
      return []
    }
    const [first, ...others] = own as ComparedRun[]
    for (const run of others) used.push([first as ComparedRun, run])
    const at = (variant: string) => ended.get(variant)?.get(seed) as ComparedRun
    const value = (variant: string) => valueIn(at(variant), metric, which) as number
    failedOn.set(seed, chooses ? [] : contrast.variants.filter((each) => !hasLearned(value(each), rule, meaning)))
    const validation = (variant: string) => valueIn(at(variant), selectionMetric(metric), 'best')
    return [{ seed, value, validation }]
  })
  const finite = seeds.filter(({ value }) => contrast.variants.every((variant) => Number.isFinite(value(variant))))
  const of = contrast.given?.(finite, meaning) ?? contrast.of
  const numbers = seeds.flatMap(({ seed, value }): SeedNumber[] => {
    const failed = failedOn.get(seed) ?? []
    const size = Math.max(...contrast.variants.map((variant) => Math.abs(value(variant))))
    const number = Number.isFinite(size) ? of(value) : Number.NaN
    if (number === null || (Number.isFinite(size) && !Number.isFinite(number))) return []
    const lost = sided && failed.length > 0 ? (contrast.of((each) => Number(failed.includes(each))) ?? 0) : 0
    return [{ seed, number: contrast.unitless ? number : rounded(number, size), size, failed, lost: rounded(lost, 1) }]
  })
  const intended = new Set(contrast.variants.flatMap((variant) => intendedIn.get(variant) ?? []))
  const { problems, notes } = soundness(used, metric, intended, notebook)
  return {
    contrast,
    rule,
    variants: contrast.variants,
    seeds: finite,
    numbers,
    missing,
    sided,
    worst: isDifference(contrast) ? worstOf(meaning) : 0,
    counted: !chooses && isCounted(contrast.variants.map((variant) => finite.map(({ value }) => value(variant)))),
    ownTest: Boolean(contrast.test),
    margin: isDifference(contrast) ? marginIn(input) : undefined,
    problems,
    notes: [...tunedText(design, contrast.variants), ...togetherText(design), ...notes],
  }
}
