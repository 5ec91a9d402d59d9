import * as tf from '@tensorflow/tfjs-core'
import { expect, it } from 'vitest'
import { gmlp } from '../../../../engine/models/index.ts'
import { assemble } from '../../../../engine/nn/frame.ts'
import { spatialGating } from '../../../../engine/nn/index.ts'
import { createModel } from '../../../../engine/nn/model.ts'
import { resolveSize } from '../../../../engine/nn/size.ts'

it('names the gates that there are', () => {
  const unknown = (gate: string) => () => spatialGating(undefined as unknown as tf.Tensor, { gate: gate as never })
  expect(unknown('spilt')).toThrow("gate: unknown gate 'spilt' (did you mean 'split'?)")
  expect(unknown('toString')).toThrow('(known: linear, additive, multiplicative, split)')
  const block = gmlp({ gate: 'none' as never, dim: 4, depth: 1, patch: 4 })
  const forward = assemble(block, resolveSize(block, {}, 'test'), 'image', { outputs: 2 })
  const before = tf.memory().numTensors
  expect(() => createModel(forward, { shape: [1, 8, 8, 1] }, 0)).toThrow("gate: unknown gate 'none'")
  expect(tf.memory().numTensors).toBe(before)
})
