import { z } from 'zod'
import { parseOptions } from '../../options.ts'
import type { AskedQuestion } from '../../records/question.ts'

/** The options of questions. */
const OPTIONS = {
  scale: z.enum(['linear', 'log']).optional(),
  by: z.string().optional(),
  of: z.string(),
  at: z.string(),
  over: z.string(),
}

/** A question about a factor, with options of some names. Throws MixlabError `option` for any that is not right. */
export function questionAbout(
  ask: string,
  factor: string,
  given: object = {},
  ...names: (keyof typeof OPTIONS)[]
): AskedQuestion {
  const path = `ask.${ask}`
  const shape = Object.fromEntries(names.map((name) => [name, OPTIONS[name]]))
  const options = Object.entries(parseOptions<Record<string, string | undefined>>(z.strictObject(shape), given, path))
  const set = options.filter((option): option is [string, string] => option[1] !== undefined)
  return { ask, factor: parseOptions(z.string(), factor, path), ...Object.fromEntries(set) }
}
