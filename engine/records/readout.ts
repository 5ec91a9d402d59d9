import { z } from 'zod'
import { name, number, plain, text } from '../call.ts'
import type { MetricMeaning } from './meaning.ts'

/** A read-out of a study, to be computed of its runs when they are done. */
export interface PlannedReadout {
  /** The name of its metric, e.g. `readout/sparsity`. */
  metric: string
  /** SHA-256 of what it computes and of what that means. */
  digest: string
}

export const plannedReadout: z.ZodType<PlannedReadout> = z.strictObject({ metric: name, digest: text })

/** What a read-out gave for a run. */
export interface ReadoutValue extends PlannedReadout {
  value: number
  meaning: MetricMeaning
  /** Whether it read test examples. */
  test: boolean
}

export const readoutValue: z.ZodType<ReadoutValue> = z.strictObject({
  ...{ metric: name, digest: text, value: number },
  meaning: plain<MetricMeaning>(),
  test: z.boolean(),
})
