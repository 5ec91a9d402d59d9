import * as tf from '@tensorflow/tfjs'
import { afterEach, beforeEach, expect } from 'vitest'

// Every test leaves as many tensors as it found.
tf.enableProdMode()
await tf.setBackend('cpu')

let before = 0
beforeEach(() => {
  before = tf.memory().numTensors
})
afterEach(() => {
  const after = tf.memory().numTensors
  if (after !== before) tf.disposeVariables() // a failed test's: their names would fail the tests that come after it
  expect(after, 'tensors left behind').toBe(before)
})
