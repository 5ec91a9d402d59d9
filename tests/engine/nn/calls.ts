import * as tf from '@tensorflow/tfjs'
import * as language from '../../../engine/nn/index.ts'

/** What defines blocks and models says by itself what it cannot take. */
export const DEFINING = ['block', 'head', 'stack', 'stages', 'stem']

const drawn = language.normal(0.5)
const DRAWS = ['nearZero', 'xavierUniform', 'lecunNormal', 'kaimingNormal', 'torchDefault']

/** A call of each function of the block language that works, with tensors of a shape, `[1, 4, 8]` by default. */
export function rightCalls(usual = [1, 4, 8]): Record<string, () => unknown[]> {
  const x = (...shape: number[]) => tf.ones(shape.length > 0 ? shape : usual)
  const ids = () => tf.ones([1, 4], 'int32')
  return {
    ...Object.fromEntries(DRAWS.map((name) => [name, () => [4, { in: 2, out: 2 }, [1, 2]]])),
    ...{ constant: () => [1], normal: () => [0.1], uniform: () => [0.1], sinusoid: () => [4] },
    ...{ zeros: () => [4], ones: () => [4] },
    activate: () => [x(), 'gelu'],
    affine: () => [x(), { name: 'a' }],
    layerScale: () => [x(), 0.1, { name: 'scale' }],
    attend: () => [[x(), x()], x(), { heads: 2, bias: x(2, 4, 4), dropout: 0.1 }],
    joinHeads: () => [x(1, 2, 4, 4)],
    splitHeads: () => [x(), 2],
    selfAttention: () => [x(), { heads: 2, qkvBias: false, weight: drawn, dropout: { attention: 0.1 } }],
    tinyAttention: () => [x(), 2, 6, { qkvBias: false, dropout: {} }],
    batchNorm: () => [x(), { eps: 1e-5, momentum: 0.1, weight: drawn }],
    conv1d: () => [x(), 4, { kernel: 2, dilation: 2, groups: 2, padding: 'causal', weight: drawn, bias: false }],
    conv2d: () => [x(1, 4, 4, 2), 3, { kernel: 3, stride: [1, 1], padding: 0, weight: drawn, bias: false }],
    depthwiseConv2d: () => [x(), { kernel: [3, 1], stride: 1, dilation: [1, 2], bias: drawn, sets: 4, grid: [2, 2] }],
    avgPool: () => [x(1, 4, 4, 2), { kernel: 2, stride: 2, padding: 'valid' }],
    maxPool: () => [x(), { kernel: [1, 3], grid: [1, 4] }],
    dense: () => [x(), 5, { weight: drawn, bias: false, kernelAxes: 1, axis: 'tokens' }],
    dropout: () => [x(), 0.1],
    embedding: () => [ids(), 5, 3, { weight: drawn }],
    tiedLogits: () => [x(), 'table', 5, 'bias'],
    externalAttention: () => [x(), { slots: 2, bias: [true, false], weight: drawn, kernelAxes: 0, dropout: {} }],
    multiHeadExternalAttention: () => [x(), { heads: 2, widen: 2, slots: 3 }],
    layerNorm: () => [x(), { eps: 1e-6 }],
    mlp: () => [x(), 6, { activation: 'relu', dropout: {}, weight: drawn, bias: false, axis: 'tokens' }],
    patchEmbed: () => [x(1, 4, 4, 2), [2, 2], 3, { weight: drawn, bias: language.ones }],
    sidesOf: () => [2],
    patchMerge: () => [language.patchEmbed(x(1, 4, 4, 3), 2, 8), 5, { merge: 2, eps: 1e-5, weight: drawn }],
    relativePositionBias: () => [4, 2, { name: 'relative', buckets: 8, maxDistance: 16 }],
    residual: () => [x(), x()],
    spatialGating: () => [x(), { gate: 'split', spatial: 'toeplitz', eps: 1e-5, plus: x(1, 4, 4) }],
    tokenDense: () => [x(), { weight: drawn, structure: 'toeplitz', hidden: true, locality: [], localScale: drawn }],
    addPositions: () => [x(), 'positions', drawn],
    firstRows: () => ['rows', 4, 6, 8, drawn],
    firstToken: () => [x()],
    meanToken: () => [x()],
    prependToken: () => [x(), 'token', drawn],
    resizedPositions: () => ['positions', [2, 2], [3, 3], 4, drawn],
    surrogate: () => [(x: tf.Tensor) => tf.round(x), (dy: tf.Tensor) => dy],
    unfold: () => [x(1, 4, 4, 2), 3, 1, 1],
    rmsNorm: () => [x(), { name: 'rms', eps: 1e-5 }],
    rotary: () => [x(1, 2, 4, 8), { base: 100 }],
    shift: () => [x(), -1, { axis: 'columns', around: true, grid: [2, 2] }],
    scan: () => [x(8), x(), { axis: -2, reverse: true }],
    ...{ cumsum: () => [x(), 2], cumprod: () => [x(), 2], softmax: () => [x(), 1] },
    gather: () => [x(), [3, 0], 1],
    einsum: () => ['bnd,de->bne', x(), x(8, 3)],
    ...{ fourierMix: () => [x()], longConv: () => [x(), x(7, 8)] },
    ...{ silu: () => [x()], hardSwish: () => [x()], maximum: () => [x(), 0], minimum: () => [2, x()] },
    ...{ greater: () => [x(), 0], greaterEqual: () => [x(), x(8)], less: () => [x(), 0], lessEqual: () => [1, x()] },
    ...{ equal: () => [x(), 0], notEqual: () => [x(), 0] },
    where: () => [tf.ones([4, 8], 'bool'), x(), 0],
    ...{ add: () => [x(), 1], div: () => [x(), 2], mul: () => [x(), x()], sub: () => [x(), x(8)] },
    ...{ max: () => [x(), 1], mean: () => [x(), [1, 2], true], sum: () => [x(), 2, true] },
    ...{ cos: () => [x()], sin: () => [x()], softplus: () => [x()], lerp: () => [x(), x(8), 0.5] },
    windows: () => [x(), 2, (y: tf.Tensor) => y, { grid: [2, 2] }],
    ...{ abs: () => [x()], exp: () => [x()], sigmoid: () => [x()], sqrt: () => [x()], square: () => [x()] },
    ...{ relu: () => [x()], tanh: () => [x()], zerosLike: () => [x()], gelu: () => [x()] },
    concat: () => [[x(), x()], -1],
    reshape: () => [x(), [1, -1]],
    transpose: () => [x(), [0, 2, 1]],
    split: () => [x(), 2],
    parameter: () => ['p', [2, 3], drawn, { decay: false }],
    scope: () => ['part', 'a', () => 1],
  }
}
