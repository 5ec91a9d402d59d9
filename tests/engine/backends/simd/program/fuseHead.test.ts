import * as tf from '@tensorflow/tfjs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SimdBackend } from '../../../../../engine/backends/simd/backend.ts'
import { fuseHead } from '../../../../../engine/backends/simd/program/fuseHead.ts'
import { recordGraph } from '../../../../../engine/compile/record.ts'
import { simplify } from '../../../../../engine/compile/simplify.ts'
import { maskedCrossEntropy, softmaxCrossEntropy } from '../../../../../engine/nn/losses.ts'
import { expectWellFormed } from '../../../compile/graphs.ts'
import { expectSameBits, held, leaveSimd, programOf, taken, useThreads } from '../../../compile/setup.ts'
import { Draws } from '../stock.ts'

leaveSimd()

type Given = Record<'x' | 'table' | 'labels' | 'mask', tf.Tensor>
type Loss = (given: Given, logits: (x: tf.Tensor) => tf.Tensor) => tf.Scalar

const [EXAMPLES, TOKENS, DIM] = [4, 150, 12]
/** A little more than a tile of 256 rows holds. */
const WORDS = 14_003

const mean: Loss = ({ x, labels }, logits) => softmaxCrossEntropy(logits(x), labels)
const masked: Loss = ({ x, labels, mask }, logits) => maskedCrossEntropy(logits(x), labels, mask)

function inputsOf(title: string, words: number): Given {
  const draws = new Draws(title)
  const shape = [EXAMPLES, TOKENS]
  return {
    x: tf.tensor(draws.values([...shape, DIM]), [...shape, DIM]),
    table: tf.tensor(draws.values([words, DIM]), [words, DIM]),
    labels: tf.tensor(draws.integers(shape, words), shape, 'int32'),
    mask: tf.tensor(Float32Array.from(draws.integers(shape, 2)), shape),
  }
}

/** The loss and its gradients by x and by the table, from which the logits are a product, after something else. */
function gradientsOf(loss: Loss, reads = false) {
  return (inputs: tf.NamedTensorMap, marks: { backward(): void }): tf.NamedTensorMap => {
    const given = inputs as Given
    const read: tf.Tensor[] = []
    const { value, grads } = tf.engine().gradients(() => {
      const result = loss(given, (x) => {
        const rows = tf.reshape(tf.mul(x, 1.5), [-1, DIM]) as tf.Tensor2D
        const logits = tf.matMul(rows, given.table as tf.Tensor2D, false, true)
        if (reads) read.push(tf.keep(tf.max(logits)))
        return tf.reshape(logits, [...x.shape.slice(0, -1), -1])
      })
      marks.backward()
      return result
    }, [given.x, given.table])
    return { value, ...Object.fromEntries([...grads, ...read].map((tensor, i) => [i, tensor])) }
  }
}

describe.each([1, 2])('cross entropy over a large vocabulary in tiles: %i threads', (threads) => {
  beforeAll(() => useThreads(threads))

  it.each([
    ['the mean over all rows', mean],
    ['the mean over some rows', masked],
  ])('has the bits of the operations: %s', async (title, loss) => {
    const inputs = inputsOf(title, WORDS)
    for (const input of Object.values(inputs)) (tf.backend() as SimdBackend).address(input)
    const body = gradientsOf(loss)
    const wanted = taken(tf.tidy(() => body(inputs, { backward: () => {} })))
    const before = held()
    const program = await programOf(inputs, EXAMPLES, body)
    for (const step of [0, 1]) expectSameBits(taken(program.run(inputs, step)), wanted, title)
    program.dispose()
    expect(held()).toEqual(before)
    tf.dispose(inputs)
  })
})

describe('in a graph', () => {
  beforeAll(() => useThreads(1))

  const kernelsOf = async (body: ReturnType<typeof gradientsOf>, words: number) => {
    const inputs = inputsOf('shapes', words)
    const graph = fuseHead(simplify(await recordGraph(inputs, body)), (tf.backend() as SimdBackend).wasm)
    tf.dispose(inputs)
    expectWellFormed(graph, 'head')
    return { graph, kernels: graph.operations.map(({ kernel }) => kernel) }
  }

  it.each([
    ['the mean over all rows', mean],
    ['the mean over some rows', masked],
  ])('is one operation of the forward pass: %s', async (_, loss) => {
    const { graph, kernels } = await kernelsOf(gradientsOf(loss), WORDS)
    expect(kernels).toContain('HeadLoss')
    expect(kernels).not.toContain('BatchMatMul')
    expect(kernels.filter((kernel) => kernel.startsWith('CrossEntropy'))).toEqual([])
    expect(kernels.indexOf('HeadLoss')).toBeLessThan(graph.backward)
    const { outputs } = graph.operations.find(({ kernel }) => kernel === 'HeadLoss') ?? { outputs: [] }
    expect(outputs.map(({ shape }) => shape).slice(0, 4)).toEqual([[600], [600, DIM], [WORDS, DIM], [256, WORDS]])
  })

  it.each([
    ['few words', gradientsOf(mean), 1000],
    ['logits that are read', gradientsOf(mean, true), WORDS],
    [
      'a slope that depends on the loss',
      gradientsOf((given, logits) => tf.square(mean(given, logits)) as tf.Scalar),
      WORDS,
    ],
    [
      'logits with a bias',
      gradientsOf((given, logits) => mean(given, (x) => tf.add(logits(x), tf.ones([WORDS])))),
      WORDS,
    ],
  ] as const)('stays many operations: %s', async (_, body, words) => {
    expect((await kernelsOf(body, words)).kernels).not.toContain('HeadLoss')
  })
})
