import type { z } from 'zod'
import { parseOptions } from '../options.ts'
import type { FileSource } from './files.ts'
import type { DataSpec, DatasetKind } from './types.ts'

/** An entry of a table of data sets whose options are those of `schema`. */
export function datasetKind<T extends Record<string, unknown>, Data>(
  name: string,
  schema: z.ZodType<T>,
  open: (options: T, files: FileSource) => Promise<Data>,
): DatasetKind<Data> {
  const resolve = (options: Record<string, unknown>) => parseOptions(schema, options, 'task.data')
  return { name, resolve, open: async (options, files) => open(resolve(options), files) }
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
  open: (options: Output, files: FileSource) => Promise<Data>,
): NamedDataset<Input, Data> {
  const spec = (options?: Input): DataSpec => ({ dataset: name, options: { ...options } })
  return Object.assign(spec, { kind: datasetKind(name, schema, open) })
}
