import { catalogued } from '../catalogue/index.ts'
import { datasetTable } from '../table.ts'
import type { DataSpec, ImageDataset } from '../types.ts'
import { type CifarOptions, cifarKind } from './cifar.ts'
import { type FolderOptions, folderKind } from './folder.ts'
import { type GlyphsOptions, glyphsKind } from './glyphs.ts'
import { type IdxOptions, idxKind } from './idx.ts'
import { type ShapesOptions, shapesKind } from './shapes.ts'
import { type TexturesOptions, texturesKind } from './textures.ts'

/** What the labels of Fashion-MNIST stand for. */
const FASHION = [
  'T-shirt/top',
  'Trouser',
  'Pullover',
  'Dress',
  'Coat',
  'Sandal',
  'Shirt',
  'Sneaker',
  'Bag',
  'Ankle boot',
]

/** The data sets of images by name; a new one is its file and a line here. */
export const imageData = datasetTable<ImageDataset>([
  shapesKind, // generated: two objects, which is left of which
  glyphsKind, // generated: letters and digits
  texturesKind, // generated: random fields
  idxKind, // MNIST-style files
  cifarKind, // the binary version of CIFAR-10 and CIFAR-100
  folderKind, // one sub-folder a class
  catalogued('mnist', idxKind),
  catalogued('fashion-mnist', idxKind, { classes: FASHION }),
  catalogued('cifar-10', cifarKind),
  catalogued('cifar-100', cifarKind),
])

/** Textured objects on noise; ten classes that need texture and place. Generated, nothing to download. */
export function shapes(options: ShapesOptions = {}): DataSpec {
  return { dataset: 'shapes', options: { ...options } }
}

/** Capital letters, or letters and digits, distorted and among scraps. Generated. */
export function glyphs(options: GlyphsOptions = {}): DataSpec {
  return { dataset: 'glyphs', options: { ...options } }
}

/** Random fields told apart by direction and scale alone: ten classes whose pixels have one histogram. Generated. */
export function textures(options: TexturesOptions = {}): DataSpec {
  return { dataset: 'textures', options: { ...options } }
}

/** MNIST-style IDX files, gzipped or not, in the folder `path`. */
export function idx(options: IdxOptions): DataSpec {
  return { dataset: 'idx', options: { ...options } }
}

/** CIFAR-10 or CIFAR-100, binary version, in the folder `path`. */
export function cifar(options: CifarOptions): DataSpec {
  return { dataset: 'cifar', options: { ...options } }
}

/** A folder of PNG and JPEG files with one sub-folder a class. */
export function folder(options: FolderOptions): DataSpec {
  return { dataset: 'folder', options: { ...options } }
}
