import { saysDiverged } from '../../records/diverged.ts'
import { isBetter, type MetricMeaning } from '../../records/meaning.ts'
import type { ComparedRun, VerdictsInput, Which } from './judgement.ts'

/** The value of the metric from which on a run has learned, and where it comes from. */
export interface LearnedRule {
  /** Null where nothing is known of chance: then only a run that diverged has not learned. */
  threshold: number | null
  /** Whether the study fixed it. */
  fixed: boolean
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

/** The share of the way from chance to what good runs reach from which on a run has learned. */
const SHARE = 0.5

/**
 * The rule by which a run has learned. It is fixed in the plan: the study may give the value. Else it is halfway from chance to
 * the upper quartile of all runs of the study, of all variants and seeds together; where that quartile is past the highest
 * floor of the data set, at least that floor. Swapping the runs of a seed changes no value of the pool, so that the
 * tests stay exact.
 */
export function learnedRule(input: VerdictsInput, meaning: MetricMeaning): LearnedRule {
  const { design, metric, which = 'last', runs } = input
  const isPlanned = design?.metric === undefined || design.metric === metric
  if (isPlanned && design?.learned !== undefined) return { threshold: design.learned, fixed: true }
  const floors = isPlanned ? (input.floors ?? design?.floors) : undefined
  if (!floors || !meaning.better) return { threshold: null, fixed: false }
  const { chance, highest } = floors
  const variants = [...new Set(runs.map(({ variant }) => variant))]
  const ended = variants.flatMap((variant) => [...newestEnded(runs, variant).values()])
  const values = ended.map((run) => valueIn(run, metric, which)).filter((value) => value !== undefined)
  const quartile = upperQuartile(values, meaning)
  if (quartile === null || !isBetter(quartile, chance, meaning)) return { threshold: null, fixed: false }
  const halfway = chance + SHARE * (quartile - chance)
  const isPast = highest !== undefined && isBetter(quartile, highest, meaning) && isBetter(highest, halfway, meaning)
  return { threshold: isPast ? highest : halfway, fixed: false }
}

/** The value that a quarter of the values is at least as good as; what is not a number is worst. */
function upperQuartile(values: readonly number[], meaning: MetricMeaning): number | null {
  const finite = values.filter(Number.isFinite)
  const best = finite.toSorted((a, b) => (isBetter(a, b, meaning) ? -1 : 1))
  return best[Math.min(best.length, Math.ceil(values.length / 4)) - 1] ?? null
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

/** The numbers of the seeds that a mean is about: those on which all learned; where none did, all that have one. */
export function measured(numbers: readonly SeedNumber[]): { about: 'learned' | 'all'; numbers: SeedNumber[] } {
  const known = numbers.filter(({ number }) => Number.isFinite(number))
  const learned = known.filter(({ failed }) => failed.length === 0)
  return learned.length > 0 || known.length === 0
    ? { about: 'learned', numbers: learned }
    : { about: 'all', numbers: known }
}
