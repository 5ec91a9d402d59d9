import * as tf from '@tensorflow/tfjs'
import type { Argument } from '../../../engine/gradients/differences.ts'
import { apart, between, type Case, lists, of, ops, truths } from './cases.ts'

type Unary = (x: tf.Tensor) => tf.Tensor
type Binary = (a: tf.Tensor, b: tf.Tensor) => tf.Tensor

const SHAPES = [[], [3], [2, 3], [4, 4], [2, 3, 3], [2, 1, 3, 2]]
/** Equal, one a scalar, axes of length 1 or missing on either side, and both of them broadcast. */
const PAIRS = ['2,3 2,3', '- 2,3', '2,3 -', '2,3,4 3,1', '4 2,3,4', '3,1 1,3', '2,1,4 3,1'].map((pair) =>
  lists<[number[], number[]]>(pair),
)

const everywhere = (run: Unary): Case[] => SHAPES.map((shape) => of(apart(shape), (x) => run(x as tf.Tensor)))
const within = (low: number, high: number, run: Unary): Case[] =>
  SHAPES.slice(0, 4).map((shape) => of(between(low, high, shape), (x) => run(x as tf.Tensor)))
const pairs = (run: Binary): Case[] =>
  PAIRS.map((shapes) => of(apart(...shapes), (a, b) => run(a as tf.Tensor, b as tf.Tensor)))
const positive = (run: Binary): Case[] =>
  PAIRS.map((shapes) => of(between(0.5, 2.5, ...shapes), (a, b) => run(a as tf.Tensor, b as tf.Tensor)))

/** Operations that work value by value. */
export const elementwise: Record<string, Case[]> = {
  ...Object.fromEntries(
    [
      ...(['abs', 'asinh', 'atan', 'ceil', 'clone', 'cos', 'cosh'] as const),
      ...(['elu', 'erf', 'exp', 'expm1', 'floor', 'isFinite'] as const),
    ].map((name) => [name, everywhere((x) => ops[name](x))]),
  ),
  ...Object.fromEntries(
    [
      ...(['isInf', 'isNaN', 'leakyRelu', 'logSigmoid', 'logicalNot'] as const),
      ...(['neg', 'onesLike', 'relu', 'relu6', 'round', 'selu'] as const),
    ].map((name) => [
      name,
      everywhere((x) => (name === 'logicalNot' ? tf.logicalNot(tf.greater(x, 0)) : ops[name](x))),
    ]),
  ),
  ...Object.fromEntries(
    (['sigmoid', 'sign', 'sin', 'sinh', 'softplus', 'square', 'step', 'tanh', 'zerosLike'] as const).map((name) => [
      name,
      everywhere((x) => ops[name](x)),
    ]),
  ),
  ...Object.fromEntries(
    (['log', 'log1p', 'reciprocal', 'rsqrt', 'sqrt'] as const).map((name) => [
      name,
      within(0.5, 2.5, (x) => ops[name](x)),
    ]),
  ),
  ...Object.fromEntries(
    (['acos', 'asin', 'atanh', 'tan'] as const).map((name) => [name, within(-0.8, 0.8, (x) => ops[name](x))]),
  ),
  acosh: within(1.5, 3, (x) => tf.acosh(x)),
  cast: [
    ...everywhere((x) => tf.cast(x, 'float32')),
    ...everywhere((x) => tf.cast(x, 'int32')),
    ...everywhere((x) => tf.mul(x, tf.cast(tf.cast(x, 'bool'), 'float32'))),
    ...everywhere((x) => tf.mul(x, tf.cast(tf.cast(x, 'int32'), 'float32'))),
  ],
  clipByValue: everywhere((x) => tf.clipByValue(x, -0.47, 0.72)),
  ...Object.fromEntries(
    (['add', 'maximum', 'minimum', 'mul', 'squaredDifference', 'sub'] as const).map((name) => [
      name,
      pairs((a, b) => ops[name](a, b)),
    ]),
  ),
  ...Object.fromEntries(
    (['atan2', 'div', 'divNoNan', 'pow'] as const).map((name) => [name, positive((a, b) => ops[name](a, b))]),
  ),
  ...Object.fromEntries(
    (['equal', 'greater', 'greaterEqual', 'less', 'lessEqual', 'notEqual'] as const).map((name) => [
      name,
      pairs((a, b) => tf.add(tf.mul(a, b), tf.cast(ops[name](a, b), 'float32'))),
    ]),
  ),
  ...Object.fromEntries(
    (['logicalAnd', 'logicalOr', 'logicalXor'] as const).map((name) => [
      name,
      pairs((a, b) => tf.add(tf.mul(a, b), tf.cast(ops[name](tf.greater(a, 0), tf.less(b, 0.44)), 'float32'))),
    ]),
  ),
  ...Object.fromEntries(
    (['mod', 'floorDiv'] as const).map((name) => [
      name,
      // quotients from 2.1 to 2.9
      PAIRS.map((shapes) => {
        const [a, b] = between(0.02, 0.08, ...shapes) as [Argument, Argument]
        const moved = (x: Argument, by: number) => ({
          ...x,
          values: (x.values as Float32Array).map((value) => value + by),
        })
        return of([moved(a, 2.4), moved(b, 0.95)], (x, y) => ops[name](x as tf.Tensor, y as tf.Tensor))
      }),
    ]),
  ),
  where: [
    ...PAIRS.map((shapes) =>
      of(
        [truths([2, 3, 4].slice(3 - Math.max(shapes[0].length, shapes[1].length))), ...apart(...shapes)],
        (condition, a, b) => tf.where(condition as tf.Tensor, a as tf.Tensor, b as tf.Tensor),
      ),
    ).filter(({ inputs: [condition, a, b] }) => fits(condition?.shape, a?.shape, b?.shape)),
    ...pairs((a, b) => tf.where(tf.greater(a, b), a, tf.mul(b, 2))),
    ...pairs((a, b) => tf.where(tf.logicalAnd(tf.greater(a, 0), tf.less(b, 0.44)), tf.mul(a, b), b)),
    ...everywhere((x) => tf.where(tf.greater(x, 0), x, tf.cast(tf.less(x, -1), 'float32'))),
  ],
  prelu: [
    of(apart([2, 3], [3]), (x, alpha) => tf.prelu(x as tf.Tensor, alpha as tf.Tensor)),
    of(apart([2, 3, 4], [3, 1]), (x, alpha) => tf.prelu(x as tf.Tensor, alpha as tf.Tensor)),
  ],
  addN: [of(apart([2, 3], [2, 3], [2, 3]), (...all) => tf.addN(all))],
  dropout: [of(apart([3, 4]), (x) => tf.dropout(x as tf.Tensor, 0.5, undefined, 7))],
  broadcastTo: [
    of(apart([2, 1, 3]), (x) => tf.broadcastTo(x as tf.Tensor, [2, 4, 3])),
    of(apart([3]), (x) => tf.broadcastTo(x as tf.Tensor, [2, 2, 3])),
    of(apart([3, 1]), (x) => tf.broadcastTo(x as tf.Tensor, [3, 3])),
  ],
  bitwiseAnd: [of([], () => tf.bitwiseAnd(tf.tensor1d([1, 3], 'int32'), tf.tensor1d([3, 2], 'int32')))],
}

function fits(...shapes: (number[] | undefined)[]): boolean {
  const rank = Math.max(...shapes.map((shape) => shape?.length ?? 0))
  return Array.from({ length: rank }, (_, i) => i).every((axis) => {
    const lengths = new Set(shapes.map((shape) => shape?.at(-1 - axis) ?? 1))
    lengths.delete(1)
    return lengths.size < 2
  })
}
