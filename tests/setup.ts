import * as tf from '@tensorflow/tfjs'
import { afterEach, beforeEach, expect, vi } from 'vitest'

// Every test leaves as many tensors as it found.
tf.enableProdMode()
await tf.setBackend('cpu')

// Arrays of numbers with the same bytes are equal: seen at once, where vitest would look at one number after the other.
expect.addEqualityTesters([
  (a, b) => {
    if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.constructor !== b.constructor) return undefined
    return Buffer.compare(bytesOf(a), bytesOf(b)) === 0 || undefined
  },
])
const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => new Uint8Array(buffer, byteOffset, byteLength)

let before = 0
beforeEach(() => {
  before = tf.memory().numTensors
})
afterEach(() => {
  const after = tf.memory().numTensors
  if (after !== before) tf.disposeVariables() // a failed test's: their names would fail the tests that come after it
  expect(after, 'tensors left behind').toBe(before)
})

// The next file in this process looks for programs and settings in the environment, too.
afterEach(() => void vi.unstubAllEnvs())
