import { datasetTable } from '../table.ts'
import type { DataSpec, ImageDataset } from '../types.ts'
import { type FolderOptions, folderKind } from './folder.ts'
import { type IdxOptions, idxKind } from './idx.ts'
import { type ShapesOptions, shapesKind } from './shapes.ts'

/** The data sets of images by name; a new one is its file and a line here. */
export const imageData = datasetTable<ImageDataset>([
  shapesKind, // generated
  idxKind, // MNIST-style files
  folderKind, // one sub-folder a class
])

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
