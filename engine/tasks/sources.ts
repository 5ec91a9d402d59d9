import { fieldForm } from '../data/fields/form.ts'
import { fieldData } from '../data/fields/index.ts'
import type { FileSource } from '../data/files.ts'
import type { Form } from '../data/form.ts'
import { imageData } from '../data/images/index.ts'
import { pointData } from '../data/points/index.ts'
import { sceneForm } from '../data/scenes/form.ts'
import { sceneData } from '../data/scenes/index.ts'
import { seriesForm } from '../data/series/form.ts'
import { seriesData } from '../data/series/index.ts'
import type { DatasetTable } from '../data/table.ts'
import { transforms } from '../data/transforms/index.ts'
import type { DataSpec } from '../data/types.ts'
import { MixlabError, suggest } from '../errors.ts'
import { fieldExamples } from './examples.ts'
import { imageExamples } from './image.ts'
import { pointExamples } from './points.ts'
import { textExamples, textsOf } from './text/textExamples.ts'
import { openTokenizer, type resolveTokenizer } from './tokenizer.ts'
import type { Examples } from './types.ts'

/** How a task of a cell reads texts. */
export interface TextOptions {
  tokens: number
  tokenizer: ReturnType<typeof resolveTokenizer>
}

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

const fields = <Data>(table: DatasetTable<Data>, form: Form<Data>) =>
  source(table, (data) => fieldExamples(form.examples(data)))

const own = fields(fieldData, fieldForm)

// What tasks of cells can be defined on. A new sort of data set is one line here.
const sources = [
  source(imageData, imageExamples),
  source(pointData, (data) => pointExamples(data, 'hilbert')),
  fields(seriesData, seriesForm),
  fields(sceneData, sceneForm),
  own,
]

/** The sort of a data set; of a transform that of the first one that it changes. */
function sourceOf(data: DataSpec | string): Source {
  const { dataset, options = {}, defined }: Partial<DataSpec> = typeof data === 'string' ? { dataset: data } : data
  if (defined) return own
  if (transforms.some(({ name }) => name === dataset)) return sourceOf(options.data as DataSpec | string)
  const found = sources.find(({ names }) => names.includes(String(dataset)))
  if (found) return found
  const known = sources.flatMap(({ names }) => names)
  throw new MixlabError('option', 'task.data', `unknown data set '${dataset}'${suggest(String(dataset), known)}`)
}

/** A data set of named parts, or one that a cell defines, with its options checked and filled in. Throws MixlabError `option`. */
export function resolveData(data: DataSpec | string): DataSpec {
  return sourceOf(data).resolve(data)
}

/** Its examples with texts as so many token ids, of a saved tokenizer where one is given. Throws MixlabError `option` where it has none. */
export async function openTexts(
  data: DataSpec,
  how: TextOptions,
  files: FileSource,
  saved?: string,
): Promise<Examples> {
  const { tokens } = how
  const dataset = sourceOf(data) === own ? await fieldData.open(data, files) : null
  if (dataset?.fields.text?.dtype !== 'text') {
    throw new MixlabError('option', 'task.tokens', `${tokens}, expected none: data set '${data.dataset}' has no text`)
  }
  const tokenizer = await openTokenizer(how.tokenizer, () => textsOf(dataset.train), files, saved)
  return textExamples(dataset, { tokens, tokenizer, pool: 'mean' })
}

/** Its examples. Throws MixlabError as opening a data set does. */
export async function openExamples(data: DataSpec, files: FileSource): Promise<Examples> {
  return sourceOf(data).open(data, files)
}
