import type { MetricMeaning } from '../../records/meaning.ts'
import { selectionMetric } from '../../records/splits.ts'
import {
  hasDiverged,
  hasLearned,
  type LearnedRule,
  newestEnded,
  rounded,
  type SeedNumber,
  valueIn,
} from '../statistics/failures.ts'
import type { Compared } from '../statistics/judge.ts'
import { isCounted, seedsIn } from '../statistics/paired.ts'
import { type Soundness, soundness } from '../statistics/sound.ts'
import { togetherText } from '../statistics/together.ts'
import type { ComparedRun, VerdictsInput } from '../statistics/types.ts'
import { marginIn } from '../statistics/verdict.ts'
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

/**
 * The numbers of a contrast, by seed, of the runs of a study. A seed on which a run did not learn is one that failed, but for
 * contrasts that choose among variants by all seeds: there a variant that learns nothing is not chosen.
 */
export function numbersOf(
  contrast: Contrast,
  rule: LearnedRule,
  meaning: MetricMeaning,
  input: VerdictsInput,
): ContrastNumbers {
  const { runs, metric, which = 'last', design, notebook } = input
  const sided = isDifference(contrast) && !contrast.say
  const chooses = Boolean(contrast.given || contrast.test)
  const ended = new Map(contrast.variants.map((variant) => [variant, newestEnded(runs, variant)]))
  const all = seedsIn(input)
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
  const intended = new Set(design?.variants.flatMap((each) => (ended.has(each.variant) ? each.intended : [])))
  const { problems, notes } = soundness(used, metric, intended, notebook)
  return {
    contrast,
    variants: contrast.variants,
    seeds: finite,
    numbers,
    missing,
    sided,
    worst: !isDifference(contrast) || !meaning.better ? 0 : meaning.better === 'lower' ? Infinity : -Infinity,
    counted: !chooses && isCounted(contrast.variants.map((variant) => finite.map(({ value }) => value(variant)))),
    ownTest: Boolean(contrast.test),
    margin: isDifference(contrast) ? marginIn(input) : undefined,
    problems,
    notes: [...tunedText(design, contrast.variants), ...togetherText(design), ...notes],
  }
}
