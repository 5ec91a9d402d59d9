import { z } from 'zod'
import { count, list, text } from '../call.ts'
import { byName } from '../names.ts'

/** What was chosen for a variant. */
export interface TunedVariant {
  variant: string
  /** The place of the best in the `values` that were tried. */
  chosen: number
  /** The places of all that pilot seeds cannot tell from the best, and the variants that are trained with them; left out for one. */
  kept?: { value: number; variant: string }[] | undefined
  /** The mean over the seeds of tuning, of each value; null where a run diverged or failed. */
  means: (number | null)[]
}

/** What was chosen for the variants of a study before it was trained, and from what. */
export interface TunedDesign {
  /** The study whose runs decided. */
  study: string
  /** Their metric that did, on validation. */
  metric: string
  seeds: number[]
  /** What was tried of each variant, in its order. */
  values: Record<string, string | number | boolean>[]
  variants: TunedVariant[]
  /** How many runs that took, each counted once. */
  runs: number
}

const kept = list(z.strictObject({ value: count, variant: text }))
export const tunedSchema: z.ZodType<TunedDesign> = z.strictObject({
  study: text,
  metric: text,
  seeds: list(z.int()),
  values: list(byName(z.union([text, z.number(), z.boolean()]), text)),
  variants: list(
    z.strictObject({ variant: text, chosen: count, kept: kept.optional(), means: list(z.number().nullable()) }),
  ),
  runs: count,
})
