import * as tf from '@tensorflow/tfjs'
import type { RecordingMarks, Spec } from '../../../engine/compile/record.ts'
import { gelu } from '../../../engine/nn/layers/gelu.ts'
import { layerNorm } from '../../../engine/nn/layers/layerNorm.ts'
import { runInPass } from '../../../engine/nn/scope.ts'
import { Draws } from '../backends/simd/stock.ts'

/** Code of random operations, the same in each call, and what it reads. */
export interface RandomCode {
  batch: number
  inputs: Record<string, Spec>
  /** Values for the inputs. */
  values(): tf.NamedTensorMap
  body(inputs: tf.NamedTensorMap, marks: Pick<RecordingMarks, 'backward'>): tf.NamedTensorMap
}

/** What an operation may use beside x: all values so far, and weights `[channels, channels]` and `[channels]`. */
interface Around {
  draws: Draws
  pool: tf.Tensor[]
  weight: tf.Tensor
  bias: tf.Tensor
}

type Step = (x: tf.Tensor, around: Around) => tf.Tensor | tf.Tensor[]

const chosen = <T>(draws: Draws, among: readonly T[]): T => among[draws.below(among.length)] as T
const often = (draws: Draws) => draws.below(3) > 0
const size = (x: tf.Tensor, axis: number) => x.shape.at(axis) ?? 1

/** An axis; seldom the first, along which a program is cut. */
function axisOf(draws: Draws, { rank }: tf.Tensor): number {
  return often(draws) && rank > 1 ? 1 + draws.below(rank - 1) : draws.below(rank)
}

/** A constant that broadcasts with x, without some of its axes or with some of them 1. */
function beside(draws: Draws, x: tf.Tensor): tf.Tensor {
  const kept = x.shape.slice(often(draws) ? 0 : draws.below(x.rank + 1))
  const shape = kept.map((length) => (draws.below(3) === 0 ? 1 : length))
  return draws.below(6) === 0 ? tf.ones(shape) : tf.tensor(draws.values(shape), shape)
}

function like(draws: Draws, x: tf.Tensor): tf.Tensor {
  return tf.tensor(draws.values(x.shape), x.shape)
}

/** Another value of the shape of x, or one that broadcasts with it. */
function other(x: tf.Tensor, { draws, pool, bias }: Around): tf.Tensor {
  const alike = pool.filter(({ shape }) => shape.join() === x.shape.join())
  if (size(x, -1) === bias.size && draws.below(3) === 0) return bias
  return draws.below(2) === 0 ? chosen(draws, alike) : beside(draws, x)
}

const UNARY = [tf.neg, tf.square, tf.exp, tf.tanh, tf.sigmoid, tf.relu, tf.abs, tf.softplus, gelu] as const
const POSITIVE = [tf.sqrt, tf.rsqrt, tf.log, tf.reciprocal] as const
const UNBROADCAST = [tf.maximum, tf.minimum, tf.squaredDifference] as const // as far as gradients of tfjs go

const elementwise: Step[] = [
  (x, around) => chosen(around.draws, [tf.add, tf.sub, tf.mul])(x, other(x, around)),
  (x, around) => chosen(around.draws, [tf.add, tf.sub, tf.mul])(other(x, around), x),
  (x, around) => tf.div(x, tf.add(tf.square(other(x, around)), 0.5)),
  (x, { draws }) => chosen(draws, UNARY)(x),
  (x) => gelu(x),
  (x, { draws }) => chosen(draws, POSITIVE)(tf.add(tf.square(x), 0.25)),
  (x, { draws }) => chosen(draws, UNBROADCAST)(x, like(draws, x)),
  (x, { draws }) => tf.where(tf.tensor(draws.integers(x.shape, 2), x.shape, 'bool'), x, tf.mul(x, 0.1)),
]

/** Of values of at least one axis. */
const alongAxes: Step[] = [
  (x, { draws }) => chosen(draws, [tf.softmax, tf.logSoftmax])(x),
  (x) => (x.rank > 1 ? layerNorm(x) : x),
  (x, { draws }) => {
    const axes = [...x.shape.keys()].filter((axis) => draws.below(axis === 0 ? 3 : 2) === 0)
    return chosen(draws, [tf.sum, tf.mean, tf.max])(x, axes, draws.below(2) === 0)
  },
  (x, { draws }) => {
    const inner = draws.permutation(x.rank - 1).map((axis) => axis + 1)
    return tf.transpose(x, often(draws) ? [0, ...inner] : draws.permutation(x.rank))
  },
  (x, { draws }) => {
    const axis = axisOf(draws, x)
    const [whole, first] = [size(x, axis), 1 + draws.below(Math.max(1, size(x, axis) - 1))]
    if (whole === 1) return x
    return tf.split(x, draws.below(2) === 0 ? whole : [first, whole - first], axis)
  },
  (x, { draws }) => tf.concat([x, tf.square(x), x].slice(draws.below(3)), axisOf(draws, x)),
  (x, { draws }) => tf.stack([x, tf.square(x)], draws.below(x.rank + 1)),
  (x) => (size(x, -1) === 1 ? x : tf.unstack(x, x.rank - 1).slice(0, 3)),
  (x, { draws }) => {
    const begin = x.shape.map((length, axis) => (axis === 0 && often(draws) ? 0 : draws.below(length)))
    const sizes = x.shape.map((length, axis) => 1 + draws.below(length - (begin[axis] as number)))
    return tf.slice(x, begin, often(draws) ? sizes.with(0, size(x, 0) - (begin[0] as number)) : sizes)
  },
  (x, { draws }) => {
    const around = (axis: number): [number, number] =>
      axis === 0 && often(draws) ? [0, 0] : [draws.below(3), draws.below(2)]
    return x.rank > 4 ? x : tf.pad(x, [...x.shape.keys()].map(around), draws.below(2))
  },
  (x, { draws }) => {
    const [first = 1, second = 1, ...rest] = x.shape
    return tf.reshape(x, x.rank > 2 && often(draws) ? [first * second, ...rest] : [first, -1])
  },
  (x, { draws }) => {
    const times = x.shape.map((_, axis) => (axis === 0 && often(draws) ? 1 : 1 + draws.below(2)))
    return tf.tile(x, times)
  },
  (x, { draws }) => {
    const axis = axisOf(draws, x)
    return tf.gather(x, tf.tensor1d(draws.integers([3], size(x, axis)), 'int32'), axis)
  },
]

/** A layer, whose bias is added to rows or to tokens. */
const layer: Step = (x, { draws, weight, bias }) => {
  if (size(x, -1) !== bias.size) return x
  const product = tf.matMul(tf.reshape(x, [-1, bias.size]) as tf.Tensor2D, weight as tf.Tensor2D)
  if (draws.below(2) === 0) return tf.reshape(tf.add(product, bias), x.shape)
  return tf.add(tf.reshape(product, x.shape), bias)
}

/** Some of the tokens, often one; `[batch, tokens, channels]`. */
const someTokens: Step = (x, { draws }) => {
  if (x.rank !== 3) return x
  const [batch, tokens, channels] = x.shape as [number, number, number]
  const from = draws.below(tokens)
  return tf.slice(x, [0, from, 0], [batch, 1 + (draws.below(2) === 0 ? 0 : draws.below(tokens - from)), channels])
}

/** One token in front of the others. */
const oneMore: Step = (x, { draws }) => {
  if (x.rank !== 3) return x
  const token = tf.tensor(draws.values([1, 1, size(x, 2)]), [1, 1, size(x, 2)])
  return tf.concat([tf.tile(token, [size(x, 0), 1, 1]), x], 1)
}

/** Of tokens with channels. */
const ofTokens: Step[] = [
  layer,
  someTokens,
  oneMore,
  (x, { draws }) => {
    const [inputs, units, transposed] = [size(x, -1), chosen(draws, [1, 3, 8, 17]), draws.below(2) === 0]
    const shape: [number, number] = transposed ? [units, inputs] : [inputs, units]
    const rows = tf.reshape(x, [-1, inputs]) as tf.Tensor2D
    const product = tf.matMul(rows, tf.tensor(draws.values(shape), shape) as tf.Tensor2D, false, transposed)
    return tf.reshape(product, [...x.shape.slice(0, -1), units])
  },
  (x, { draws }) => {
    const left = draws.below(2) === 0
    return tf.div(tf.matMul(x, x, left, !left), size(x, left ? -2 : -1))
  },
  (x, { draws }) => {
    const before = x.shape.slice(0, -2)
    const shape = [...before.map(() => 1), 3, size(x, -2)]
    return tf.matMul(tf.tile(tf.tensor(draws.values(shape), shape), [...before, 1, 1]), x)
  },
]

/** Without a gradient in tfjs: products that are broadcast, and numbers of other types. */
const plain: Step[] = [
  (x, { draws }) => chosen(draws, UNBROADCAST)(x, beside(draws, x)),
  (x, { draws }) => {
    if (x.rank < 2) return x
    const before = x.shape.slice(0, -2).map((length) => (often(draws) ? 1 : length))
    const transposed = draws.below(2) === 0
    const shape = [...before, ...(transposed ? [size(x, -2), 4] : [4, size(x, -2)])]
    return tf.matMul(tf.tensor(draws.values(shape), shape), x, transposed)
  },
  (x) => tf.cast(tf.cast(tf.clipByValue(x, -9, 9), 'int32'), 'float32'),
  (x) => tf.where(tf.greater(x, 0), x, tf.cast(tf.less(x, -1), 'float32')),
  (x, { draws }) => {
    const indices = tf.reshape(tf.cast(tf.clipByValue(x, 0, 4), 'int32'), [-1]) as tf.Tensor1D
    return tf.cast(tf.oneHot(indices, 5, 1 + draws.below(3), -1), 'float32')
  },
  (x) => tf.add(tf.fill(x.shape, 2.5), tf.onesLike(x)),
]

/** What a model does with tokens, row by row, until its head takes some of them. */
const rowByRow: Step[] = [
  ...elementwise.slice(0, 3),
  (x) => gelu(x),
  (x) => layerNorm(x),
  (x, around) => tf.add(x, gelu([layer(x, around)].flat()[0] as tf.Tensor)),
  layer,
  layer,
  someTokens,
  oneMore,
]

/** Elements at most, and axes. */
const [LARGEST, DEEPEST] = [10_000, 5]

/** Runs random operations, each on one of the values so far, and adds what they give. */
function grow(around: Around, more: Step[], count: number): void {
  const { draws, pool } = around
  for (let i = 0; i < count; i++) {
    const x = pool[Math.max(draws.below(pool.length), draws.below(pool.length))] as tf.Tensor
    const kinds = [...elementwise, ...(x.rank > 0 ? alongAxes : []), ...(x.rank > 1 ? ofTokens : []), ...more]
    const results = [chosen(draws, kinds)(x, around)].flat()
    pool.push(...results.filter((value) => value.size > 0 && value.size < LARGEST && value.rank <= DEEPEST))
  }
}

/**
 * What random code does: `forward`, any operations, all of whose results count; `gradients` of the mean of some results;
 * `chain`, gradients of the last of operations row by row, which takes some of the rows.
 */
export type Kind = 'forward' | 'gradients' | 'chain'

/** The results of `forward`, or those of which `gradients` and `chain` take the mean. */
function results(kind: Kind, around: Around): tf.Tensor[] {
  const { draws, pool } = around
  if (kind === 'chain') {
    for (let i = 0; i < 12; i++) pool.push(chosen(draws, rowByRow)(pool.at(-1) as tf.Tensor, around) as tf.Tensor)
    return [someTokens(pool.at(-1) as tf.Tensor, around) as tf.Tensor]
  }
  grow(around, kind === 'forward' ? plain : [], 4 + draws.below(12))
  return pool.filter((_, i) => i < 2 || draws.below(3) === 0)
}

/** The code of that kind that `name` stands for, of as many examples and tokens as are given. */
export function randomCode(kind: Kind, name: string, given?: { batch: number; tokens: number }): RandomCode {
  const draws = new Draws(name)
  const batch = given?.batch ?? chosen(draws, [1, 2, 3, 4, 5, 6, 16, 32])
  const tokens = given?.tokens ?? (often(draws) ? 1 + draws.below(36) : batch) // the same lengths for different things, too
  const channels = chosen(draws, [1, 2, 5, 8, 12, 17, batch, tokens])
  const shapes = [[batch, tokens, channels], [tokens, channels], [channels], [batch, 1, channels], [1, tokens, 1]]
  const inputs: Record<string, Spec> = {
    x: { shape: [batch, tokens, channels], dtype: 'float32' },
    y: { shape: chosen(draws, shapes), dtype: 'float32' },
    weight: { shape: [channels, channels], dtype: 'float32' },
    bias: { shape: [channels], dtype: 'float32' },
    ids: { shape: [batch, tokens], dtype: 'int32' },
  }

  function values(): tf.NamedTensorMap {
    const draws = new Draws(`${name}/values`)
    const made = Object.entries(inputs).map(([key, { shape, dtype }]) => {
      const wild = kind === 'forward'
      return [
        key,
        tf.tensor(dtype === 'int32' ? draws.integers(shape, channels) : draws.values(shape, wild), shape, dtype),
      ]
    })
    return Object.fromEntries(made)
  }

  function run(given: tf.NamedTensorMap, marks: Pick<RecordingMarks, 'backward'>): tf.NamedTensorMap {
    const { x, y, weight, bias, ids } = given as Record<'x' | 'y' | 'weight' | 'bias' | 'ids', tf.Tensor>
    const draws = new Draws(`${name}/code`)
    const start = () => ({ draws, pool: [tf.gather(weight, ids as tf.Tensor2D), tf.mul(x, y)], weight, bias })
    if (kind === 'forward') return Object.fromEntries(results(kind, start()).map((value, i) => [i, value]))
    const mean = () => {
      const used = results(kind, start())
      const loss = tf.addN(used.map((value) => tf.mean(tf.mul(value, beside(draws, value))))) as tf.Scalar
      marks.backward()
      return loss
    }
    const { value, grads } = tf.engine().gradients(mean, [x, y, weight, bias])
    return Object.fromEntries([value, ...grads].flatMap((tensor, i) => (tensor ? [[i, tensor]] : [])))
  }

  // a norm asks for parameters
  const create = (_: string, shape: number[], fill: () => Float32Array) => tf.tensor(fill(), shape) as tf.Variable
  const pass = () => ({ parameters: new Map(), seed: 1, training: true, step: 0, dropPath: 0, create })
  return { batch, inputs, values, body: (given, marks) => runInPass(pass(), () => run(given, marks)) }
}
