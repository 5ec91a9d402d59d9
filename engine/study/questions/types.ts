import type { FactorValues } from '../../records/design.ts'
import type { MetricMeaning } from '../../records/meaning.ts'
import type { AskedQuestion } from '../../records/question.ts'
import type { Crossing } from '../design/crossing.ts'
import type { Claim, Judged, Judgement, NamedSides, Parts, PValue, Saying } from '../statistics/index.ts'

/** What questions are asked of: variants in the order of the study, the first the baseline, and how they are crossed. */
export interface Asked {
  study: string
  variants: readonly string[]
  /** Null where the variants have no factors in common. */
  crossing: Crossing | null
  /** Factors with the same level in all variants, of which nothing can be asked. */
  constant: FactorValues
}

/** The values of the runs of one seed, of all variants that a contrast reads. */
export interface SeedValues {
  seed: number
  /** Of the metric that is compared. */
  value(variant: string): number
}

/**
 * One number of each seed, computed from the values of that seed's runs: a difference, a slope, an exponent. Whatever is
 * asked, the number is tested by sign flips over the seeds, and its mean has the interval of that test.
 */
export interface Contrast {
  /** What is asked, as the beginning of a sentence, e.g. `block mixer instead of gmlp`. */
  name: string
  /** The variants whose values it reads; the seeds that all of them have are counted. */
  variants: readonly string[]
  /** The number of a seed; null where its values say nothing, e.g. of lines that do not cross. */
  of(value: SeedValues['value']): number | null
  /**
   * What it is a weighted sum of, where each side is at the best of several choices; each choice is the mean of some variants.
   * Then `of` is the sum of the first choices.
   */
  options?: readonly ChosenSide[]
  /** At which choices, in words, by their places in `options`. */
  atChosen?(chosen: readonly number[]): string[]
  /** Why seeds have no number, e.g. `with a value that has no logarithm`. */
  silent?: string
  /** The p of another test than sign flips of the numbers. */
  test?(seeds: readonly SeedValues[], meaning: MetricMeaning): PValue
  /** What is claimed and why, where it is not the mean with its interval. */
  words?(judged: Judged, seeds: readonly SeedValues[], meaning: MetricMeaning): Parts
  /** What it comes to in a clause, e.g. `mixer is better than gmlp, each at its best lr`. */
  short?(claim: Claim, chosen: readonly number[]): string
  /** Who is compared, where two are: then the sentence names them in place of `name`, behind `at`. */
  sides?: NamedSides
  /** Where they are compared, e.g. `at depth 2, over all lr`. */
  at?: string
  /** What a claim is called; without, `better` and `worse`, as the metric says which way that is. */
  say?: Saying
  /** Whether the number keeps the direction of the metric, so that its sign is better or worse. False by default with `say`. */
  oriented?: boolean
  /** Whether the number has a unit of its own rather than that of the metric, e.g. an exponent. */
  unitless?: boolean
}

/** A side of a contrast that is at the best of several choices. */
export interface ChosenSide {
  weight: number
  /** The variants whose mean is a choice. */
  choices: readonly (readonly string[])[]
}

/** A kind of question. */
export interface QuestionKind {
  /** What it is called, e.g. `effect of block`. */
  title(question: AskedQuestion): string
  /**
   * The numbers that answer it. They are tested together, with Holm's correction. Throws MixlabError `option` where the
   * study cannot be asked that.
   */
  contrasts(question: AskedQuestion, asked: Asked): Contrast[]
  /** What its power supposes beyond normal numbers, in words; nothing by default. */
  supposes?(question: AskedQuestion): string
  /** Whether the answer is told, given all of the study; by default always. */
  isSaid?(question: AskedQuestion, all: readonly Answered[]): boolean
}

/** What is known of a question when it is tested. */
export interface Answered {
  question: AskedQuestion
  findings: readonly Pick<Judgement, 'claim'>[]
}
