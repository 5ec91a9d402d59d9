import { datasetTable } from '../table.ts'
import type { DataSpec, PointDataset } from '../types.ts'
import { type PointFilesOptions, pointFilesKind } from './files.ts'
import { type SolidsOptions, solidsKind } from './solids.ts'

/** The data sets of point clouds by name; a new one is its file and a line here. */
export const pointData = datasetTable<PointDataset>([
  solidsKind, // generated
  pointFilesKind, // meshes and clouds, one folder a class
])

/** Points on the surfaces of ten solids, turned, stretched, noisy and cut off. Generated, nothing to download. */
export function solids(options: SolidsOptions = {}): DataSpec {
  return { dataset: 'solids', options: { ...options } }
}

/** A folder of .off meshes and .xyz clouds with one sub-folder a class, as in ModelNet. */
export function pointFiles(options: PointFilesOptions): DataSpec {
  return { dataset: 'pointFiles', options: { ...options } }
}
