import type { z } from 'zod'
import { parseOptions } from '../options.ts'
import { firstOf, keyed } from '../records/keyed.ts'
import { digest } from './digest.ts'
import type { FileSource } from './files.ts'
import { type SplitOptions, splitShape, splitThreeWays } from './splits.ts'
import type { DataSpec, DatasetKind, Pool, Split, TextSource } from './types.ts'

type Schema = z.ZodObject<z.core.$ZodShape, z.core.$strict>

/** Options as they are opened: those of splits.ts are always among them. */
type Opened<S extends Schema> = z.output<S> & Pick<SplitOptions, 'validation' | 'seed'>

/** What a user may write: the options of a schema, and those of splits.ts that it has not itself. */
export type Written<S extends Schema> = z.input<S> & Omit<z.input<z.ZodObject<typeof splitShape>>, keyof S['shape']>

/** Opens a source; the options of it that enter the hash come second, see keyed.ts. */
type Open<S extends Schema, Source> = (
  options: Opened<S>,
  hashed: Record<string, unknown>,
  files: FileSource,
) => Promise<Source>

/** What `splitThreeWays` makes of a source; running text comes divided. */
type Divided<Source> = Source extends { train: Pool<infer Batch> }
  ? Omit<Source, 'train' | 'validation'> & { train: Split<Batch>; validation: Split<Batch> }
  : Source

/**
 * An entry of a table of data sets whose options are those of `schema` and of splits.ts, which divides here what `open`
 * gives undivided. The latter are always in the hash.
 */
export function datasetKind<S extends Schema, Source extends AnySource>(
  name: string,
  schema: S,
  open: Open<S, Source>,
): DatasetKind<Divided<Source>> {
  const whole = schema.extend({ ...splitShape, ...schema.shape }) as unknown as z.ZodType<Opened<S>>
  const resolve = (options: Record<string, unknown>) => parseOptions(whole, options, 'task.data')
  return {
    name,
    resolve,
    open: async (given, files) => {
      const options = resolve(given)
      const source = await open(options, keyed(options, firstOf(name), resolve), files)
      const { validation, train, seed }: SplitOptions = options
      const count = typeof train === 'number' ? train : null
      const hash = digest(JSON.stringify([source.hash, 'splits', validation, count, seed]))
      return { ...divided(source, options), hash } as Divided<Source>
    },
  }
}

type AnySource = { hash: string; classes?: string[] } & (
  | { train: Pool<unknown>; validation?: Split<unknown> | undefined }
  | { train: TextSource; validation: TextSource }
)

function divided(source: AnySource, options: SplitOptions): object {
  if ('bytes' in source.train) return source // running text is divided by its kind
  return { ...source, ...splitThreeWays(source as Extract<AnySource, { train: Pool<unknown> }>, options) }
}

/** A data set as cells name it, e.g. `shapes({ size: 16 })`; `kind` is its entry in a table. */
export type NamedDataset<Options, Data> = {
  (...given: object extends Options ? [options?: Options] : [options: Options]): DataSpec
  kind: DatasetKind<Data>
}

/** A data set whose options are those of `schema` and of splits.ts. */
export function namedDataset<S extends Schema, Source extends AnySource>(
  name: string,
  schema: S,
  open: Open<S, Source>,
): NamedDataset<Written<S>, Divided<Source>> {
  const spec = (options?: Written<S>): DataSpec => ({ dataset: name, options: { ...options } })
  return Object.assign(spec, { kind: datasetKind(name, schema, open) })
}
