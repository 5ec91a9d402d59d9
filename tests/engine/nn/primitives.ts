import * as tf from '@tensorflow/tfjs'
import {
  abs,
  add,
  attend,
  concat,
  constant,
  cos,
  cumprod,
  cumsum,
  dense,
  depthwiseConv2d,
  div,
  einsum,
  equal,
  exp,
  fourierMix,
  gather,
  greater,
  hardSwish,
  lerp,
  less,
  longConv,
  maximum,
  minimum,
  mul,
  normal,
  parameter,
  reshape,
  rmsNorm,
  rotary,
  scan,
  selfAttention,
  shift,
  sigmoid,
  silu,
  sin,
  softmax,
  softplus,
  spatialGating,
  split,
  splitHeads,
  sqrt,
  square,
  sub,
  sum,
  tinyAttention,
  tokenDense,
  where,
  windows,
} from '../../../engine/nn/index.ts'
import type { Forward } from '../../../engine/nn/model.ts'

/** Values between 0.3 and 0.9, as the factors of a recurrence are. */
const between = (x: tf.Tensor) => add(mul(sigmoid(x), 0.6), 0.3)

/** Smooth functions of the block language that mix tokens and channels, or work value by value, of `[batch, 6, 8]`. */
export const smooth: Record<string, Forward> = {
  rmsNorm: (x) => rmsNorm(x),
  silu: (x) => silu(x),
  'sigmoid, exp, square, sqrt, div and sum': (x) =>
    mul(div(square(x), sqrt(add(sum(square(x), -1, true), 1))), exp(mul(sigmoid(x), -1))),
  'softplus, sin and cos': (x) => add(softplus(x), mul(sin(x), cos(mul(x, 2)))),
  lerp: (x) => lerp(shift(x, 1), x, parameter('weight', [8], constant(0.7))),
  windows: (x) => windows(x, [1, 3], (y) => dense(tokenDense(y), 5), { grid: [2, 3] }),
  softmax: (x) => softmax(x),
  'softmax over the tokens': (x) => softmax(x, 1),
  rotary: (x) => rotary(splitHeads(x, 2)),
  'attend, causal by rotary positions': (x) => {
    const [q, k, v] = split(dense(x, 24), 3)
    return attend([rotary(q), rotary(k)], v, { heads: 2, causal: true })
  },
  'attend without content, causal': (x) => attend(null, x, { heads: 2, causal: true }),
  'selfAttention, causal': (x) => selfAttention(x, { heads: 2, causal: true }),
  'tinyAttention, causal': (x) => tinyAttention(x, 4, 8, { causal: true }),
  'tokenDense in share sets': (x) => tokenDense(x, { sets: 2, tokens: 3 }),
  'tokenDense with convolutions': (x) => tokenDense(x, { tokens: 3, locality: [1, 3], grid: [2, 3] }),
  'depthwiseConv2d in share sets': (x) => depthwiseConv2d(x, { sets: 2, grid: [2, 3] }),
  'tokenDense, causal': (x) => tokenDense(x, { causal: true }),
  'tokenDense, causal and Toeplitz': (x) => tokenDense(x, { structure: 'toeplitz', causal: true }),
  'spatialGating, causal': (x) => spatialGating(x, { causal: true }),
  'shift along tokens': (x) => add(shift(x, 2), square(shift(x, -1, { around: true }))),
  'shift in a grid': (x) =>
    concat(
      [shift(x, 1, { axis: 'rows', grid: [2, 3] }), shift(x, -1, { axis: 'columns', grid: [2, 3], around: true })],
      -1,
    ),
  'shift of channels': (x) => mul(x, shift(x, 3, { axis: -1 })),
  gather: (x) => gather(x, [5, 0, 0, 3]),
  'gather of channels': (x) => gather(x, [7, 2], -1),
  scan: (x) => scan(between(dense(x, 8)), x),
  'scan with one factor for all tokens': (x) => scan(parameter('decay', [8], constant(0.8)), x),
  'scan from the end': (x) => scan(between(dense(x, 1)), x, { reverse: true }),
  'scan of channels': (x) => scan(0.7, x, { axis: 2 }),
  cumsum: (x) => cumsum(x),
  'cumsum of channels': (x) => cumsum(x, -1),
  cumprod: (x) => cumprod(between(x)),
  'dense in groups': (x) => dense(x, 12, { groups: 4 }),
  'einsum of a batch': (x) => einsum('bnd,bmd->bnm', x, dense(x, 8)),
  'einsum of three': (x) =>
    einsum('bnd,de,me->bmn', x, parameter('a', [8, 5], normal(1)), parameter('b', [7, 5], normal(1))),
  'einsum without sums': (x) => einsum('bnd,nd->dbn', x, parameter('a', [6, 8], normal(1))),
  'einsum of groups': (x) => einsum('bngi,gio->bngo', reshape(x, [-1, 6, 2, 4]), parameter('a', [2, 4, 3], normal(1))),
  fourierMix: (x) => fourierMix(x),
  longConv: (x) => longConv(x, parameter('filter', [6, 8], normal(1))),
  'longConv, both ways': (x) => longConv(x, parameter('filter', [11, 8], normal(1))),
}

/** Those with kinks, of the same shape. */
export const kinked: Record<string, Forward> = {
  hardSwish: (x) => hardSwish(mul(x, 2)),
  abs: (x) => abs(x),
  'maximum and minimum': (x) => sub(maximum(x, dense(x, 1)), mul(2, minimum(0.5, x))),
  'where and comparisons': (x) => {
    const over = sub(x, dense(x, 1))
    return where(greater(over, 0), mul(over, 3), where(less(over, -1), -1, over))
  },
  'where of a broadcast condition': (x) => where(equal(tf.range(0, 6).reshape([6, 1]), 3), 1.5, mul(x, 2)),
}
