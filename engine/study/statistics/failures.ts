import { saysDiverged } from '../../records/diverged.ts'
import { isBetter, type MetricMeaning } from '../../records/meaning.ts'
import type { ComparedRun, VerdictsInput, Which } from './judgement.ts'

/** The value of the metric from which on a run has learned. */
export interface LearnedRule {
  /** Null for none: then only a run that diverged has not learned. */
  threshold: number | null
}

/** A number of one seed, such as the difference of a pair: a contrast of the runs of that seed. */
export interface SeedNumber {
  seed: number
  /** In the unit of what is asked; NaN where a run has no value, because it diverged. */
  number: number
  /** The largest size of the values that it was computed from: a number far below it is rounding. */
  size: number
  /** The variants that did not learn with this seed. */
  failed: readonly string[]
  /** The contrast of the failures: above 0 where the side that is asked about failed more. */
  lost: number
}

/** Whether a run failed because its loss became a value that is not finite. */
export function hasDiverged({ status, error }: { status: string; error?: string | null | undefined }): boolean {
  return status === 'failed' && saysDiverged(error ?? '')
}

/** Runs that are done and, of those that failed, the ones that diverged, without what was put away; done ones come last. */
export function outcomes<Run extends { status: string; error?: string | null | undefined; archived: boolean }>(
  done: readonly Run[],
  failed: readonly Run[],
): Run[] {
  return [...failed.filter((run) => hasDiverged(run) && !run.archived), ...done]
}

/** The runs of a variant that ended in a model or diverged, by seed; of several the newest. */
export function newestEnded(runs: readonly ComparedRun[], variant: string): Map<number, ComparedRun> {
  const newest = new Map<number, ComparedRun>()
  for (const run of runs) {
    if (run.variant !== variant || !(run.status === 'done' || hasDiverged(run))) continue
    if (run.id >= (newest.get(run.seed)?.id ?? run.id)) newest.set(run.seed, run)
  }
  return newest
}

/** The value of a run that counts: NaN where it diverged, undefined where it has none. */
export function valueIn(run: ComparedRun, metric: string, which: Which): number | undefined {
  const value = hasDiverged(run) ? Number.NaN : run.metrics[metric]?.[which]
  return value === undefined || Number.isFinite(value) ? value : Number.NaN
}

/** A run has learned from this share of the way from chance to what the good runs of the study reach ... */
const OF_STUDY = 0.1
/** ... and from this share of the way to what the lowest of the runs that it is compared with reach. */
const OF_COMPARED = 0.5
/** Values scatter around chance where the good runs lie above it by less than so many times what the lowest lies below it. */
const SCATTER = 3

const NO_THRESHOLD: LearnedRule = { threshold: null }

/**
 * The rule by which the runs of some variants have learned when they are compared with each other. The study may fix the
 * value. Else it is past both of
 * - a tenth of the way from chance to the upper quartile of all runs of the study;
 * - half of the way from chance to the upper quartile, over seeds, of the lowest of the compared runs of each seed, so that an
 *   arm which is steadily lower has learned.
 *
 * Swapping the compared runs of a seed changes neither, so that tests which swap them stay exact. There is no threshold where
 * nothing is known of chance, or where values scatter around it.
 */
export function learnedRules(
  input: VerdictsInput,
  meaning: MetricMeaning,
): (variants: readonly string[]) => LearnedRule {
  const { design, metric, which = 'last', runs } = input
  const isPlanned = design?.metric === undefined || design.metric === metric
  const fixed = isPlanned ? design?.learned : undefined
  if (fixed !== undefined) return () => ({ threshold: fixed })
  const chance = isPlanned ? (input.floors?.chance ?? commonChance(input) ?? design?.floors?.chance) : undefined
  if (chance === undefined || !meaning.better) return () => NO_THRESHOLD
  const direction = meaning.better === 'lower' ? -1 : 1
  const gains = new Map(
    [...Map.groupBy(runs, ({ variant }) => variant)].map(([variant, ended]) => {
      const own = [...newestEnded(ended, variant)].flatMap(([seed, run]): [number, number][] => {
        const value = valueIn(run, metric, which)
        if (value === undefined) return []
        return [[seed, Number.isFinite(value) ? direction * (value - chance) : Number.NEGATIVE_INFINITY]]
      })
      return [variant, new Map(own)]
    }),
  )
  const all = [...gains.values()].flatMap((own) => [...own.values()])
  const good = upperQuartile(all)
  const below = -Math.min(0, ...all.filter(Number.isFinite))
  if (good <= 0 || good < SCATTER * below) return () => NO_THRESHOLD
  return (variants) => {
    const compared = variants.map((variant) => gains.get(variant) ?? new Map<number, number>())
    const seeds = [...(compared[0] ?? new Map<number, number>()).keys()]
    const lowest = seeds
      .map((seed) => compared.map((own) => own.get(seed)))
      .filter((own): own is number[] => !own.includes(undefined))
      .map((own) => Math.min(...own))
    const gain = Math.max(OF_STUDY * good, OF_COMPARED * upperQuartile(lowest))
    return { threshold: chance + direction * gain }
  }
}

/** The simplest floor that was measured, where all variants have the same; else undefined. */
function commonChance({ arms = [] }: VerdictsInput): number | undefined {
  const [first, ...others] = arms.map(({ floors }) => floors[0]?.value)
  return others.every((value) => value === first) ? first : undefined
}

/** The value that a quarter of the values is at least as high as; minus infinity for none. */
function upperQuartile(values: readonly number[]): number {
  const ascending = values.toSorted((a, b) => a - b)
  return ascending[ascending.length - Math.ceil(values.length / 4)] ?? Number.NEGATIVE_INFINITY
}

/** Whether a value is that of a run which learned. */
export function hasLearned(value: number, { threshold }: LearnedRule, meaning: MetricMeaning): boolean {
  if (!Number.isFinite(value)) return false
  return threshold === null || value === threshold || isBetter(value, threshold, meaning)
}

/**
 * The value of a metric without learning, by its meaning and the number of classes; null where nothing is known. Floors that
 * were measured on the data set are better: they know how often each class is there.
 */
export function chanceOf({ words, unit }: MetricMeaning, classes: number | undefined): number | null {
  if (words === 'R2' || words === 'skill over the last value') return 0
  if (!classes || classes < 2) return null
  if (words === 'accuracy') return 1 / classes
  const [, k] = /^top-(\d+) accuracy$/.exec(words ?? '') ?? []
  if (k) return Math.min(1, Number(k) / classes)
  if (words === 'perplexity') return classes
  return words === 'loss' && unit === 'nats' ? Math.log(classes) : null
}

/**
 * The exact one-sided 95% bound of the share of seeds that fail, of which `failed` of `seeds` did: the share at which so few
 * would fail with a probability of 5% (Clopper and Pearson, "The Use of Confidence or Fiducial Limits", 1934).
 */
export function failureBound(failed: number, seeds: number): number {
  if (failed >= seeds) return 1
  let [low, high] = [failed / seeds, 1]
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2
    if (atMost(failed, seeds, middle) > 0.05) low = middle
    else high = middle
  }
  return high
}

/** The probability that at most so many of `seeds` fail. */
function atMost(failed: number, seeds: number, share: number): number {
  let [term, sum] = [(1 - share) ** seeds, 0]
  for (let i = 0; i <= failed; i++) {
    sum += term
    term *= ((seeds - i) / (i + 1)) * (share / (1 - share))
  }
  return sum
}

/** Differences below this share of the values are rounding: runs compute in float32, with 24 bits. */
const ROUNDING = 4 * 2 ** -23

/** A number, or 0 where it is rounding; what is counted is exact. */
export function rounded(number: number, size: number): number {
  return Math.abs(number) <= ROUNDING * size && !Number.isInteger(number) ? 0 : number
}

/**
 * The numbers of the seeds that a mean is about: those on which all learned; where none did, because the same variants failed
 * with every seed, all that there are. Never seeds of both kinds.
 */
export function measured<Own extends Pick<SeedNumber, 'number' | 'failed'>>(
  numbers: readonly Own[],
): { about: 'learned' | 'all'; numbers: Own[] } {
  const known = numbers.filter(({ number }) => Number.isFinite(number))
  const learned = known.filter(({ failed }) => failed.length === 0)
  const kinds = new Set(known.map(({ failed }) => failed.join()))
  return learned.length === 0 && kinds.size === 1
    ? { about: 'all', numbers: known }
    : { about: 'learned', numbers: learned }
}
