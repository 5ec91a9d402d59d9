import { dataNamed } from '../data/dataNamed.ts'
import type { FileSource } from '../data/files.ts'
import { entriesOf } from '../data/text/files.ts'
import type { DataSpec } from '../data/types.ts'
import { MixlabError } from '../errors.ts'
import type { TrainedModel } from './trained.ts'

/**
 * The data set that a user names for a model: as a cell does, or by the path of a file or folder, which is read as the data
 * of the model were or, where these came from no path, as what its files look like. Throws MixlabError `option`, and
 * `permission` for a path that may not be read; `where` is what the user wrote it for.
 */
export async function dataFor(
  text: string,
  model: TrainedModel,
  files: FileSource,
  where: string,
): Promise<DataSpec | string> {
  if (/^\w+\s*\(/.test(text)) return dataNamed(text, where)
  const names = await namesAt(text, files)
  if (names === null && /^[\w-]+$/.test(text)) return dataNamed(text, where)
  if (names === null) throw new MixlabError('option', where, `'${text}': no such file or folder`)
  const { dataset, options } = (model.task.options.data ?? {}) as Partial<DataSpec>
  if (dataset !== undefined && options?.path !== undefined) {
    const { train, ...same } = options // a number of examples to train on says nothing of other data
    const more = { ...(typeof train === 'string' && { train }), ...despiteUnreadable(dataset) }
    return { dataset, options: { ...same, path: text, ...more } }
  }
  const loader = loaderOf(names, model)
  if (loader) return { dataset: loader.dataset, options: { ...loader.options, path: text } }
  const example = "tsv({ path: 'reviews', columns: { first: 'sentence', label: 'label' } })"
  throw new MixlabError('option', where, `say how '${text}' is read, as a cell does: ${example}`)
}

/** What is in a folder; nothing in a file, and null where there is neither. */
async function namesAt(path: string, files: FileSource): Promise<string[] | null> {
  try {
    return ((await entriesOf(path, files)) ?? []).map(({ name }) => name)
  } catch (error) {
    if (error instanceof MixlabError && error.code === 'data') return null
    throw error
  }
}

/** How files are read for a task, so that the model can read the examples; null where that is not to be seen. */
function loaderOf(names: string[], { task, preparation }: TrainedModel): DataSpec | null {
  if (preparation.kind === 'points') return { dataset: 'pointFiles', options: { points: preparation.points } }
  if (preparation.kind === 'text') {
    const dataset = { mlm: 'textFiles', clm: 'textFiles', span: 'squad' }[task.task]
    return dataset ? { dataset, options: {} } : null
  }
  if (preparation.kind === 'series') return null
  if (names.some((name) => /idx3-ubyte/.test(name))) return { dataset: 'idx', options: {} }
  if (names.some((name) => /^(data_batch.*|train)\.bin$/.test(name))) return { dataset: 'cifar', options: {} }
  const [size] = preparation.size
  return { dataset: 'folder', options: { size, channels: preparation.channels, ...despiteUnreadable('folder') } }
}

/** A picture that cannot be decoded is left out and said, rather than the end. */
const despiteUnreadable = (dataset: string) => dataset === 'folder' && { skipUnreadable: true }
