import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import * as mixlab from '../../../engine/index.ts'
import { checkedLanguage } from '../../../engine/nn/checked.ts'
import * as language from '../../../engine/nn/index.ts'
import { createModel } from '../../../engine/nn/model.ts'
import { signatures } from '../../../engine/nn/signatures.ts'
import { evaluateAll, locate } from '../../../engine/notebook/index.ts'
import { DEFINING, rightCalls } from './calls.ts'

type Call = (...given: unknown[]) => unknown

/** Tensors that a call gets: `[1, 4, 8]` by default. */
const x = (...shape: number[]) => tf.ones(shape.length > 0 ? shape : [1, 4, 8])
const RIGHT = rightCalls()

const functions = new Map(
  Object.entries(language).flatMap(([name, value]): [string, Call][] =>
    typeof value === 'function' && !DEFINING.includes(name)
      ? [[name, checkedLanguage.get(value) ?? (value as Call)]]
      : [],
  ),
)

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
  ['dense(x, 6, { groups: 4 })', 'dense: 8 channels to 6 do not split into 4 groups'],
  ['tokenDense(x, { sets: 3 })', 'tokenDense: 8 channels do not divide into 3 share sets'],
  [
    "tokenDense(x, { sets: 2, structure: 'toeplitz' })",
    "tokenDense: Toeplitz matrices in 2 sets, expected structure 'dense'",
  ],
  [
    'tokenDense(x, { locality: [2], grid: [2, 2] })',
    'locality: [2], expected a list of odd and different kernel sizes, such as [1, 3]',
  ],
  [
    'tokenDense(x, { locality: 3 })',
    'tokenDense.options.locality: 3, expected a list of odd kernel sizes, such as [1, 3]',
  ],
  ['depthwiseConv2d(x, { sets: 3, grid: [2, 2] })', 'depthwiseConv2d: 8 channels do not divide into 3 share sets'],
  [
    'depthwiseConv2d(x, { sets: 2, kernel: 4, grid: [2, 2] })',
    'depthwiseConv2d: a kernel of 4 x 4 for share sets, expected odd sides',
  ],
  ['tokenDense(x, { tokens: 3, causal: true })', 'tokenDense: causal from 4 tokens to 3, expected as many'],
  ['rotary(mean(x, -1, true))', 'rotary: 1 channels in [1,4,1] do not make pairs'],
  [
    "shift(x, 1, { axis: 'rows' })",
    'shift: 4 tokens are no patches of an image, expected grid: [rows, columns] of all tokens',
  ],
  [
    "shift(x, 1, { axis: 'rows', grid: [2, 3] })",
    'shift: 4 tokens are no grid of 2 x 3, expected grid: [rows, columns] of all tokens',
  ],
  [
    "shift(x, 1, { axis: 'row' })",
    "shift.options.axis: 'row', expected tokens, rows, columns or the number of an axis",
  ],
  ['scan(dense(x, 9), x)', 'scan: a [1,4,9] does not broadcast to b [1,4,8]'],
  ['cumsum(x, 3)', 'cumsum: axis 3 of [1,4,8], expected -3 to 2'],
  ['gather(x, [0, 4])', 'gather: index 4 along axis 1 of [1,4,8], expected 0 to 3'],
  ["einsum('bnd,de->bne', x, mean(x, 0))", "einsum: 'bnd,de->bne': 'd' is 8 in one operand and 4 in [4,8]"],
  ["einsum('bnd->bn', x, x)", "einsum: 'bnd->bn': 2 tensors, expected 1"],
  [
    "einsum('bnd,bnd', x, x)",
    "einsum: 'bnd,bnd': expected letters for all axes and for the result, as in 'bij,bjk->bik'",
  ],
  [
    'windows(x, 2, dense)',
    'windows: 4 tokens are no patches of an image, expected grid: [rows, columns] of all tokens',
  ],
  ['windows(x, 2, dense, { grid: [1, 4] })', 'windows: 1 x 4 tokens do not divide into 2 x 2'],
  ['windows(x, 2, (y) => mean(y, 1), { grid: [2, 2] })', 'windows: [1,8] of windows, expected [windows, 4, dim]'],
  ['lerp(x, dense(x, 9), 0.5)', 'lerp: shapes [1,4,9] and [1,4,8] do not fit'],
  ['longConv(x, mean(x, 1))', 'longConv: filter [1,8] for [1,4,8], expected [4,8] or [7,8]'],
  ['where(x, x, 0)', 'where.condition: a tensor [1,4,8], expected a bool tensor, as greater(x, 0) gives'],
  ['where(greater(x, 0), x, dense(x, 9))', 'where: shapes [1,4,8] and [1,4,9] do not fit'],
  ['maximum(x, dense(x, 9))', 'maximum: shapes [1,4,8] and [1,4,9] do not fit'],
  ['conv1d(x, 9, { groups: 2 })', 'conv1d: 8 channels to 9 do not divide into 2 groups'],
  ["conv1d(x, 8, { kernel: 5, padding: 'valid' })", 'conv1d: 4 tokens, expected at least the 5 that its kernel sees'],
  ['depthwiseConv2d(x)', 'depthwiseConv2d: 4 tokens are not the patches of an image, expected option grid'],
  ['conv2d(x, 8, { grid: [2, 3] })', 'conv2d: 4 tokens in a grid of 2 x 3'],
  [
    'conv2d(x, 8, { grid: [2, 2], stride: 2, dilation: 2 })',
    'conv2d: stride [2,2] with dilation [2,2], expected one of them to be 1',
  ],
  [
    "maxPool(x, { kernel: 5, padding: 'valid' })",
    "maxPool: windows of 1 x 5 in an image of 1 x 4, expected padding 'same'",
  ],
  ['layerScale(x, {})', 'layerScale.start: {}, expected a number'],
])('%s says %s, with its line', async (code, sentence) => {
  const source = `// %% a
import * as tf from '@tensorflow/tfjs'
import { conv1d, conv2d, cumsum, dense, depthwiseConv2d, einsum, gather, greater, layerScale, lerp, longConv, maximum, maxPool, mean, mul } from 'mixlab'
import { residual, rotary, scan, selfAttention, shift, tokenDense, where, windows, zeros } from 'mixlab'
export const run = (x) => ${code}`
  const run = (await evaluateAll(source, { mixlab, '@tensorflow/tfjs': tf }, { console })).get('run')?.value as Call
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 50 // as in the kernel
  try {
    createModel((input) => run(input) as tf.Tensor, { shape: [1, 4, 8] }, 1).dispose()
    expect.unreachable()
  } catch (error) {
    expect(locate(error, 'a').message).toBe(`a:4: ${sentence}`)
  } finally {
    Error.stackTraceLimit = limit
  }
})

it('layerScale without a name is a parameter of its own each time', () => {
  const model = createModel((x) => mixlab.layerScale(mixlab.layerScale(x, 0.1, {}), 0.2), { shape: [1, 2] }, 1)
  expect(model.parameters.map(({ name }) => name)).toEqual(['layer_scale.weight', 'layer_scale_1.weight'])
  model.dispose()
})
