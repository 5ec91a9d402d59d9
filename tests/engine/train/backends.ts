import { describe } from 'vitest'
import { onSimd } from '../backends/simd/setup.ts'

/**
 * The same tests on `cpu`, where updates are operations of tfjs, and on `simd`, which has kernels for them; they are told
 * which of the two it is, so that each may try other cases (`sample(cases, backend, 2)`).
 */
export function describeOnBoth(name: string, tests: (backend: 0 | 1) => void): void {
  describe(`${name} on cpu`, () => tests(0))
  describe(`${name} on simd`, () => {
    onSimd()
    tests(1)
  })
}
