import { z } from 'zod'
import { MixlabError, suggest } from '../errors.ts'
import { parseOptions } from '../options.ts'
import type { FileSource } from './files.ts'
import type { DataSpec, DatasetKind } from './types.ts'

/** Data sets by name, all of one sort, e.g. of images. */
export interface DatasetTable<Data> {
  names: string[]
  /** Checks the name and the options and fills in the defaults. Throws MixlabError `option` below `task.data`. */
  resolve(spec: DataSpec | string): DataSpec
  /** Opens a data set. Throws MixlabError: `option` as `resolve`, `data` naming file and offset, `permission`. */
  open(spec: DataSpec | string, files: FileSource): Promise<Data>
}

const specSchema = z.strictObject({ dataset: z.string(), options: z.record(z.string(), z.unknown()).default({}) })

export function datasetTable<Data>(kinds: readonly DatasetKind<Data>[]): DatasetTable<Data> {
  const names = kinds.map(({ name }) => name)

  function find(name: string): DatasetKind<Data> {
    const kind = kinds.find((candidate) => candidate.name === name)
    if (kind) return kind
    throw new MixlabError('option', 'task.data', `unknown data set '${name}'${suggest(name, names)}`)
  }

  function resolve(spec: DataSpec | string): DataSpec {
    const given = typeof spec === 'string' ? { dataset: spec } : spec
    const { dataset, options } = parseOptions(specSchema, given, 'task.data')
    return { dataset, options: find(dataset).resolve(options) }
  }

  return {
    names,
    resolve,
    open: async (spec, files) => {
      const { dataset, options } = resolve(spec)
      return find(dataset).open(options, files)
    },
  }
}
