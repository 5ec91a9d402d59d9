import type { z } from 'zod'
import { parseOptions } from '../options.ts'
import { firstOf, keyed } from '../records/keyed.ts'
import type { FileSource } from './files.ts'
import type { DataSpec, DatasetKind } from './types.ts'

/**
 * An entry of a table of data sets whose options are those of `schema`. `open` gets them, and those of them that enter the
 * hash; see keyed.ts.
 */
export function datasetKind<T extends Record<string, unknown>, Data>(
  name: string,
  schema: z.ZodType<T>,
  open: (options: T, hashed: Record<string, unknown>, files: FileSource) => Promise<Data>,
): DatasetKind<Data> {
  const resolve = (options: Record<string, unknown>) => parseOptions(schema, options, 'task.data')
  return {
    name,
    resolve,
    open: async (given, files) => {
      const options = resolve(given)
      return open(options, keyed(options, firstOf(name), resolve), files)
    },
  }
}

/** A data set as cells name it, e.g. `shapes({ size: 16 })`; `kind` is its entry in a table. */
export type NamedDataset<Options, Data> = {
  (...given: object extends Options ? [options?: Options] : [options: Options]): DataSpec
  kind: DatasetKind<Data>
}

/** A data set whose options are those of `schema`. */
export function dataset<Input, Output extends Record<string, unknown>, Data>(
  name: string,
  schema: z.ZodType<Output, Input>,
  open: (options: Output, hashed: Record<string, unknown>, files: FileSource) => Promise<Data>,
): NamedDataset<Input, Data> {
  const spec = (options?: Input): DataSpec => ({ dataset: name, options: { ...options } })
  return Object.assign(spec, { kind: datasetKind(name, schema, open) })
}
