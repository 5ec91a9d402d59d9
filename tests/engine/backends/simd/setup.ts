import * as tf from '@tensorflow/tfjs'
import { afterAll, beforeAll } from 'vitest'
import { registerSimd } from '../../../../engine/backends/simd/register.ts'

/** Runs the tests of a file on the backend `simd`. */
export function onSimd(): void {
  beforeAll(useSimd)
  afterAll(async () => {
    await tf.setBackend('cpu')
  })
}

/** Registers the backend and makes it the current one. */
export async function useSimd(): Promise<void> {
  registerSimd()
  if (!(await tf.setBackend('simd'))) throw new Error('the backend simd did not start')
}
