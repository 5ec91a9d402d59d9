import type { Floors, Standing, StudyDesign, VariantFloors } from '../../records/design.ts'
import type { MetricMeaning } from '../../records/meaning.ts'
import type { MetricSummary, RunStatus } from '../../records/run.ts'

/** What the statistics need of a run; a `StoredRun` is one. */
export interface ComparedRun {
  id: number
  variant: string
  seed: number
  status: RunStatus
  /** Why it failed. */
  error?: string | null | undefined
  backend: string
  /** The notebook that trained it, where that is known. */
  notebook?: string | null | undefined
  metrics: Record<string, Pick<MetricSummary, 'last' | 'best' | 'meaning'>>
  /** The resolved spec, see `PlannedRun`; without it the check of data and recipe is left out. */
  spec?: unknown
}

/** Which value of a metric is compared. */
export type Which = 'last' | 'best'

/** A run of a variant and the run of the baseline with the same seed. Values are in the unit of the metric. */
export interface SeedPair {
  seed: number
  /** Ids of the runs: the variant's, the baseline's. */
  runs: readonly [number, number]
  value: number
  baseline: number
  /** `value - baseline`. */
  difference: number
}

/** A confidence interval. */
export interface Interval {
  low: number
  high: number
  /** Its coverage, e.g. 0.95. */
  level: number
}

/**
 * `better` or `worse`: a difference of the means is shown, and the pairs are sound. `different`: one is shown in a metric for
 * which neither higher nor lower is better. `fails less` or `fails more`: that is shown, and no difference of the means.
 * `mixed`: better on the seeds that learn and failing on more seeds, or the other way round. With a margin, and no difference
 * shown: `equal` within it, or only `not worse`, or only `not better`, by more than it. `same`: not different on any seed.
 * `counted`: no value varies over the seeds, so that the values are compared and not tested. `too few`: no outcome of so many
 * seeds could have shown anything. `open`: it could have, and has not.
 */
export type Claim =
  | 'better'
  | 'worse'
  | 'different'
  | 'fails less'
  | 'fails more'
  | 'mixed'
  | 'equal'
  | 'not worse'
  | 'not better'
  | 'same'
  | 'counted'
  | 'open'
  | 'too few'

/** What is shown of a mean and the margin of the plan. */
export interface Within {
  /** In the unit of the metric. */
  margin: number
  /** Whether the mean is shown to be above minus the margin, and below the margin. */
  above: boolean
  below: boolean
  /** The larger p of these two one-sided tests, after the correction. */
  adjusted: number
  /** The interval that these two tests decide by: the mean is shown to be within the margin where it is. */
  interval: Interval | null
  /** Seeds whose number is within it. */
  inside: number
  /** The fewest seeds that could show both; null where these could. */
  fewest: number | null
  /** How many more seeds would probably show both; 0 where they are shown, null where it is not to be expected. */
  moreSeeds: number | null
}

/** How many seeds of a variant failed: they did not learn. */
export interface FailedSeeds {
  failed: number
  seeds: number
  /** The exact one-sided 95% bound of the share that fails. */
  upTo: number
}

/** The seeds of two kinds: those on which a run learns, and those on which it fails. */
export interface Failures {
  /** Seeds that ended in all compared runs, and those on which all learned. */
  seeds: number
  learned: number
  /** The exact one-sided 95% bound of the share of seeds on which not all learn. */
  upTo: number
  by: Readonly<Record<string, FailedSeeds>>
  /** From which value of the metric on a run has learned; null where all learned that did not diverge. */
  threshold: number | null
  /** Whether the mean is of the seeds that learned, or of all, because none learned in all compared runs. */
  about: 'learned' | 'all'
  /** The exact two-sided p of which side fails on more seeds; null where they are not compared. */
  p: number | null
  adjusted: number | null
  /** What is shown of the failures. */
  claim: 'less' | 'more' | null
}

/** What the numbers of the seeds show. Whatever is asked, one test decides it, and the interval is that test inverted. */
export interface Judgement {
  claim: Claim
  /** Mean of the numbers of the seeds that learned in all compared runs; null without any. */
  difference: number | null
  /** The interval of the mean that the test gives at the level at which it decided; null below four numbers. */
  interval: Interval | null
  /** Two-sided p of the sign-flip test; null without numbers. */
  p: number | null
  /** p after Holm's correction for all that is tested with it. */
  adjusted: number | null
  /** Standardised mean with Hedges' correction; null below three numbers or without spread. */
  effect: number | null
  /** Seeds on which the number is better, nothing or worse; higher, nothing or lower, where no way is better. */
  wins: number
  ties: number
  losses: number
  /**
   * How many more seeds would probably (power 80%) settle a mean of this size; 0 with a claim, null where it would be more
   * than 100 or where the numbers are not sound.
   */
  moreSeeds: number | null
  /** Left out where the plan has no margin, or where numbers are not sound. */
  within?: Within | undefined
  failures: Failures
  /**
   * Of a study that is looked at after every seed: the evidence that decides instead of the sign-flip test. Then
   * `difference` is the median of the numbers and `interval` its 95% confidence sequence, over the seeds in the order of
   * the plan up to the first that is not over; `p` is 1 over the highest evidence so far, valid at any time. A run that
   * diverged lies infinitely far on the worse side.
   */
  looks?: Looks | undefined
}

/** The evidence after the look at a seed, corrected for all that is tested with it. */
export interface Look {
  seed: number
  evidence: number
}

/** What looking after every seed has shown. */
export interface Looks {
  path: Look[]
  /** The evidence with which it was decided, or that of the last look; 1 is none, 20 decides. */
  evidence: number
  /** The seed with which it was decided; null where it is open. */
  decidedWith: number | null
  /** Whether the seeds that are left could still decide it, or it is decided. */
  reachable: boolean
  /** The seeds of the plan. */
  plan: number
}

/** What a claim is called, where it is another than *better* and *worse*: by the sign of what is asked. */
export interface Saying {
  /** e.g. `rises with depth`. */
  more: string
  less: string
  /** What is not claimed, e.g. `no slope shown`. */
  none?: string
  /** What the mean is, where nothing is claimed, e.g. `exponent`. */
  mean?: string
  /** What an amount is of, after its unit, e.g. ` per doubling`. */
  per?: string
  /** What stands before an amount; `by` by default. */
  by?: string
  /** Whether an amount keeps its sign, as an exponent does. */
  signed?: boolean
}

/** Planned seeds that are done, and all that were planned. */
export interface Interim {
  done: number
  planned: number
}

/** The kinds of parts that a sentence has, in their order; a new kind of part needs a line here and nothing else. */
export const PART_KINDS = [
  /** What the variants are meant to differ in, e.g. `at batch 128 instead of 64`. */
  'instead',
  /** What is asked, where the claim does not say it. */
  'asked',
  /** What is claimed and by how much, or that nothing is. */
  'claim',
  /** Behind the claim, in brackets: interval, seeds and p. */
  'figures',
  /** For which seeds it holds, and which failed. */
  'failures',
  /** What it is among all comparisons of its family. */
  'ledger',
  /** Whether the training was too short, or the task too easy, for the claim. */
  'floors',
  /** What else is shown or not, and what would decide it. */
  'more',
  /** How far it is from its plan: exploratory, interim. */
  'plan',
  /** What else to know, e.g. `backend simd and webgpu`. */
  'notes',
] as const

export type PartKind = (typeof PART_KINDS)[number]

/** A sentence in parts, from which every text of it is written: `claim (figures); failures; ...` (`sentenceOf`). */
export type Parts = Partial<Record<PartKind, readonly string[]>>

/** What a comparison shows among all comparisons of its family, whatever study they are of. */
export interface FamilyVerdict {
  claim: Claim
  comparisons: number
  place: number
  /** The level of all that was entered with it. */
  level: number
  /** The fewest seeds of a next comparison that would probably show the same effect; null where it is shown, or beyond 100. */
  seeds: number | null
  closedAt: number | null
  before: Standing['before']
}

/** A variant against the baseline. Differences are variant minus baseline, in the unit of the metric. */
export interface Verdict extends Judgement {
  variant: string
  baseline: string
  metric: string
  /** The examples that it was measured on, e.g. `test`; '' for a metric of no split. */
  split: string
  /** What all runs agree on that the metric means. */
  meaning: MetricMeaning
  /** All of it in words, e.g. `better by 1.8 points, 95% interval 0.9 to 2.6, 6 of 6 seeds`. */
  sentence: string
  /** By seed. */
  pairs: SeedPair[]
  /** Seeds that have no pair: runs that failed, are not done, or whose value is not a number. */
  missing: number[]
  /** The sentence in its parts. */
  parts: Parts
  /** In what the variant is meant to differ from the baseline, e.g. `at batch 128 instead of 64`. */
  instead: string[]
  /** Comparisons that p is corrected for: all of the study, whatever is shown of it. */
  family: number
  /** Why this comparison is not the one that was planned with its family, e.g. `chosen after looking`; null where it is. */
  exploratory: string | null
  /** How many of the planned seeds are done, where some are missing; null where none is. */
  interim: Interim | null
  /** What it shows among all comparisons that the store has seen of these networks; left out where it has none. */
  ledger?: FamilyVerdict | undefined
  /** Why the pairs cannot be compared, e.g. `train.batch 64 and 128`. With any there is no claim. */
  problems: string[]
  /** What else to know, e.g. `backend simd and webgpu`. */
  notes: string[]
}

/** What the statistics need of a design. */
export type DesignCompared = Pick<StudyDesign, 'variants'> & Partial<StudyDesign>

export interface VerdictsInput {
  /** The study as designed: `variants` may be a part of it. Without, `variants` are all there is. */
  design?: DesignCompared | undefined
  /** Whether the variants were chosen after looking, and are in no design together. */
  exploratory?: boolean | undefined
  metric: string
  /** `last` by default. */
  which?: Which | undefined
  /** Runs of the variants and the baseline, of any status; of several with the same variant and seed the newest counts. */
  runs: readonly ComparedRun[]
  /** Names of all variants; the baseline may be among them. */
  variants: readonly string[]
  baseline: string
  /** What the data set gives without learning, in the metric; by default what the design says. */
  floors?: Floors | undefined
  /** The variants beside the floors of their data, where these were measured. */
  arms?: readonly VariantFloors[] | undefined
  /** Seeds that were planned, to tell which are missing; by default those of the runs. */
  seeds?: readonly number[] | undefined
  /** The notebook that shows them: results that another one trained are named. */
  notebook?: string | null | undefined
}
