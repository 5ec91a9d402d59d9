import { describe } from 'vitest'
import { onSimd } from '../backends/simd/setup.ts'

/** The same tests on `cpu`, where updates are operations of tfjs, and on `simd`, which has kernels for them. */
export function describeOnBoth(name: string, tests: () => void): void {
  describe(`${name} on cpu`, tests)
  describe(`${name} on simd`, () => {
    onSimd()
    tests()
  })
}
