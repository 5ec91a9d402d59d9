import { expect, it } from 'vitest'
import { fingerprintOf } from '../../../engine/notebook/fingerprint.ts'

it('is the SHA-256 of tokens and sorted dependencies as JSON', () => {
  // printf '[["a","é"],["1","2"]]' | sha256sum
  const expected = '486281197b4e79f3da21b9487f6798172b5b6ddc0dc3e5a5d47c5510eace236e'
  expect(fingerprintOf(['a', 'é'], ['2', '1'])).toBe(expected)
  expect(fingerprintOf(['a', 'é'], ['1', '2'])).toBe(expected)
})

it('keeps tokens apart', () => {
  expect(fingerprintOf(['ab'], [])).not.toBe(fingerprintOf(['a', 'b'], []))
  expect(fingerprintOf(['a'], ['b'])).not.toBe(fingerprintOf(['a', 'b'], []))
})
