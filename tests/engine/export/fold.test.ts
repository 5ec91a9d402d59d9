import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { traceModel } from '../../../engine/cost/trace.ts'
import { foldedForm } from '../../../engine/export/fold.ts'
import { amlp, gmlp, mixer, repmlp, resmlp } from '../../../engine/models/index.ts'
import { assemble } from '../../../engine/nn/frame.ts'
import { type BlockWith, dense, head, mean, stack } from '../../../engine/nn/index.ts'
import { createModel, type Model } from '../../../engine/nn/model.ts'
import type { TokenGrid } from '../../../engine/nn/scope.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import type { Block, Modality, Size } from '../../../engine/nn/types.ts'
import { keyOf, normal } from '../../../engine/random.ts'
import type { RecordedSpec } from '../../../engine/study/recreate/recorded.ts'
import { foldLocality } from '../../../engine/weights/localityInjection.ts'
import { loadTensors, writeWeights } from '../../../engine/weights/model.ts'
import { readSafetensors } from '../../../engine/weights/safetensors.ts'

const input = { shape: [1, 8, 12, 3] }

/** Models of 6 x 4 patches, on which rows and columns cannot be mistaken for each other. */
function made(block: Block, size: Size): Model {
  return createModel(assemble(block, size, 'image', { inputs: 3, outputs: 5 }), input, 1)
}

const sizeOf = (block: Block) => resolveSize(block, { patch: [2, 2], dim: 6, depth: 2 }, 'test')

/** Gives all parameters values as training might, the running statistics too. */
function moved({ parameters }: Model): void {
  for (const { name, variable, shape } of parameters) {
    const key = keyOf(7, name)
    const draws = Float32Array.from({ length: tf.util.sizeFromShape(shape) }, (_, i) => normal(key, i))
    const values = name.endsWith('running_var') ? draws.map((x) => 0.2 + x * x) : draws.map((x) => 0.3 * x)
    tf.tidy(() => variable.assign(tf.tensor(values, shape)))
  }
}

/** The folded form of a built-in block, as a run of it records the block. */
function foldingOf(block: Block, size: Size) {
  const parts = block.parts?.list.map(({ block: { blockName, options } }) => ({ block: blockName, ...options }))
  const model = { ...{ block: block.blockName, code: 'built in' }, ...block.ends, ...size, ...(parts && { parts }) }
  const spec = { ...{ numerics: 1, data: '', model, train: {}, seed: 1 }, task: { task: 'image', options: {} } }
  return foldedForm(spec as unknown as RecordedSpec, block, size, 'run 1')
}

const gridOf =
  ({ parameters }: Model) =>
  (matrix: string): TokenGrid =>
    parameters.find(({ name }) => name === matrix)?.tokenGrid as TokenGrid

const tensorsOf = async ({ parameters }: Model) => readSafetensors(await writeWeights(parameters), 'test').tensors

function images(count: number): tf.Tensor {
  const key = keyOf(5, 'images')
  const values = Float32Array.from({ length: count * 8 * 12 * 3 }, (_, i) => normal(key, i))
  return tf.tensor(values, [count, 8, 12, 3])
}

const blocks: [string, Block][] = [
  ['resmlp', resmlp({ locality: [1, 3] })],
  ['mixer', mixer({ locality: [1, 3] })],
  ['mixer with as many hidden units as patches', mixer({ locality: [3], tokenRatio: 4 })],
  ['gmlp', gmlp({ locality: [3, 5] })],
  ['gmlp, linear gate', gmlp({ locality: [3], gate: 'linear' })],
  ['amlp', amlp({ locality: [1, 3], attention: 4 })],
  [
    'resmlp with a head of a cell',
    resmlp({ locality: [3], head: head('own', (x, _, classes) => dense(mean(x, 1), classes)) }),
  ],
  [
    'a stack of several',
    stack('several', [mixer({ locality: [1, 3] }), repmlp({ shareSets: 2 }), gmlp({ locality: [3] })])({ depth: 3 }),
  ],
  ['a kernel larger than the grid', mixer({ locality: [13] })],
]

describe('convolutions beside matrices over tokens', () => {
  it.each(blocks)('fold into them, and the logits stay: %s', async (_, block) => {
    const size = sizeOf(block)
    const model = made(block, size)
    moved(model)
    const folding = foldingOf(block, size)
    const folded = made(folding.block, folding.size)
    const tensors = folding.tensors(await tensorsOf(model), model.parameters)
    expect(tensors.filter(({ name }) => /(rep|pre)conv/.test(name))).toEqual([])
    loadTensors(folded.parameters, tensors, 'folded')
    const x = images(4)
    const [before, after] = [model, folded].map((each) => tf.tidy(() => each.apply(x)))
    const difference = tf.tidy(() => tf.max(tf.abs(tf.sub(before as tf.Tensor, after as tf.Tensor))).dataSync()[0])
    const largest = tf.tidy(() => tf.max(tf.abs(before as tf.Tensor)).dataSync()[0])
    expect(largest).toBeGreaterThan(0.1)
    expect(difference).toBeLessThan(1e-5 * Math.max(1, largest as number))
    tf.dispose([x, before as tf.Tensor, after as tf.Tensor])
    model.dispose()
    folded.dispose()
  })

  it('leave no trace in a model without them', async () => {
    const none = [mixer, mixer({ locality: [] })].map((block) => made(block, sizeOf(block)))
    const [names, same] = none.map(({ parameters }) => parameters.map(({ name }) => name))
    expect(same).toEqual(names)
    for (const model of none) model.dispose()
  })

  it('start a gate as the gate without them starts', () => {
    const x = images(2)
    const logits = [gmlp, gmlp({ locality: [1, 3] })].map((block) => {
      const model = made(block, sizeOf(block))
      const y = tf.tidy(() => model.apply(x).arraySync())
      model.dispose()
      return y
    })
    expect(logits[1]).toEqual(logits[0])
    x.dispose()
  })

  it('cost a multiply-add for each value and weight of a kernel, and nothing once they are folded', async () => {
    const macs = async (block: Block) =>
      (await traceModel(assemble(block, sizeOf(block), 'image', { inputs: 3, outputs: 5 }), input)).macs
    for (const own of [resmlp, mixer] as BlockWith<{ locality: readonly number[] | undefined }>[]) {
      expect((await macs(own({ locality: [1, 3] }))) - (await macs(own))).toBe(2 * (1 + 9) * 24 * 6)
    }
    const size = sizeOf(mixer({ locality: [3] }))
    expect(foldingOf(mixer({ locality: [3] }), size).size).toMatchObject({ locality: undefined })
  })

  it('are not for a text, an even kernel, or a matrix that cannot take them up', () => {
    const tries = (block: Block, modality: Modality = 'image') => {
      const shape = modality === 'image' ? input : { shape: [1, 12], dtype: 'int32' as const }
      return () => createModel(assemble(block, sizeOf(block), modality, { inputs: 9, outputs: 9 }), shape, 1)
    }
    const local = { locality: [1, 3] }
    const text = 'locality: 12 tokens that lie in no grid, expected the patches of an image'
    for (const block of [resmlp(local), mixer(local), gmlp(local)]) expect(tries(block, 'text')).toThrow(text)
    for (const wrong of [[1, 2], [2.5], [3, 3], [-1], 3, 'all', true, null]) {
      const list = 'expected a list of odd and different kernel sizes, such as [1, 3]'
      const given = { locality: wrong as unknown as number[] }
      expect(tries(mixer(given))).toThrow(`locality: ${JSON.stringify(wrong)}, ${list}`)
    }
    const what = 'matrix, which cannot take it up; expected a dense one'
    expect(tries(gmlp({ ...local, spatial: 'toeplitz' }))).toThrow(`locality: beside a Toeplitz ${what}`)
    expect(tries(gmlp({ ...local, causal: true }))).toThrow(`locality: beside a causal ${what}`)
  })

  it('cannot be folded without running statistics', async () => {
    const model = made(mixer({ locality: [3] }), sizeOf(mixer({ locality: [3] })))
    const path = 'blocks.0.mlp_tokens.fc1.preconv3.bn.running_var'
    const tensors = (await tensorsOf(model)).filter(({ name }) => name !== path)
    expect(() => foldLocality(tensors, gridOf(model))).toThrow(
      `locality: tensor '${path}' is missing; a BatchNorm without running statistics cannot be folded`,
    )
    model.dispose()
  })
})
