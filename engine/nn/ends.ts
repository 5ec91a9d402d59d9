import { z } from 'zod'
import { MixlabError } from '../errors.ts'
import type { Head, Stem } from './types.ts'

/**
 * Defines how a model begins, to be given to a block, `gmlp({ stem })`, or to all of a study, `model: { stem }`: a function
 * from what the model reads to `[batch, tokens, dim]` or `[batch, rows, columns, dim]`. It gets the size of the first
 * block; for texts also the vocabulary, and `{ types, mask }`.
 */
export function stem(name: string, run: Stem['run']): Stem {
  checkDefinition('stem', name, run, '(input, size) => x')
  return { kind: 'stem', stemName: name, run }
}

/**
 * Defines how a model ends, to be given as a stem is: a function from `[batch, tokens, dim]` to as many logits as
 * `outputs`, `[batch, outputs]`, or for each token, `[batch, tokens, outputs]`, where the task asks that. It gets the size
 * of the last block; for a class of a whole text also `pool`.
 */
export function head(name: string, run: Head['run']): Head {
  checkDefinition('head', name, run, '(x, size, outputs) => logits')
  return { kind: 'head', headName: name, run }
}

function checkDefinition(what: string, name: unknown, run: unknown, how: string): void {
  if (typeof name !== 'string' || !name) throw new MixlabError('option', what, 'expected a name as first argument')
  if (typeof run !== 'function') throw new MixlabError('option', `${what} '${name}'`, `expected a function ${how}`)
}

const kindOf = (given: unknown) => (given as { kind?: unknown } | null)?.kind

/** The options by which a block or a study gets another stem and head. */
export const ends = {
  /** How the model begins. */
  stem: z.custom<Stem>((given) => kindOf(given) === 'stem', "a stem, made by stem('name', (input, size) => x)"),
  /** How the model ends. */
  head: z.custom<Head>((given) => kindOf(given) === 'head', "a head, made by head('name', (x, size, outputs) => y)"),
}

export const endsSchema = z.strictObject(ends).partial()
