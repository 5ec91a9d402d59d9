import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { keepsBits } from '../../../engine/backends/simd/kernels/matmulGroups.ts'
import type { Graph } from '../../../engine/compile/graph.ts'
import { pruneUnusedRows } from '../../../engine/compile/pruneUnusedRows.ts'
import { recordGraph } from '../../../engine/compile/record.ts'
import { simplify } from '../../../engine/compile/simplify.ts'
import { gelu } from '../../../engine/nn/layers/gelu.ts'
import { expectWellFormed, randomGraphs } from './graphs.ts'

const [EXAMPLES, TOKENS, DIM] = [2, 5, 3]

/** The graph of the gradients of the mean of what `head` makes of x, `[2, 5, 3]`, with a weight and a bias. */
async function gradientsOf(head: (x: tf.Tensor, weight: tf.Tensor, bias: tf.Tensor) => tf.Tensor): Promise<Graph> {
  const float = (shape: number[]) => ({ shape, dtype: 'float32' }) as const
  const inputs = { x: float([EXAMPLES, TOKENS, DIM]), weight: float([DIM, DIM]), bias: float([DIM]) }
  const graph = await recordGraph(inputs, ({ x, weight, bias }, { backward }) => {
    const given = [x, weight, bias] as [tf.Tensor, tf.Tensor, tf.Tensor]
    const { value, grads } = tf.engine().gradients(() => {
      const loss = tf.mean(head(...given)) as tf.Scalar
      backward()
      return loss
    }, given)
    return { value, dx: grads[0] as tf.Tensor, dWeight: grads[1] as tf.Tensor, dBias: grads[2] as tf.Tensor }
  })
  return simplify(graph)
}

/** A layer with its bias added to tokens, and GELU. */
function layer(x: tf.Tensor, weight: tf.Tensor, bias: tf.Tensor): tf.Tensor {
  const rows = tf.reshape(x, [-1, DIM]) as tf.Tensor2D
  return gelu(tf.add(tf.reshape(tf.matMul(rows, weight as tf.Tensor2D), x.shape), bias))
}

const shapes = ({ operations }: Graph, kernel: string) =>
  operations.flatMap((operation) => (operation.kernel === kernel ? operation.outputs.map(({ shape }) => shape) : []))

describe('narrow', () => {
  it('does layers for the token only that the head reads, forward and backward', async () => {
    const head = (x: tf.Tensor, weight: tf.Tensor, bias: tf.Tensor) =>
      tf.slice(layer(x, weight, bias), [0, 1, 0], [EXAMPLES, 1, DIM])
    const before = await gradientsOf(head)
    const after = pruneUnusedRows(before, keepsBits)
    expectWellFormed(after, 'one token')
    expect(shapes(before, 'Gelu')).toEqual([[EXAMPLES, TOKENS, DIM]])
    for (const kernel of ['Gelu', 'GeluGrad']) expect(shapes(after, kernel)).toEqual([[EXAMPLES, 1, DIM]])
    const products = after.operations.filter(({ kernel }) => kernel === 'BatchMatMul')
    expect(products.map(({ inputs }) => inputs.a?.shape)).toEqual(Array(3).fill([EXAMPLES, DIM]))
    expect(after.operations[after.backward]).toEqual(before.operations[before.backward])
  })

  it('adds over one row among zeros, but not over several, which would be grouped in another way', async () => {
    const sums = async (count: number) => {
      const head = (x: tf.Tensor, weight: tf.Tensor, bias: tf.Tensor) =>
        tf.slice(layer(x, weight, bias), [0, 1, 0], [EXAMPLES, count, DIM])
      const { operations } = pruneUnusedRows(await gradientsOf(head), keepsBits)
      return operations.flatMap(({ kernel, inputs }) => (kernel === 'Sum' ? [inputs.x?.shape] : []))
    }
    expect(await sums(1)).toEqual([[EXAMPLES, 1, DIM]])
    expect(await sums(2)).toEqual([[EXAMPLES, TOKENS, DIM]])
  })

  it('makes gradients whole where another operation needs them', async () => {
    const head = (x: tf.Tensor, weight: tf.Tensor, bias: tf.Tensor) => {
      const y = layer(x, weight, bias)
      return tf.add(tf.slice(y, [0, 0, 0], [EXAMPLES, 1, DIM]), tf.mean(y, 1, true))
    }
    const after = pruneUnusedRows(await gradientsOf(head), keepsBits)
    expectWellFormed(after, 'mean')
    expect(shapes(after, 'Gelu')).toEqual([[EXAMPLES, TOKENS, DIM]])
    expect(shapes(after, 'GeluGrad')).toEqual([[EXAMPLES, TOKENS, DIM]])
  })

  it('follows a slice of a slice', async () => {
    const head = (x: tf.Tensor, weight: tf.Tensor, bias: tf.Tensor) =>
      tf.slice(tf.slice(layer(x, weight, bias), [0, 1, 0], [EXAMPLES, 3, DIM]), [0, 1, 0], [EXAMPLES, 1, DIM])
    expectWellFormed(pruneUnusedRows(await gradientsOf(head), keepsBits), 'slice of a slice')
  })

  it('leaves code without slices as it is, and random code in order', async () => {
    const whole = await gradientsOf(layer)
    expect(pruneUnusedRows(whole, keepsBits)).toEqual(whole)
    for (const { name, graph } of await randomGraphs(25)) {
      const after = pruneUnusedRows(simplify(graph), keepsBits)
      expectWellFormed(after, name)
      expect(Object.keys(after.outputs), name).toEqual(Object.keys(graph.outputs))
    }
  })
})
