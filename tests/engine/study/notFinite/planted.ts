import { LONG } from '../../../long.ts'

// Notebooks with an operation each that gives NaN or an infinity; `//!` marks its line.

/** What the variants of the first notebook say. */
const IN_BLOCKS: Record<string, string> = {
  log: 'loss is NaN at step 1: Log is the first to give such a value, in the forward pass of step 1, of x [8, 4, 8] of 0',
  division: 'loss is NaN at step 1: RealDiv is the first',
  exp: 'loss is NaN at step 1: Exp is the first',
  sqrt: 'loss is NaN at step 1: Sqrt is the first',
  product: 'loss is NaN at step 1: RealDiv is the first',
  backward: 'loss is NaN at step 2: RealDiv of the gradient of Sqrt is the first',
  helper: 'loss is NaN at step 1: RealDiv is the first',
  power: 'loss is NaN at step 1: Pow is the first',
  variance: 'loss is NaN at step 1: Rsqrt is the first',
  fast: 'loss is NaN at step 8: training diverged; Exp gave the first such value, in the forward pass of step 8, of x',
}

/** All, or some that differ: an infinity that becomes NaN later, a gradient, another cell, and what diverges. */
const SHOWN = Object.keys(IN_BLOCKS).filter((name) => LONG || /^(product|backward|helper|fast)$/.test(name))

const BLOCKS = `// %% given
import * as tf from '@tensorflow/tfjs'
export function normalised(x) {
  const norm = tf.sqrt(tf.sum(tf.square(x), -1, true))
  return tf.div(x, norm) //! helper
}
// %% planted
import * as tf from '@tensorflow/tfjs'
import { add, block, dense, layerNorm, mul, residual, sub } from 'mixlab'
const zero = (x) => sub(x, x)
const plant = (name, change) => block(name, (x, { dim }) => residual(x, change(dense(layerNorm(x), dim))))
export const log = plant('log', (y) =>
  tf.log(zero(y))) //! log
export const division = plant('division', (y) => {
  const scale = add(y, 1)
  return tf.div(scale, zero(y)) //! division
})
export const exp = plant('exp', (y) => {
  const large = add(mul(y, 10), 200)
  return tf.exp(large) //! exp
})
export const sqrt = plant('sqrt', (y) => {
  const below = sub(y, 30)
  return add(y, tf.sqrt(below)) //! sqrt
})
export const product = plant('product', (y) => {
  const infinite = tf.div(1, zero(y)) //! product
  return mul(zero(y), infinite)
})
export const backward = plant('backward', (y) => {
  const distance = tf.sum(tf.square(zero(y)), -1, true)
  const root = tf.sqrt(distance) //! backward
  return add(y, root)
})
export const helper = plant('helper', (y) =>
  normalised(zero(y)))
export const power = plant('power', (y) => {
  const negative = sub(y, 30)
  return tf.pow(negative, 0.5) //! power
})
export const variance = plant('variance', (y) => {
  const { mean, variance } = tf.moments(zero(y), -1, true)
  const scale = tf.rsqrt(variance) //! variance
  return mul(sub(y, mean), scale)
})
export const fast = plant('fast', (y) => {
  const grown = tf.exp(y) //! fast
  return grown
})
// %% study
import { compare, image, sgd, shapes } from 'mixlab'
export const study = compare('s', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { ${SHOWN.join(', ')} },
  train: { steps: 40, batch: 8, optimizer: sgd({ learningRate: 3 }), checkpointEvery: { steps: 3 }, evalEvery: 40 },
  seeds: 1,
})`

const LOSS = `// %% own
import * as tf from '@tensorflow/tfjs'
import { add, crossEntropy, image, mul, shapes, sub, task } from 'mixlab'
export const own = task('own', {
  base: image({ data: shapes({ train: 64, test: 20 }) }),
  loss: (z, y) => {
    const usual = crossEntropy(z, y)
    const gap = tf.mean(sub(z, z))
    return add(usual, tf.mul(gap, tf.reciprocal(gap))) //! loss
  },
})
// %% study
import { compare, mixer } from 'mixlab'
export const study = compare('s', {
  task: own,
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { loss: mixer() },
  train: { steps: 2, batch: 8 },
  seeds: 1,
})`

const UPDATE = `// %% own
import * as tf from '@tensorflow/tfjs'
import { optimizer, shapes } from 'mixlab'
export const own = optimizer('own', { learningRate: 0.1 }, {
  update: ({ weight, gradient, learningRate, step }) => {
    const left = tf.sub(3, step)
    return { weight: tf.sub(weight, tf.div(tf.mul(gradient, learningRate), left)) } //! update
  },
})
// %% study
import { compare, image, mixer } from 'mixlab'
export const study = compare('s', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { update: mixer() },
  train: { steps: 8, batch: 8, optimizer: own({ learningRate: 0.1 }) },
  seeds: 1,
})`

const DATA = `// %% study
import { compare, dataset, image, mixer } from 'mixlab'
const own = dataset('own', { //! data
  make: (_, i) => {
    const value = i === 5 ? 1e39 : i
    return { image: Float64Array.from({ length: 256 }, () => value), label: i % 2 }
  },
  shape: { image: [16, 16, 1] },
  train: 32,
  test: 8,
})
export const study = compare('s', {
  task: image({ data: own }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { data: mixer() },
  train: { steps: 2, batch: 8 },
  seeds: 1,
})`

/** The operation that is named, by the notebook and the name at its line. */
export const PLANTED: { source: string; says: Record<string, string> }[] = [
  {
    source: BLOCKS,
    says: Object.fromEntries(SHOWN.map((name) => [name, IN_BLOCKS[name] ?? ''])),
  },
  { source: LOSS, says: { loss: 'loss is NaN at step 1: Reciprocal is the first' } },
  {
    source: UPDATE,
    says: { update: 'loss is NaN at step 4: training diverged; RealDiv gave the first such value, in the update' },
  },
  { source: DATA, says: { data: "data set 'own': example 5 of train: image has 1e+39" } },
]

/** The line with `//! name` of a notebook, as errors name it. */
export function lineOf(source: string, name: string): string {
  const cells = source.split(/^\/\/ %% /m).slice(1)
  for (const cell of cells) {
    const [id, ...lines] = cell.split('\n')
    const at = lines.findIndex((line) => line.endsWith(`//! ${name}`))
    if (at >= 0) return `${id}:${at + 1}`
  }
  throw new Error(`no line is marked with ${name}`)
}
