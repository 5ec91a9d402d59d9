import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { measureCustom, worstAmong } from '../../../../engine/study/gradients/measured.ts'

type Gradients = (dy: tf.Tensor, saved: tf.Tensor[]) => tf.Tensor[]

/** What is found of an operation with a gradient of its own, whose inputs have such shapes and depend on parameters. */
async function found(shapes: number[][], value: (...inputs: tf.Tensor[]) => tf.Tensor, gradFunc: Gradients) {
  const operation = tf.customGrad((...given) => {
    const save = given.pop() as unknown as (tensors: tf.Tensor[]) => void
    const inputs = given as tf.Tensor[]
    save(inputs)
    return { value: value(...inputs), gradFunc }
  })
  const inputs = shapes.map((shape) => tf.zeros(shape))
  const described = shapes.map((shape, i) => ({ name: `${i}`, shape, dtype: 'float32' as const, moving: true }))
  const use = { name: 'customGrad', line: 'own:1', inputs: described }
  const worst = await worstAmong(measureCustom(use, { name: use.name, run: operation as never, inputs }))
  tf.dispose(inputs)
  return worst
}

const X = [2, 16, 16] // two examples, 16 tokens, dim 16
/** Of x squared: `slope` in place of 2 x. */
const square = (slope: (x: tf.Tensor) => tf.Tensor): Parameters<typeof found> => [
  [X],
  tf.square,
  (dy, [x]) => [tf.mul(dy, slope(x as tf.Tensor))],
]
const twice = (x: tf.Tensor) => tf.mul(x, 2)
const without = (place: number, shape: number[]) =>
  tf.tensor(
    Array.from({ length: 16 }, (_, i) => (i === place ? 0 : 1)),
    shape,
  )
const pair = (
  other: number[],
  run: (a: tf.Tensor, b: tf.Tensor) => tf.Tensor,
  by: (dy: tf.Tensor, a: tf.Tensor, b: tf.Tensor) => tf.Tensor[],
): Parameters<typeof found> => [
  [other.length === 2 ? [16, 16] : X, other],
  run as (...inputs: tf.Tensor[]) => tf.Tensor,
  (dy, [a, b]) => by(dy, a as tf.Tensor, b as tf.Tensor),
]

it.each<[string, number, Parameters<typeof found>]>([
  ['by a hundredth', 0, square((x) => tf.mul(x, 2.02))],
  ['for negative inputs', 0, square((x) => tf.where(tf.less(x, 0), x, twice(x)))],
  ['in the tails', 0, square((x) => tf.where(tf.greater(tf.abs(x), 3), tf.zerosLike(x), twice(x)))],
  ['for one token', 0, square((x) => tf.mul(twice(x), without(5, [16, 1])))],
  ['for one channel', 0, square((x) => tf.mul(twice(x), without(5, [16])))],
  ['where broadcast, a mean for a sum', 1, pair([16], tf.add, (dy) => [tf.clone(dy), tf.mean(dy, [0, 1])])],
  ['where broadcast, one example', 1, pair([16], tf.add, (dy) => [tf.clone(dy), tf.sum(tf.slice(dy, 0, 1), [0, 1])])],
  ['in the second input', 1, pair(X, tf.mul, (dy, a, b) => [tf.mul(dy, b), tf.mul(dy, tf.mul(a, 1.1))])],
  ['not at all in the second input', 1, pair(X, tf.mul, (dy, _, b) => [tf.mul(dy, b), tf.zerosLike(b)])],
  [
    'transposed, of matrices with equal sides',
    1,
    pair([16, 16], tf.matMul, (dy, a, b) => [tf.matMul(dy, b, false, true), tf.matMul(dy, a, true)]),
  ],
  [
    'transposed, where there are as many tokens as channels',
    0,
    [
      [X],
      (x) => tf.cumsum(x, 1),
      (dy) => [tf.transpose(tf.cumsum(tf.transpose(dy, [0, 2, 1]), 1, false, true), [0, 2, 1])],
    ],
  ],
])('a gradient that is wrong %s is found', async (_, input, given) => {
  expect(await found(...given)).toMatchObject({ input, gradient: expect.any(Number) })
})

it.each<[string, Parameters<typeof found>]>([
  ['square', square(twice)],
  [
    'relu6',
    [[X], tf.relu6, (dy, [x]) => [tf.mul(dy, tf.mul(tf.step(x as tf.Tensor), tf.step(tf.sub(6, x as tf.Tensor))))]],
  ],
  [
    'a fast sine',
    [[X], (x) => tf.sin(tf.mul(x, 9)), (dy, [x]) => [tf.mul(dy, tf.mul(9, tf.cos(tf.mul(x as tf.Tensor, 9))))]],
  ],
  ['steep', [[X], (x) => tf.exp(twice(x)), (dy, [x]) => [tf.mul(dy, twice(tf.exp(twice(x as tf.Tensor))))]]],
  ['sum over what is broadcast', pair([16], tf.add, (dy) => [tf.clone(dy), tf.sum(dy, [0, 1])])],
  ['product', pair([16, 16], tf.matMul, (dy, a, b) => [tf.matMul(dy, b, false, true), tf.matMul(a, dy, true)])],
])('a right one passes: %s', async (_, given) => {
  expect(await found(...given)).toBe(null)
})
