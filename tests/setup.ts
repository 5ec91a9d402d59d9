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
  expect(tf.memory().numTensors, 'tensors left behind').toBe(before)
})
