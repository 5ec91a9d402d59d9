import { z } from 'zod'
import { MixlabError } from '../errors.ts'
import { parseOptions } from '../options.ts'
import type { Preparation } from '../tasks/types.ts'

const numbers = z.array(z.number())
const preparation = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('image'),
    size: z.tuple([z.int().min(1), z.int().min(1)]),
    channels: z.literal([1, 3]),
    layout: z.string(),
    mean: numbers,
    deviation: numbers,
  }),
  z.object({
    kind: z.literal('text'),
    tokens: z.int().min(3),
    template: z.string(),
    truncation: z.literal('end'),
    padding: z.object({ side: z.literal('end'), id: z.int(), mask: z.number() }),
    pool: z.enum(['first', 'mean']).nullable(),
  }),
  z.object({
    kind: z.literal('series'),
    window: z.int().min(1),
    horizon: z.int().min(1),
    channels: z.int().min(1),
    mean: numbers,
    deviation: numbers,
  }),
  z.object({ kind: z.literal('points'), points: z.int().min(1), order: z.string(), normalised: z.string() }),
])

/** Values that one example may have. */
const MAX_INPUT = 2 ** 26

const schema = z.object({
  version: z.literal(1),
  task: z.string(),
  input: z.object({
    shape: z
      .tuple([z.literal('batch')], z.int().min(1))
      .refine(([, ...lengths]) => lengths.reduce((all, length) => all * length, 1) <= MAX_INPUT, {
        message: `at most ${MAX_INPUT} values`,
      }),
    dtype: z.enum(['float32', 'int32']),
    preparation,
  }),
  classes: z.array(z.string()).nullable(),
  tokenizer: z.unknown(),
  changed: z.object({ folded: z.boolean(), toeplitz: z.boolean() }),
  spec: z.unknown(),
  source: z.string().nullable(),
})

/** What a description of a file says of its model, as far as it takes to use it; see description.ts. */
export type ReadDescription = z.output<typeof schema> & { input: { preparation: Preparation } }

/** Reads the description that is in a file. Throws MixlabError `weights`; `source` names the file. */
export function readDescription(json: string, source: string): ReadDescription {
  let given: unknown
  try {
    given = JSON.parse(json)
  } catch {
    throw new MixlabError('weights', source, 'its description is no JSON')
  }
  checkInput(given, source)
  try {
    return parseOptions(schema, given, 'description')
  } catch (error) {
    throw new MixlabError('weights', source, `its ${(error as Error).message}`)
  }
}

/** Throws MixlabError `weights` for a model whose input a cell makes, which nothing describes. */
function checkInput(given: unknown, source: string): void {
  const { task, input } = (given ?? {}) as { task?: unknown; input?: { preparation?: unknown } }
  if (input?.preparation !== null) return
  const what = `is of task '${String(task)}', whose input nothing describes, so that it cannot be asked`
  throw new MixlabError('weights', source, what)
}
