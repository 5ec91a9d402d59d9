import { mixedTransform } from './mixed.ts'
import { noisyLabelsTransform } from './noisyLabels.ts'
import { permutedTransform } from './permuted.ts'
import { resizedTransform } from './resized.ts'
import { subsetTransform } from './subset.ts'
import type { Transform } from './transform.ts'

/** The transforms of data sets, which each table of data sets has. */
export const transforms: readonly Transform[] = [
  permutedTransform,
  subsetTransform,
  noisyLabelsTransform,
  mixedTransform,
  resizedTransform,
]

export { transformKind } from './transform.ts'
