import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { made } from '../../../../../engine/backends/webgpu/lower/operations.ts'
import { rewrite } from '../../../../../engine/backends/webgpu/lower/rewrite.ts'
import type { Graph, Operation, Use } from '../../../../../engine/compile/graph.ts'
import { keyOf, normal } from '../../../../../engine/random.ts'

const use = (value: number, shape: number[]): Use => ({ value, shape, dtype: 'float32' })

/** The outputs of a graph, one kernel of the stock backend after the other. */
function run({ inputs, operations, outputs }: Graph): number[][] {
  return tf.tidy(() => {
    const values = new Map(
      Object.entries(inputs).map(([name, { value, shape }]) => {
        const size = shape.reduce((a, b) => a * b, 1)
        return [
          value,
          tf.tensor(
            Float32Array.from({ length: size }, (_, i) => normal(keyOf(1, name), i)),
            shape,
          ),
        ]
      }),
    )
    const read = ({ value, shape }: Use) => tf.reshape(values.get(value) as tf.Tensor, shape)
    for (const { kernel, attributes, inputs, outputs } of operations) {
      const given = Object.fromEntries(Object.entries(inputs).map(([name, each]) => [name, read(each)]))
      const made = [tf.engine().runKernel(kernel, given, attributes)].flat() as tf.Tensor[]
      for (const [i, { value }] of outputs.entries()) values.set(value, made[i] as tf.Tensor)
    }
    return Object.values(outputs).map((each) => [...read(each).dataSync()])
  })
}

const product = use(2, [2, 3, 5])
const swapped = use(3, [2, 5, 3])
const swap = (x = product, y = swapped, perm = [0, 2, 1]) => made('Transpose', { x }, y, { perm })
const negated = use(4, [2, 3, 5])

/** What reads the product of a, `[2, 3, 4]`, and b, `[2, 4, 5]`, and whether the product can be made transposed. */
const readers: [string, boolean, Operation[], Use[]][] = [
  ['a transposition alone', true, [swap()], [swapped]],
  [
    'a transposition, and what reads that',
    true,
    [swap(), made('Neg', { x: swapped }, use(4, [2, 5, 3]))],
    [use(4, [2, 5, 3])],
  ],
  ['a transposition that is an output beside it', false, [swap()], [swapped, product]],
  ['an output in another shape', false, [swap()], [swapped, use(2, [6, 5])]],
  [
    'a transposition and something before it',
    false,
    [made('Neg', { x: product }, negated), swap()],
    [swapped, negated],
  ],
  ['a transposition and something after it', false, [swap(), made('Neg', { x: product }, negated)], [swapped, negated]],
  ['two transpositions', false, [swap(), swap(product, use(4, [2, 5, 3]))], [swapped, use(4, [2, 5, 3])]],
  ['a transposition of other axes', false, [swap(product, use(3, [3, 2, 5]), [1, 0, 2])], [use(3, [3, 2, 5])]],
  ['one of all axes', false, [swap(product, use(3, [5, 3, 2]), [2, 1, 0])], [use(3, [5, 3, 2])]],
  ['one of its rows in another shape', false, [swap(use(2, [6, 5]), use(3, [5, 6]), [1, 0])], [use(3, [5, 6])]],
  ['something else', false, [made('Neg', { x: product }, negated)], [negated]],
  ['nothing', false, [], [product]],
]

describe('products', () => {
  it.each(readers)('read by %s keep their numbers', (_, turns, operations, outputs) => {
    for (const transposeA of [false, true]) {
      for (const transposeB of [false, true]) {
        const [a, b] = [use(0, transposeA ? [2, 4, 3] : [2, 3, 4]), use(1, transposeB ? [2, 5, 4] : [2, 4, 5])]
        const graph: Graph = {
          ...{ values: 5, backward: 0, inputs: { a, b }, constants: [], draws: [] },
          operations: [made('BatchMatMul', { a, b }, product, { transposeA, transposeB }), ...operations],
          outputs: Object.fromEntries(outputs.map((each, i) => [`y${i}`, each])),
        }
        const lowered = rewrite(graph)
        expect(lowered.operations).toHaveLength(graph.operations.length - (turns ? 1 : 0))
        const [found, expected] = [run(lowered), run(graph)]
        for (const [i, values] of expected.entries())
          for (const [k, value] of values.entries()) expect(found[i]?.[k]).toBeCloseTo(value, 5)
      }
    }
  })
})
