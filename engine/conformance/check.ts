import { dispose, type Tensor, tidy } from '@tensorflow/tfjs-core'

/** How far a tensor may be from the reference; errors are max |a - b| / max |b| unless a check says otherwise. */
export const tolerances = {
  output: 1e-5,
  block: 1e-5,
  loss: 2e-6,
  gradient: 5e-5,
  /** Gradients that are zero by symmetry, relative to the largest gradient of the case. */
  zeroGradient: 2e-6,
  /** Parameters and state after an optimizer step, and results of batch normalisation. */
  step: 2e-6,
  gelu: 1e-6,
  geluDerivative: 5e-6,
} as const

/** The comparison of one tensor with the reference. */
export type Check = {
  tensor: string
  error: number
  tolerance: number
}

/** A comparison whose tensor is still on the device. */
export interface Pending {
  tensor: string
  own: Tensor
  tolerance: number
  /** From the values of `own`. */
  error(own: ArrayLike<number>): number
}

/** Reads the tensors in the way that every backend offers, and disposes of all. */
export async function checked(make: () => Pending[]): Promise<Check[]> {
  let pending: Pending[] = []
  tidy(() => {
    pending = make()
    return pending.map(({ own }) => own)
  })
  return readAll(pending)
}

/** The same of tensors that are there already. */
export async function readAll(pending: Pending[]): Promise<Check[]> {
  try {
    return await Promise.all(
      pending.map(async ({ own, error, ...check }) => ({ ...check, error: error(await own.data()) })),
    )
  } finally {
    dispose(pending.map(({ own }) => own))
  }
}

/** max |own - reference| / max |reference|; not a number anywhere is infinitely wrong. */
export function relativeError(own: ArrayLike<number>, reference: ArrayLike<number>): number {
  return largestDifference(own, reference) / (largest(reference) || 1)
}

/** max |own - reference| over all elements. */
export function largestDifference(own: ArrayLike<number>, reference: ArrayLike<number>): number {
  if (own.length !== reference.length) return Number.POSITIVE_INFINITY
  let difference = 0
  for (let i = 0; i < own.length; i++) {
    const here = Math.abs((own[i] as number) - (reference[i] as number))
    if (!(here <= difference)) difference = Number.isNaN(here) ? Number.POSITIVE_INFINITY : here
  }
  return difference
}

export function largest(values: ArrayLike<number>): number {
  let found = 0
  for (let i = 0; i < values.length; i++) found = Math.max(found, Math.abs(values[i] as number))
  return found
}
