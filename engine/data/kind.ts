import type { z } from 'zod'
import { parseOptions } from '../options.ts'
import { firstOf, keyed } from '../records/keyed.ts'
import type { FileSource } from './files.ts'
import type { DatasetKind } from './types.ts'

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
