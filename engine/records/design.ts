import { z } from 'zod'
import { list, text } from '../call.ts'
import { byName } from '../names.ts'
import { type AskedQuestion, questionSchema } from './question.ts'
import { type PlannedReadout, plannedReadout } from './readout.ts'

/** Values of factors by name, as they are shown: plain ones as they are, others by the name they were given. */
export type FactorValues = Record<string, string | number | boolean>

/** What a variant was made to be, beside its name. */
export interface VariantDesign {
  variant: string
  /** What it differs in from the others, but for its block: `batch: 128`. */
  settings: FactorValues
  /** Whether these are its values of the factors by which the study is crossed. */
  crossed?: true | undefined
  /** Parts of the spec that it sets itself, e.g. `train.batch`: in these a difference from the others is intended. */
  intended: string[]
}

/** A study as it is designed: all that its verdicts are about, whatever is trained or shown of it. */
export interface StudyDesign {
  study: string
  /** The metric that is compared. */
  metric: string
  /** In their order: the first is the baseline. */
  variants: VariantDesign[]
  /** All its runs; several variants may share a run. */
  runs: { variant: string; seed: number; key: string }[]
  /** What is read off its runs when they are done; left out where nothing is. */
  readouts?: PlannedReadout[] | undefined
  /** What it asks, in the order in which the questions are tested; without, how each variant compares to the first. */
  questions?: AskedQuestion[] | undefined
  /** How the claims of its questions are kept true together: in their order, unless Holm's correction was asked for. */
  correction?: 'holm' | undefined
  /** The studies that were planned with it, by name, itself among them; left out where it was planned alone. */
  together?: string[] | undefined
}

const value = z.union([text, z.number(), z.boolean()])
export const designSchema: z.ZodType<StudyDesign> = z.strictObject({
  study: text,
  metric: text,
  variants: list(
    z.strictObject({
      variant: text,
      settings: byName(value, text),
      crossed: z.literal(true).optional(),
      intended: list(text),
    }),
  ),
  runs: list(z.strictObject({ variant: text, seed: z.int(), key: text })),
  readouts: list(plannedReadout).optional(),
  questions: list(questionSchema).optional(),
  correction: z.literal('holm').optional(),
  together: list(text).optional(),
})
