import { z } from 'zod'
import { MixlabError, suggest } from '../errors.ts'
import type { FileSource } from '../host.ts'
import { parseOptions } from '../options.ts'
import { type FolderOptions, folderKind } from './folder.ts'
import { type IdxOptions, idxKind } from './idx.ts'
import { type ShapesOptions, shapesKind } from './shapes.ts'
import type { DataSpec, DatasetKind, ImageDataset } from './types.ts'

/** The data sets by name; a new one is its file and a line here. */
export const datasets: DatasetKind[] = [
  shapesKind, // generated
  idxKind, // MNIST-style files
  folderKind, // one sub-folder a class
]

/** Textured objects on noise; ten classes that need texture and place. Generated, nothing to download. */
export function shapes(options: ShapesOptions = {}): DataSpec {
  return { dataset: 'shapes', options: { ...options } }
}

/** MNIST-style IDX files, gzipped or not, in the folder `path`. */
export function idx(options: IdxOptions): DataSpec {
  return { dataset: 'idx', options: { ...options } }
}

/** A folder of PNG and JPEG files with one sub-folder a class. */
export function folder(options: FolderOptions): DataSpec {
  return { dataset: 'folder', options: { ...options } }
}

const specSchema = z.strictObject({ dataset: z.string(), options: z.record(z.string(), z.unknown()).default({}) })

/** Checks the name and the options and fills in the defaults. Throws MixlabError `option` below `task.data`. */
export function resolveData(spec: DataSpec | string): DataSpec {
  const { dataset, options } = parseSpec(spec)
  return { dataset, options: find(dataset).resolve(options) }
}

/** Opens a data set. Throws MixlabError: `option` as `resolveData`, `data` naming file and offset, `permission`. */
export async function openDataset(spec: DataSpec | string, files: FileSource): Promise<ImageDataset> {
  const { dataset, options } = resolveData(spec)
  return find(dataset).open(options, files)
}

function parseSpec(spec: DataSpec | string): DataSpec {
  return parseOptions(specSchema, typeof spec === 'string' ? { dataset: spec } : spec, 'task.data')
}

function find(name: string): DatasetKind {
  const kind = datasets.find((candidate) => candidate.name === name)
  if (kind) return kind
  const known = datasets.map((candidate) => candidate.name)
  throw new MixlabError('option', 'task.data', `unknown data set '${name}'${suggest(name, known)}`)
}
