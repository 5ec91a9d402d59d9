import { z } from 'zod'
import { MixlabError, suggest } from '../errors.ts'
import { parseOptions } from '../options.ts'
import type { FileSource } from './files.ts'
import type { Form } from './form.ts'
import { specOf } from './spec.ts'
import { transformKind, transforms } from './transforms/index.ts'
import type { DataSpec, DatasetKind } from './types.ts'

/** Data sets by name, all of one sort, e.g. of images; those of cells and transforms of any among them. */
export interface DatasetTable<Data> {
  names: string[]
  /** Checks the name and the options and fills in the defaults. Throws MixlabError `option` below `task.data`. */
  resolve(spec: DataSpec | string): DataSpec
  /** Opens a data set. Throws MixlabError: `option` as `resolve`, `data` naming file and offset, `permission`. */
  open(spec: DataSpec | string, files: FileSource): Promise<Data>
}

const specSchema = z.strictObject({
  dataset: z.string(),
  options: z.record(z.string(), z.unknown()).default({}),
  defined: z.unknown().optional(),
  opened: z.unknown().optional(),
})

/** A table of built-in data sets. With `form`, which says how they are examples by field, it opens those of cells and transforms, too. */
export function datasetTable<Data>(kinds: readonly DatasetKind<Data>[], form?: Form<Data>): DatasetTable<Data> {
  const names = kinds.map(({ name }) => name)
  const made = form ? transforms.map((each) => transformKind(each, form, () => table)) : []

  function find(name: string): DatasetKind<Data> {
    const kind = [...kinds, ...made].find((candidate) => candidate.name === name)
    if (kind) return kind
    throw new MixlabError('option', 'task.data', `unknown data set '${name}'${suggest(name, names)}`)
  }

  function resolve(spec: DataSpec | string): DataSpec {
    const given = typeof spec === 'string' ? { dataset: spec } : spec
    const { dataset, options } = parseOptions(specSchema, given, 'task.data')
    const { defined, opened } = typeof spec === 'string' ? ({} as Partial<DataSpec>) : spec
    if (!defined) return specOf(dataset, find(dataset).resolve(options), undefined, opened)
    if (form) return specOf(dataset, {}, defined, opened)
    throw new MixlabError('option', 'task.data', `'${dataset}' is of a cell, expected one of ${names.join(', ')}`)
  }

  const table: DatasetTable<Data> = {
    names,
    resolve,
    open: async (spec, files) => {
      const { dataset, options, defined, opened } = resolve(spec)
      if (opened) return opened as Data
      return defined && form ? form.data(await defined.open(options, files)) : find(dataset).open(options, files)
    },
  }
  return table
}
