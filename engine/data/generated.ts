import { z } from 'zod'
import { MixlabError } from '../errors.ts'
import { type Key, keyOf } from '../random.ts'
import { digest } from './digest.ts'
import type { Form } from './form.ts'
import { checkIndices } from './indices.ts'
import { namedDataset } from './kind.ts'
import { emptyOf } from './own/collect.ts'
import type { MadeDataset } from './own/dataset.ts'
import { type Draws, drawsOf, type Part, type Streams } from './own/draws.ts'
import { type Example, type ExampleValue, fieldOf, scaleOf, sizeOf } from './own/example.ts'
import { generatedCount, validationCountBeside } from './splits.ts'
import type { Dataset, Draw, DrawnFrom, Field, FieldBatch, Planted, Split } from './types.ts'

/** 0 is clean and easy, 1 is hard. */
export const difficulty = z.number().min(0).max(1).default(0.5)

/** What all generated data sets have as options beside their own, with these defaults. */
export const generatedOptions = (defaults: { train: number; test: number }) => ({
  /** Examples to train on; those to validate on are drawn beside them. */
  train: generatedCount.default(defaults.train),
  /** Examples to test on. */
  test: generatedCount.default(defaults.test),
  /** Another seed is another draw of all examples. */
  seed: z.int().min(0).default(0),
})

type Shape = ReturnType<typeof generatedOptions>
type Sizes = { train: number; validation: number; test: number; seed: number }

/** Draws of which some are taken by counters of one stream, as stored bits have them. */
export interface KeyedDraws extends Draws {
  key(name?: string): Key
}

/** What a data set is, as `dataset()` of a cell takes it; `make` gets `random.key` beside the draws. */
export interface Generated extends Pick<MadeDataset, 'classes' | 'shape'> {
  make(random: KeyedDraws, index: number): Example
  /** What `make` plants in an example with the same draws. */
  planted?(random: KeyedDraws, index: number): Planted
}

/**
 * A generated data set of the table, with the options `schema`: its examples are made one by one, as those of `dataset()` in a
 * cell, but when they are first read. Its name, `version`, which changes whenever an example would, and options are in the
 * hash, not the values.
 */
export function generated<S extends z.ZodObject<Shape, z.core.$strict>, Data extends Dataset<unknown>>(
  { name, version, form }: { name: string; version: number; form: Form<Data> },
  schema: S,
  describe: (options: z.output<S> & { validation: number }) => Generated,
) {
  type Options = z.output<S> & { validation: number }
  const source = <Made>({ seed }: Sizes, part: Part, make: (random: KeyedDraws, index: number) => Made) => {
    const key = (stream: string, at: number) =>
      keyOf(seed, [name, version, part, stream, at].filter((each) => each !== '').join('/'))
    const streams: Streams = { part, of: key, row: key }
    return (index: number) => make({ ...drawsOf(streams, index), key: (stream = '') => key(stream, index) }, index)
  }
  const named = namedDataset(name, schema, async (options, hashed) => {
    const sizes = options as unknown as Sizes
    const { make, planted, shape = {}, classes } = describe(options as Options)
    const first = source(sizes, 'train', make)(0)
    const fail = (what: string) => new MixlabError('data', `data set '${name}'`, what)
    const fields = Object.entries(first).map(([field, value]): [string, Field] => {
      const own = fieldOf(field, value, shape[field], fail)
      return [field, classes && own.dtype === 'int32' ? { ...own, classes } : own]
    })
    const split = (part: Part, size: number) => ({
      ...lazySplit(size, source(sizes, part, make), fields, { from: { dataset: name, options, part } }),
      planted: planted && source(sizes, part, planted),
    })
    return form.data({
      name,
      hash: digest(JSON.stringify([name, version, hashed])),
      fields: Object.fromEntries(fields),
      train: split('train', sizes.train),
      validation: split('validation', validationCountBeside(sizes)),
      test: split('test', sizes.test),
    })
  })
  /** Makes the examples of a part, as the data set with resolved options has them. */
  const examplesOf = (options: Record<string, unknown>, part: string): ((index: number) => Example) =>
    source(options as unknown as Sizes, part as Part, describe(options as Options).make)
  return Object.assign(named, { examplesOf })
}

/** What makes the generated examples that this thread reads, for others as well. */
let shared: Draw | null = null

/** From now on `draw` makes the generated examples that this thread reads; null for nobody in particular. */
export const drawBy = (draw: Draw | null): void => {
  shared = draw
}

/** Bytes of examples that a split keeps. */
const CACHE_BYTES = 2 ** 30

/**
 * Makes examples when they are first read, or has them made elsewhere where `from` says what they are. The first ones are
 * kept, as many as fit into `limit` bytes, the others are made anew each time: over shuffled epochs no cache of that size
 * does better.
 */
export function lazySplit(
  size: number,
  make: (index: number) => Example,
  fields: readonly [string, Field][],
  { limit = CACHE_BYTES, from }: { limit?: number; from?: DrawnFrom } = {},
): Split<FieldBatch> {
  const kept = new Map<number, Example>()
  let bytes = 0
  const keep = (index: number, made: Example): void => {
    if (kept.has(index)) return
    bytes += Object.values(made).reduce<number>(
      (sum, value) => sum + (ArrayBuffer.isView(value) ? value.byteLength : 8),
      0,
    )
    if (bytes <= limit) kept.set(index, made)
  }
  const read: Split<FieldBatch>['read'] = async (indices, draw) => {
    checkIndices(indices, size)
    const missing = [...new Set(Array.from(indices).filter((index) => !kept.has(index)))]
    const elsewhere = from && missing.length > 0 ? (shared ?? draw)?.(from, missing, false) : null
    const made = new Map(missing.slice(elsewhere?.count ?? 0).map((index) => [index, make(index)])) // meanwhile
    const drawn = (await elsewhere?.made.catch(() => null)) as Example[] | null | undefined // it may end: then all are made here
    for (const [i, index] of missing.entries()) if (!made.has(index)) made.set(index, drawn?.[i] ?? make(index))
    for (const [index, example] of made) keep(index, example)
    const examples = Array.from(indices, (index) => (made.get(index) ?? kept.get(index)) as Example)
    return Object.fromEntries(fields.map(([name, field]) => [name, together(examples, name, field)]))
  }
  return { size, read }
}

/** The values of a field, one behind the other. */
function together(examples: readonly Example[], name: string, field: Field): FieldBatch[string] {
  const values = examples.map((example) => example[name] as ExampleValue)
  if (field.dtype === 'text') return values as string[]
  const batch = emptyOf(field, values.length) as Float32Array | Int32Array
  const length = sizeOf(field.shape)
  const scale = scaleOf(name, values[0])
  if (scale !== 1) {
    const scaled = Float32Array.from({ length: scale + 1 }, (_, byte) => byte / scale) // a look-up is quicker than a division
    for (const [i, value] of values.entries()) {
      const bytes = value as Uint8Array
      for (let j = 0; j < length; j++) batch[i * length + j] = scaled[bytes[j] as number] as number
    }
    return batch
  }
  for (const [i, value] of values.entries()) {
    if (typeof value === 'number') batch[i] = value
    else batch.set(value as ArrayLike<number>, i * length)
  }
  return batch
}
