import * as tf from '@tensorflow/tfjs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SimdBackend } from '../../../../../engine/backends/simd/backend.ts'
import { fuseAttention } from '../../../../../engine/backends/simd/program/fuseAttention.ts'
import { pruneQueries } from '../../../../../engine/backends/simd/program/pruneQueries.ts'
import type { Graph } from '../../../../../engine/compile/graph.ts'
import { recordGraph } from '../../../../../engine/compile/record.ts'
import { simplify } from '../../../../../engine/compile/simplify.ts'
import { attend, joinHeads, splitHeads } from '../../../../../engine/nn/layers/attention.ts'
import { triangle } from '../../../../../engine/nn/operations/triangle.ts'
import { runInPass } from '../../../../../engine/nn/scope.ts'
import { expectWellFormed } from '../../../compile/graphs.ts'
import {
  ballast,
  expectSameBits,
  held,
  leaveSimd,
  programOf,
  taken,
  useThreads,
  weigh,
} from '../../../compile/setup.ts'
import { Draws } from '../stock.ts'

leaveSimd()

type Tensors = Record<'q' | 'k' | 'v', tf.Tensor3D>
type Code = (given: Tensors, mask: tf.Tensor) => tf.Tensor

const [EXAMPLES, TOKENS, DIM, HEADS] = [3, 131, 10, 2]

/** As in the block language, for a text of which some tokens are padding. */
const attended =
  (options: { heads?: number; causal?: boolean; dropout?: number }, padded = false): Code =>
  ({ q, k, v }, mask) => {
    const pass = { seed: 0, step: 0, dropPath: 0, training: true, create: null, parameters: new Map() }
    return runInPass({ ...pass, ...(padded ? { mask } : {}) }, () => attend([q, k], v, options))
  }

const fused: [title: string, code: Code][] = [
  ['attend of the block language', attended({})],
  ['of several heads', attended({ heads: HEADS })],
  ['of a causal model', attended({ heads: HEADS, causal: true })],
  ['of padded texts', attended({ heads: HEADS }, true)],
  ['of padded texts by a causal model', attended({ causal: true }, true)],
  ['products by hand', ({ q, k, v }) => tf.matMul(tf.softmax(tf.matMul(q, k, false, true)), v)],
  [
    'of transposed keys, divided by a root',
    ({ q, k, v }) => tf.matMul(tf.softmax(tf.div(tf.matMul(q, tf.transpose(k, [0, 2, 1])), Math.sqrt(DIM))), v),
  ],
  [
    'of scaled queries with a mask in front',
    ({ q, k, v }) => {
      const scores = tf.matMul(tf.mul(q, 0.3), k, false, true)
      return tf.matMul(tf.softmax(tf.add(triangle(TOKENS, 0, -1e9), scores)), v)
    },
  ],
  ['of a token with itself and all others', ({ q, k, v }) => tf.addN([tf.matMul(read(q, q), q), k, v])],
  [
    'for the first token alone',
    ({ q, k, v }) => {
      const [a, b, c] = [q, k, v].map((x) => splitHeads(x, HEADS)) as [tf.Tensor, tf.Tensor, tf.Tensor]
      const joined = joinHeads(tf.matMul(tf.softmax(tf.mul(tf.matMul(a, b, false, true), 0.4)), c))
      return tf.slice(joined, [0, 0, 0], [EXAMPLES, 1, DIM])
    },
  ],
]

const kept: [title: string, code: Code][] = [
  [
    'weights that are read',
    ({ q, k, v }) => {
      const weights = read(q, k)
      return tf.concat([weights, tf.matMul(weights, v)], 2)
    },
  ],
  ['dropped weights', attended({ dropout: 0.2 })],
  [
    'a bias with a gradient',
    ({ q, k, v }) => tf.matMul(tf.softmax(tf.add(tf.matMul(q, k, false, true), tf.sum(v))), v),
  ],
  [
    'a scale with a gradient',
    ({ q, k, v }) => tf.matMul(tf.softmax(tf.mul(tf.matMul(q, k, false, true), tf.sum(v))), v),
  ],
  ['weights that are scaled', ({ q, k, v }) => tf.matMul(tf.mul(read(q, k), 2), v)],
  ['few keys', ({ q, k, v }) => first(({ q, k, v }) => tf.matMul(read(q, k), v))({ q, k, v })],
]

function read(q: tf.Tensor, k: tf.Tensor): tf.Tensor {
  return tf.softmax(tf.matMul(q, k, false, true))
}

/** The code for a few tokens. */
function first(code: (given: Tensors) => tf.Tensor): (given: Tensors) => tf.Tensor {
  const cut = (x: tf.Tensor3D) => tf.slice(x, [0, 0, 0], [EXAMPLES, 20, DIM])
  return ({ q, k, v }) => code({ q: cut(q), k: cut(k), v: cut(v) })
}

function inputsOf(title: string): tf.NamedTensorMap {
  const draws = new Draws(title)
  const shape = [EXAMPLES, TOKENS, DIM]
  const own = ['q', 'k', 'v'].map((name) => [name, tf.tensor(draws.values(shape), shape)])
  const mask = tf.tensor(
    Float32Array.from({ length: EXAMPLES * TOKENS }, (_, i) => Number(i % 7 < 5)),
    [EXAMPLES, TOKENS],
  )
  return { ...Object.fromEntries(own), mask, ballast: ballast(EXAMPLES) }
}

/** The gradients of a loss by what attention is made of; or its result. */
function gradientsOf(code: Code, training = true) {
  return (given: tf.NamedTensorMap, marks: { backward(): void }): tf.NamedTensorMap => {
    const { mask, ballast: more } = given as Record<'mask' | 'ballast', tf.Tensor>
    const names = ['q', 'k', 'v'] as const
    const weight = weigh(more)
    if (!training) return { result: code(given as Tensors, mask), weight }
    const loss = (q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) => {
      const result = code({ q, k, v } as Tensors, mask)
      const value = tf.mul(tf.sum(tf.mul(result, result)), weight) as tf.Scalar
      marks.backward()
      return value
    }
    const { value, grads } = tf.valueAndGrads(loss as never)(names.map((name) => given[name] as tf.Tensor))
    return { ...Object.fromEntries(names.map((name, i) => [`d${name}`, grads[i] as tf.Tensor])), value, weight }
  }
}

async function graphOf(code: Code, training = true): Promise<Graph> {
  const inputs = inputsOf('shapes')
  const graph = simplify(await recordGraph(inputs, gradientsOf(code, training)))
  tf.dispose(inputs)
  return graph
}

describe.each([1, 2, 3])('attention as one operation: %i threads', (threads) => {
  beforeAll(() => useThreads(threads))

  it.each(fused.filter((_, i) => i % 3 === threads - 1 || i === 1))('has the bits of many: %s', async (title, code) => {
    const inputs = inputsOf(title)
    for (const input of Object.values(inputs)) (tf.backend() as SimdBackend).address(input)
    for (const training of [true, false]) {
      const body = gradientsOf(code, training)
      const wanted = taken(tf.tidy(() => body(inputs, { backward: () => {} })))
      const before = held()
      const program = await programOf(inputs, EXAMPLES, body)
      for (const step of [0, 1]) expectSameBits(taken(program.run(inputs, step)), wanted, title, { signless: true })
      program.dispose()
      expect(held()).toEqual(before)
    }
    tf.dispose(inputs)
  })
})

describe('attention in a graph', () => {
  beforeAll(() => useThreads(1))

  it.each(fused)('is found: %s', async (title, code) => {
    for (const training of [true, false]) {
      const graph = pruneQueries(fuseAttention(await graphOf(code, training), EXAMPLES))
      const kernels = graph.operations.map(({ kernel }) => kernel)
      expect(kernels.filter((kernel) => kernel.startsWith('Attention'))).toEqual(
        training ? ['Attention', 'AttentionGrad'] : ['Attention'],
      )
      expect(kernels).not.toContain('Softmax')
      expect(kernels.indexOf('Attention')).toBeLessThan(graph.backward || kernels.length)
      expect(kernels.indexOf('AttentionGrad')).toBeGreaterThanOrEqual(training ? graph.backward : -1)
      expectWellFormed(graph, title)
    }
  })

  it.each(kept)('stays many: %s', async (_, code) => {
    const graph = await graphOf(code)
    expect(fuseAttention(graph, EXAMPLES)).toEqual(graph)
  })

  it('is for one query where one is needed', async () => {
    const [, code] = fused.at(-1) as [string, Code]
    const graph = pruneQueries(fuseAttention(await graphOf(code), EXAMPLES))
    const queries = graph.operations
      .filter(({ kernel }) => kernel.startsWith('Attention'))
      .map(({ inputs }) => inputs.q)
    expect(queries.map((q) => q?.shape)).toEqual(Array(2).fill([EXAMPLES, HEADS, 1, DIM / HEADS]))
  })
})
