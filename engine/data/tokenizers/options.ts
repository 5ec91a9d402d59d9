import { z } from 'zod'
import { FIRST_MERGE } from './pieces.ts'
import { SPECIAL_TEXTS } from './types.ts'

/** The options of a tokenizer, with their defaults. */
export const tokenizerOptions = z
  .strictObject({
    kind: z.enum(['characters', 'words', 'bytePairs']).default('words'),
    vocabulary: z
      .int()
      .min(SPECIAL_TEXTS.length + 1)
      .max(65_536)
      .default(1000),
    lowercase: z.boolean().default(true),
  })
  .refine(({ kind, vocabulary }) => kind !== 'bytePairs' || vocabulary >= FIRST_MERGE, {
    path: ['vocabulary'],
    message: `at least ${FIRST_MERGE} for byte pairs`,
  })
