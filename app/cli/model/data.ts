import { existsSync, readdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DataSpec } from '../../../engine/data/types.ts'
import { MixlabError } from '../../../engine/errors.ts'
import { dataNamed } from '../../../engine/predict/dataNamed.ts'
import type { TrainedModel } from '../../../engine/predict/trained.ts'

/**
 * The data set that a user names: as a cell does, or by the path of a file or folder, which is read as the data of the model
 * were or, where these came from no path, as what its files look like. Throws MixlabError `option`.
 */
export function dataOf(text: string, model: TrainedModel): DataSpec | string {
  if (!existsSync(text)) {
    if (/[(\s]/.test(text) || !/[./\\]/.test(text)) return dataNamed(text, '--data')
    throw new MixlabError('option', '--data', `'${text}': no such file or folder`)
  }
  const path = resolve(text)
  const { dataset, options } = (model.task.options.data ?? {}) as Partial<DataSpec>
  if (dataset !== undefined && options?.path !== undefined) {
    const { train, ...same } = options // a number of examples to train on says nothing of other data
    return { dataset, options: { ...same, path, ...(typeof train === 'string' && { train }) } }
  }
  return { dataset: loaderOf(path, model), options: { path, ...sizesOf(path, model) } }
}

/** The loader of a path, by task. */
function loaderOf(path: string, { task: { task } }: TrainedModel): string {
  const loader = { image: imagesAt(path), points: 'pointFiles', mlm: 'textFiles', span: 'squad' }[task]
  if (loader !== undefined) return loader
  const example = "tsv({ path: 'reviews', columns: { first: 'sentence', label: 'label' } })"
  throw new MixlabError('option', '--data', `say how '${path}' is read, as a cell does: ${example}`)
}

function imagesAt(path: string): string {
  const names = statSync(path).isDirectory() ? readdirSync(path) : []
  if (names.some((name) => /idx3-ubyte/.test(name))) return 'idx'
  return names.some((name) => /^(data_batch.*|train)\.bin$/.test(name)) ? 'cifar' : 'folder'
}

/** What a loader makes the examples like, so that the model can read them. */
function sizesOf(path: string, { preparation }: TrainedModel): Record<string, number> {
  if (preparation.kind === 'points') return { points: preparation.points }
  if (preparation.kind !== 'image' || imagesAt(path) !== 'folder') return {}
  return { size: preparation.size[0], channels: preparation.channels }
}
