import { fieldData } from '../data/fields/index.ts'
import type { FileSource } from '../data/files.ts'
import { imageData } from '../data/images/index.ts'
import { pointData } from '../data/points/index.ts'
import type { DatasetTable } from '../data/table.ts'
import type { DataSpec } from '../data/types.ts'
import { MixlabError, suggest } from '../errors.ts'
import { fieldExamples } from './examples.ts'
import { imageExamples } from './image.ts'
import { pointExamples } from './points.ts'
import type { Examples } from './types.ts'

/** Data sets of one sort, and what a task of a cell makes of them. */
interface Source {
  names: string[]
  resolve: DatasetTable<unknown>['resolve']
  open(spec: DataSpec, files: FileSource): Promise<Examples>
}

function source<Data>(table: DatasetTable<Data>, examplesOf: (data: Data) => Examples): Source {
  const { names, resolve } = table
  return { names, resolve, open: async (spec, files) => examplesOf(await table.open(spec, files)) }
}

// What tasks of cells can be defined on. A new sort of data set is one line here.
const sources = [
  source(imageData, imageExamples),
  source(pointData, (data) => pointExamples(data, 'hilbert')),
  source(fieldData, fieldExamples),
]

function sourceOf(dataset: string): Source {
  const found = sources.find(({ names }) => names.includes(dataset))
  if (found) return found
  const known = sources.flatMap(({ names }) => names)
  throw new MixlabError('option', 'task.data', `unknown data set '${dataset}'${suggest(dataset, known)}`)
}

/** A data set of named parts, or one that a cell defines, with its options checked and filled in. Throws MixlabError `option`. */
export function resolveData(data: DataSpec | string): DataSpec {
  const { dataset, options = {}, defined } = typeof data === 'string' ? ({ dataset: data } as Partial<DataSpec>) : data
  if (defined) return { dataset: defined.name, options: defined.resolve(options), defined }
  return sourceOf(String(dataset)).resolve(data)
}

/** Its examples. Throws MixlabError as opening a data set does. */
export async function openExamples({ dataset, options, defined }: DataSpec, files: FileSource): Promise<Examples> {
  if (defined) return fieldExamples(await defined.open(options, files))
  return sourceOf(dataset).open({ dataset, options }, files)
}
