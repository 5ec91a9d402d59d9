import type { z } from 'zod'
import { parseOptions } from '../options.ts'
import type { FileSource } from './files.ts'
import type { DatasetKind } from './types.ts'

/** An entry of a table of data sets whose options are those of `schema`. */
export function datasetKind<T extends Record<string, unknown>, Data>(
  name: string,
  schema: z.ZodType<T>,
  open: (options: T, files: FileSource) => Promise<Data>,
): DatasetKind<Data> {
  const resolve = (options: Record<string, unknown>) => parseOptions(schema, options, 'task.data')
  return { name, resolve, open: async (options, files) => open(resolve(options), files) }
}
