import { MixlabError } from '../errors.ts'

/** What an error says of the use of a kernel that it is about. */
export interface RefusedUse {
  kernel: string
  attributes: object
}

/** Throws that a use of a kernel has no right gradient; `why` begins with the name of the operation. */
export function refuse(use: RefusedUse, why: string): never {
  throw Object.assign(new MixlabError('option', '', why), { cause: use })
}

/** The use that `refuse` was called with, where an error comes from there. */
export function refusedUse(error: unknown): RefusedUse | null {
  if (!(error instanceof MixlabError)) return null
  const { cause } = error
  return typeof cause === 'object' && cause !== null && 'kernel' in cause && 'attributes' in cause
    ? (cause as RefusedUse)
    : null
}

/** The kernel without a gradient that tfjs names in an error, or null. */
export function kernelWithout(error: unknown): string | null {
  return /gradient function not found for (\w+)\./.exec(error instanceof Error ? error.message : '')?.[1] ?? null
}

const MATRICES = 'use products with matrices of cosines and sines'
const PARTS = 'use tf.slice and tf.image.resizeBilinear'
const COUNTED = 'use tf.oneHot, tf.mul and tf.sum'

const alternatives: Record<string, string> = {
  ...{ FFT: MATRICES, IFFT: MATRICES, Complex: MATRICES, Real: MATRICES, Imag: MATRICES },
  ...{ CropAndResize: PARTS, RotateWithOffset: PARTS, Transform: PARTS },
  ...{ Bincount: COUNTED, DenseBincount: COUNTED },
  MaxPoolWithArgmax: 'use tf.maxPool',
  TensorScatterUpdate: 'use tf.where with a mask',
  ...{ SparseSegmentMean: 'use tf.unsortedSegmentSum', SparseSegmentSum: 'use tf.unsortedSegmentSum' },
}

/** What to write in place of a kernel that has no gradient. */
export function alternativeTo(kernel: string): string {
  return alternatives[kernel] ?? 'give it one by surrogate(forward, backward)'
}
