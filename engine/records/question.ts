import { z } from 'zod'
import { list, text } from '../call.ts'

/**
 * A question that a study asks of its runs, as plain data: which kind of question, and of what, e.g.
 * `{ ask: 'effect', factor: 'block' }`. engine/study/questions has the kinds.
 */
export interface AskedQuestion {
  ask: string
  [name: string]: string | number | boolean | string[] | number[]
}

const value = z.union([text, z.number(), z.boolean(), list(text), list(z.number())])
export const questionSchema: z.ZodType<AskedQuestion> = z.object({ ask: text }).catchall(value)
