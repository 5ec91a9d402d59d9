import { z } from 'zod'
import { count, number, text } from '../call.ts'
import type { WhichWeights } from './store.ts'

/** A model that was written from the weights of a run, and how far what was written is from it. */
export interface ExportRecord {
  /** As `--format` names it. */
  format: string
  /** SHA-256 of the file; of the first one where there are several. */
  sha256: string
  weights: WhichWeights
  /** Whether affine layers were folded, and Toeplitz matrices written out. */
  folded: boolean
  toeplitz: boolean
  /** Held-out examples on which the file, read again, was compared with the model. */
  examples: number
  /** The largest difference of two logits. */
  difference: number
}

/** One that the store has, and when it was written, in ms since 1970. */
export type StoredExport = ExportRecord & { at: number }

export const exportSchema: z.ZodType<ExportRecord> = z.strictObject({
  format: text,
  sha256: text,
  weights: z.enum(['last', 'best']).or(count),
  folded: z.boolean(),
  toeplitz: z.boolean(),
  examples: count,
  difference: number,
})
