import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { addressesOf } from '../../../../../engine/backends/simd/program/instruction.ts'
import { stages } from '../../../../../engine/backends/simd/program/stages.ts'
import { recordGraph } from '../../../../../engine/compile/record.ts'
import { simplify } from '../../../../../engine/compile/simplify.ts'
import { gelu } from '../../../../../engine/nn/layers/gelu.ts'
import { leaveSimd, useThreads } from '../../../compile/setup.ts'

leaveSimd()

/** The gradients of so many wide layers that their weights do not fit into a cache. */
async function deepGraph(dim: number) {
  const [batch, tokens, layers] = [16, 40, 12]
  const float = (...shape: number[]) => ({ shape, dtype: 'float32' }) as const
  const weights = Array.from({ length: layers }, (_, i) => [`weight${i}`, float(dim, dim)])
  const inputs = { x: float(batch, tokens, dim), ...Object.fromEntries(weights) }
  const graph = await recordGraph(inputs, ({ x, ...weights }, { backward }) => {
    const { value, grads } = tf.engine().gradients(() => {
      let y = x as tf.Tensor
      for (const weight of Object.values(weights)) {
        const rows = tf.reshape(y, [-1, dim]) as tf.Tensor2D
        y = tf.add(y, gelu(tf.reshape(tf.matMul(rows, weight as tf.Tensor2D), y.shape)))
      }
      const loss = tf.mean(y) as tf.Scalar
      backward()
      return loss
    }, Object.values(weights))
    return Object.fromEntries([value, ...grads].map((tensor, i) => [i, tensor]))
  })
  return { batch, graph }
}

describe('stages', () => {
  it('have one matrix at most that does not fit into the cache, for it is packed before', async () => {
    const { batch, graph } = await deepGraph(600)
    const { wasm } = await useThreads(1)
    const packed = stages(simplify(graph), { chunks: batch, batch, wasm }).map(({ work }) => {
      const addresses = 'operations' in work ? work.instructions.flat().flatMap(addressesOf) : []
      return new Set(addresses.flatMap((address) => ('packed' in address ? [address.packed.value] : []))).size
    })
    expect(Math.max(...packed)).toBe(1)
    expect(packed.filter((count) => count === 1).length).toBeGreaterThan(20) // forward and backward
  })
})
