import type { MetricMeaning } from '../../records/meaning.ts'
import { hasLearned, type LearnedRule, newestEnded, rounded, type SeedNumber, valueIn } from './failures.ts'
import type { ComparedRun, SeedPair, VerdictsInput } from './types.ts'

/** The pairs of a paired test: runs of a variant and of the baseline, by seed, and the seeds without a pair. */
export interface Pairs {
  /** The pairs that have two values. */
  pairs: SeedPair[]
  /** The runs of all pairs, those that diverged too. */
  runs: (readonly [ComparedRun, ComparedRun])[]
  numbers: SeedNumber[]
  /** Seeds without a pair. */
  missing: number[]
  /** Whether no value varies over the seeds. */
  counted: boolean
}

/** Pairs the runs of a variant and of the baseline that have the same seed and are over; of several the newest. */
export function pairsOf(variant: string, input: VerdictsInput, rule: LearnedRule, meaning: MetricMeaning): Pairs {
  const { metric, which = 'last', runs, baseline } = input
  const [ours, theirs] = [newestEnded(runs, variant), newestEnded(runs, baseline)]
  const found: Omit<Pairs, 'counted'> = { pairs: [], runs: [], numbers: [], missing: [] }
  for (const seed of seedsIn(input)) {
    const [run, other] = [ours.get(seed), theirs.get(seed)]
    const value = run && valueIn(run, metric, which)
    const base = other && valueIn(other, metric, which)
    if (!run || !other || value === undefined || base === undefined) {
      found.missing.push(seed)
      continue
    }
    const size = Math.max(Math.abs(value), Math.abs(base))
    const difference = rounded(value - base, size)
    const [own, its] = [value, base].map((each) => !hasLearned(each, rule, meaning)) as [boolean, boolean]
    const failed = [...(own ? [variant] : []), ...(its ? [baseline] : [])]
    found.runs.push([run, other])
    found.numbers.push({ seed, number: difference, size, failed, lost: Number(own) - Number(its) })
    if (!Number.isFinite(difference)) continue
    found.pairs.push({ seed, runs: [run.id, other.id], value, baseline: base, difference })
  }
  return {
    ...found,
    counted: isCounted([found.pairs.map(({ value }) => value), found.pairs.map(({ baseline }) => baseline)]),
  }
}

/** The seeds of a study in their order: those that were planned, and those of its runs. */
export function seedsIn({ seeds, design, runs }: VerdictsInput): number[] {
  const planned = design?.planned?.seeds ?? []
  return [...new Set([...(seeds ?? []), ...planned, ...runs.map(({ seed }) => seed)])].sort((a, b) => a - b)
}

/** Whether the values of each variant are the same with all seeds, of which there are several. */
export function isCounted(variants: readonly (readonly number[])[]): boolean {
  return variants.every((values) => values.length > 1 && values.every((value) => value === values[0]))
}
