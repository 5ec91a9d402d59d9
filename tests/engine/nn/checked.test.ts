import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import * as mixlab from '../../../engine/index.ts'
import { checkedLanguage } from '../../../engine/nn/checked.ts'
import * as language from '../../../engine/nn/index.ts'
import { createModel } from '../../../engine/nn/model.ts'
import { signatures } from '../../../engine/nn/signatures.ts'
import { evaluateAll, locate } from '../../../engine/notebook/index.ts'

type Call = (...given: unknown[]) => unknown

const functions = new Map(
  Object.entries(language).flatMap(([name, value]): [string, Call][] =>
    typeof value === 'function' && name !== 'block' ? [[name, checkedLanguage.get(value) ?? (value as Call)]] : [],
  ),
)

/** Tensors that a call gets: `[1, 4, 8]` by default. */
const x = (...shape: number[]) => tf.ones(shape.length > 0 ? shape : [1, 4, 8])
const ids = () => tf.ones([1, 4], 'int32')

/** A call of each function that works. */
const RIGHT: Record<string, () => unknown[]> = {
  ...{ constant: () => [1], normal: () => [0.1], uniform: () => [0.1], sinusoid: () => [4] },
  ...{ zeros: () => [4], ones: () => [4] },
  activate: () => [x(), 'gelu'],
  affine: () => [x(), { name: 'a' }],
  layerScale: () => [x(), 0.1, { name: 'scale' }],
  attend: () => [[x(), x()], x(), { heads: 2, bias: x(2, 4, 4), dropout: 0.1 }],
  joinHeads: () => [x(1, 2, 4, 4)],
  splitHeads: () => [x(), 2],
  selfAttention: () => [x(), { heads: 2, qkvBias: false, weight: language.zeros, dropout: { attention: 0.1 } }],
  tinyAttention: () => [x(), 2, 6, { qkvBias: false, dropout: {} }],
  batchNorm: () => [x(), { eps: 1e-5, momentum: 0.1 }],
  conv2d: () => [x(1, 4, 4, 2), 3, { kernel: 3, stride: [1, 1], weight: language.zeros, bias: false }],
  dense: () => [x(), 5, { weight: language.zeros, bias: false, kernelAxes: 1, axis: 'tokens' }],
  dropout: () => [x(), 0.1],
  embedding: () => [ids(), 5, 3, { weight: language.zeros }],
  tiedLogits: () => [x(), 'table', 5, 'bias'],
  externalAttention: () => [x(), { slots: 2, bias: [true, false], weight: language.zeros, kernelAxes: 0, dropout: {} }],
  multiHeadExternalAttention: () => [x(), { heads: 2, widen: 2, slots: 3 }],
  layerNorm: () => [x(), { eps: 1e-6 }],
  mlp: () => [x(), 6, { activation: 'relu', dropout: {}, weight: language.zeros, bias: false, axis: 'tokens' }],
  patchEmbed: () => [x(1, 4, 4, 2), [2, 2], 3, { weight: language.zeros, bias: language.ones }],
  sidesOf: () => [2],
  relativePositionBias: () => [4, 2, { name: 'relative', buckets: 8, maxDistance: 16 }],
  residual: () => [x(), x()],
  spatialGating: () => [x(), { gate: 'split', spatial: 'toeplitz', eps: 1e-5, plus: x(1, 4, 4) }],
  tokenDense: () => [x(), { weight: language.zeros, bias: false, structure: 'toeplitz', hidden: true }],
  addPositions: () => [x(), 'positions', language.zeros],
  firstRows: () => ['rows', 4, 6, 8, language.zeros],
  firstToken: () => [x()],
  meanToken: () => [x()],
  prependToken: () => [x(), 'token', language.zeros],
  resizedPositions: () => ['positions', [2, 2], [3, 3], 4, language.zeros],
  surrogate: () => [(x: tf.Tensor) => tf.round(x), (dy: tf.Tensor) => dy],
  unfold: () => [x(1, 4, 4, 2), 3, 1, 1],
  ...{ add: () => [x(), 1], mul: () => [x(), x()], sub: () => [x(), x(8)] },
  ...{ max: () => [x(), 1], mean: () => [x(), [1, 2], true] },
  ...{ relu: () => [x()], tanh: () => [x()], zerosLike: () => [x()], gelu: () => [x()] },
  concat: () => [[x(), x()], -1],
  reshape: () => [x(), [1, -1]],
  transpose: () => [x(), [0, 2, 1]],
  split: () => [x(), 2],
  parameter: () => ['p', [2, 3], language.zeros, { decay: false }],
  scope: () => ['part', 'a', () => 1],
}
for (const name of ['nearZero', 'xavierUniform', 'lecunNormal', 'kaimingNormal', 'torchDefault']) {
  RIGHT[name] = () => [4, { in: 2, out: 2 }, [1, 2]]
}

/** What anybody may pass by mistake; with an option that no function has. */
const WRONG: [string, () => unknown][] = [
  ['a number', () => 3],
  ['a negative number', () => -1],
  ['a fraction', () => 0.5],
  ['NaN', () => Number.NaN],
  ['infinity', () => Number.POSITIVE_INFINITY],
  ['a text', () => 'gelu'],
  ['null', () => null],
  ['nothing', () => undefined],
  ['yes', () => true],
  ['a list', () => [1, 2, 3]],
  ['an empty list', () => []],
  ['an empty object', () => ({})],
  ['an unknown option', () => ({ wieght: 1 })],
  ['an option of null', () => ({ name: null, weight: null, heads: null, eps: null, bias: null, dropout: null })],
  ['a function', () => () => 1],
  ['a scalar', () => tf.scalar(1)],
  ['a vector', () => x(8)],
  ['a matrix', () => x(4, 8)],
  ['five axes', () => x(1, 1, 1, 4, 8)],
  ['other sizes', () => x(1, 5, 7)],
]

/** What a call says, made while a model runs; null where it works. */
function said(name: string, given: () => unknown[]): string | null {
  const call = (input: tf.Tensor) => {
    functions.get(name)?.(...given())
    return input
  }
  try {
    createModel(call, { shape: [1, 2] }, 1).dispose()
    return null
  } catch (error) {
    return String(error instanceof Error ? error.message : error)
  }
}

/** Whether an error is one short sentence that begins with what is wrong, and tells nothing of our insides. */
const isSentence = (text: string) =>
  /^[\w.]+: /.test(text) &&
  text.length < 250 &&
  !/\n|Cannot (read|destructure|convert)|undefined|is not (a function|iterable)|reading '/.test(text)

describe('every function of the block language', () => {
  it('has a signature, and no other name has', () => {
    expect(Object.keys(signatures).toSorted()).toEqual([...functions.keys()].toSorted())
    expect(Object.keys(RIGHT).toSorted()).toEqual([...functions.keys()].toSorted())
  })

  it.each([...functions.keys()])('%s works, and called wrongly ends in one sentence', (name) => {
    const right = RIGHT[name] ?? (() => [])
    expect(said(name, right)).toBe(null)
    const bad: string[] = []
    const places = Object.keys(signatures[name] ?? {}).length
    for (let place = 0; place < places; place++) {
      for (const [what, wrong] of WRONG) {
        const text = said(name, () => Object.assign(right(), { [place]: wrong() }))
        if (text !== null && !isSentence(text)) bad.push(`argument ${place}, ${what}: ${text}`)
      }
    }
    expect(bad).toEqual([])
    expect(said(name, () => [])).toMatch(new RegExp(`^${name}\\.\\w+: missing, expected `))
  })
})

it.each([
  ['dense(x, 2.5)', 'dense.units: 2.5, expected a whole number'],
  ["dense(x, '8')", "dense.units: '8', expected a number"],
  ['dense(x, NaN)', 'dense.units: NaN, expected a number'],
  ['dense(x)', 'dense.units: missing, expected a number'],
  ['dense(x, 8, { wieght: zeros })', "dense.options: unknown option 'wieght' (did you mean 'weight'?)"],
  [
    'dense(x, 8, { weight: 0.02 })',
    'dense.options.weight: 0.02, expected an initialiser, such as zeros or normal(0.02)',
  ],
  ['dense(8, x)', 'dense.x: 8, expected a tensor [..., dim]'],
  ['tokenDense(mean(x, 1))', 'tokenDense.x: a tensor [1,8], expected a tensor [batch, tokens, dim]'],
  ['selfAttention(x, { heads: 3 })', 'splitHeads: 8 channels do not split into 3 heads'],
  ['residual(x, dense(x, 9))', 'residual: shapes [1,4,8] and [1,4,9] do not fit'],
  ['mul(x, dense(x, 9))', 'mul: shapes [1,4,8] and [1,4,9] do not fit'],
  ['tf.add(x, dense(x, 9))', 'add: shapes [1,4,8] and [1,4,9] do not fit'],
  ['layerScale(x, {})', 'layerScale.start: {}, expected a number'],
])('%s says %s, with its line', async (code, sentence) => {
  const source = `// %% a
import * as tf from '@tensorflow/tfjs'
import { dense, layerScale, mean, mul, residual, selfAttention, tokenDense, zeros } from 'mixlab'
export const run = (x) => ${code}`
  const run = (await evaluateAll(source, { mixlab, '@tensorflow/tfjs': tf }, { console })).get('run')?.value as Call
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 50 // as in the kernel
  try {
    createModel((input) => run(input) as tf.Tensor, { shape: [1, 4, 8] }, 1).dispose()
    expect.unreachable()
  } catch (error) {
    expect(locate(error, 'a').message).toBe(`a:3: ${sentence}`)
  } finally {
    Error.stackTraceLimit = limit
  }
})

it('layerScale without a name is a parameter of its own each time', () => {
  const model = createModel((x) => mixlab.layerScale(mixlab.layerScale(x, 0.1, {}), 0.2), { shape: [1, 2] }, 1)
  expect(model.parameters.map(({ name }) => name)).toEqual(['layer_scale.weight', 'layer_scale_1.weight'])
  model.dispose()
})
