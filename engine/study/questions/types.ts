import type { AskedQuestion } from '../../records/question.ts'
import type { Crossing } from '../design/crossing.ts'
import type { Saying } from '../statistics/index.ts'

/** What questions are asked of: variants in the order of the study, the first the baseline, and how they are crossed. */
export interface Asked {
  study: string
  variants: readonly string[]
  /** Null where the variants have no factors in common. */
  crossing: Crossing | null
}

/**
 * One number of each seed, computed from the values of that seed's runs: a difference, a slope, an exponent. Whatever is
 * asked, the number is tested by sign flips over the seeds, and its mean has a bootstrap interval.
 */
export interface Contrast {
  /** What is asked, as the beginning of a sentence, e.g. `block mixer instead of gmlp`. */
  name: string
  /** The variants whose values it reads; the seeds that all of them have are counted. */
  variants: readonly string[]
  /** The number of a seed; null where its values say nothing, e.g. of lines that do not cross. */
  of(value: (variant: string) => number): number | null
  /** What a claim is called; without, `better` and `worse`, as the metric says which way that is. */
  say?: Saying
  /** Whether the number keeps the direction of the metric, so that its sign is better or worse. False by default with `say`. */
  oriented?: boolean
  /** Whether the number has a unit of its own rather than that of the metric, e.g. an exponent. */
  unitless?: boolean
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
}
