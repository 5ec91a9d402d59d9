import type { MetricMeaning } from '../../records/meaning.ts'
import { selectionMetric } from '../../records/splits.ts'
import { hasDiverged, newestEnded } from '../statistics/diverged.ts'
import { newestDone, valueIn } from '../statistics/paired.ts'
import type { SeedNumber } from '../statistics/scores.ts'
import { type Soundness, soundness } from '../statistics/sound.ts'
import { togetherText } from '../statistics/together.ts'
import type { ComparedRun, VerdictsInput } from '../statistics/types.ts'
import { marginIn } from '../statistics/verdict.ts'
import { tunedText } from '../tuning/words.ts'
import type { Contrast, SeedValues } from './types.ts'

/** The numbers of a contrast by seed, and whether the runs that they are of can be compared. */
export interface ContrastNumbers extends Soundness {
  contrast: Contrast
  /** The seeds that are done in all variants. */
  seeds: SeedValues[]
  numbers: SeedNumber[]
  missing: number[]
  /** The margin of the plan, where it is in the unit of the numbers. */
  margin: number | undefined
}

/** Whether the sign of a number is better or worse. */
export const isOriented = ({ say, oriented = !say }: Contrast) => oriented

/** Whether the number of a seed is a difference in the unit of the metric, of that seed's runs alone. */
export const isDifference = (contrast: Contrast) =>
  isOriented(contrast) && !contrast.unitless && !contrast.given && !contrast.test

/** The numbers of a contrast, by seed, of the runs of a study. */
export function numbersOf(contrast: Contrast, meaning: MetricMeaning, input: VerdictsInput): ContrastNumbers {
  const { runs, metric, which = 'last', seeds: planned, design, notebook } = input
  const worst = !isDifference(contrast) || !meaning.better ? null : meaning.better === 'lower' ? 1 : -1
  const ended = worst === null ? newestDone : newestEnded
  const done = new Map(contrast.variants.map((variant) => [variant, ended(runs, variant)]))
  const all = [...new Set([...(planned ?? []), ...runs.map((run) => run.seed)])].sort((a, b) => a - b)
  const used: [ComparedRun, ComparedRun][] = []
  const lost: SeedNumber[] = []
  const seeds = all.flatMap((seed): SeedValues[] => {
    const own = contrast.variants.map((variant) => done.get(variant)?.get(seed))
    const isKnown = (run: ComparedRun) => hasDiverged(run) || Number.isFinite(valueIn(run, metric, which))
    if (own.some((run) => !run || !isKnown(run))) return []
    const [first, ...others] = own as ComparedRun[]
    for (const run of others) used.push([first as ComparedRun, run])
    const diverged = (own as ComparedRun[]).filter(hasDiverged).map(({ variant }) => variant)
    if (diverged.length > 0) {
      const balance = contrast.of((variant) => (diverged.includes(variant) ? (worst ?? 0) : 0)) ?? 0
      lost.push({ seed, number: lostNumber(balance), size: 0, diverged })
      return []
    }
    const at = (variant: string) => done.get(variant)?.get(seed) as ComparedRun
    return [
      {
        seed,
        value: (variant) => valueIn(at(variant), metric, which) as number,
        validation: (variant) => valueIn(at(variant), selectionMetric(metric), 'best'),
      },
    ]
  })
  const of = contrast.given?.(seeds, meaning) ?? contrast.of
  const finite = seeds.flatMap(({ seed, value }): SeedNumber[] => {
    const number = of(value)
    if (number === null || !Number.isFinite(number)) return []
    return [{ seed, number, size: Math.max(...contrast.variants.map((variant) => Math.abs(value(variant)))) }]
  })
  const intended = new Set(design?.variants.flatMap((each) => (done.has(each.variant) ? each.intended : [])))
  const found = new Set([...seeds, ...lost].map(({ seed }) => seed))
  const { problems, notes } = soundness(used, metric, intended, notebook)
  return {
    contrast,
    seeds,
    numbers: [...finite, ...lost].sort((a, b) => a.seed - b.seed),
    missing: all.filter((seed) => !found.has(seed)),
    margin: isDifference(contrast) ? marginIn(input) : undefined,
    problems,
    notes: [...tunedText(design, contrast.variants), ...togetherText(design), ...notes],
  }
}

/** Beyond all numbers on the side on which more diverged; nothing where that is neither. */
function lostNumber(balance: number): number {
  return Math.abs(balance) < 1e-9 ? 0 : Math.sign(balance) * Infinity
}
