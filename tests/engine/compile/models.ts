import * as tf from '@tensorflow/tfjs'
import * as models from '../../../engine/models/index.ts'
import { assemble } from '../../../engine/nn/frame.ts'
import { softmaxCrossEntropy } from '../../../engine/nn/losses.ts'
import { createModel, type Mode, type Model } from '../../../engine/nn/model.ts'
import { type ModelOptions, resolveSize } from '../../../engine/nn/size.ts'
import type { Block, Modality } from '../../../engine/nn/types.ts'
import { Draws } from '../backends/simd/stock.ts'
import { tiny } from '../models/tiny.ts'
import { ballast, weigh } from './setup.ts'

/** Every architecture with each kind of input that it takes. */
export const architectures: [name: string, block: Block, modality: Modality][] = [
  ...tiny,
  ['gmlp, wide', models.gmlp({ dim: 70 }), 'image'],
  ['vit, wide', models.vit({ dim: 70, heads: 2 }), 'image'],
  ['bert, wide', models.bert({ dim: 70, heads: 5, positions: 16 }), 'text'],
  ['gmlp, toeplitz text', models.gmlp({ spatial: 'toeplitz', headBias: true }), 'text'],
  ['gmlp, untied text', models.gmlp({ tied: false }), 'text'],
  ['gmlp, features', models.gmlp(), 'features'],
  ['amlp, features', models.amlp({ attention: 4 }), 'features'],
  ['mixer, features', models.mixer(), 'features'],
  ['resmlp, features', models.resmlp(), 'features'],
  ['external, features', models.external({ slots: 8 }), 'features'],
  ['externalUnit, features', models.externalUnit({ slots: 8 }), 'features'],
  ['eamlp, features', models.eamlp({ heads: 2, slots: 8 }), 'features'],
  ['vit, features', models.vit({ heads: 2 }), 'features'],
]

/** Classes, or words. */
const OUTPUTS = 11
/** Sizes of examples, none of which fits the width of a vector. */
const SHAPES: Record<Modality, number[]> = { image: [16, 16, 3], text: [7], features: [7, 6] }

/** A model whose parameters are not near their first values, many of which are 0 or 1. */
export function smallModel(block: Block, modality: Modality, options: ModelOptions = {}): Model {
  const sizes = { patch: 4, dim: 6, ffnRatio: 3, depth: 2, ...options, ...block.options }
  const forward = assemble(block, resolveSize(block, sizes, 'small'), modality, { inputs: OUTPUTS, outputs: OUTPUTS })
  const dtype = modality === 'text' ? 'int32' : 'float32'
  const model = createModel(forward, { shape: [1, ...SHAPES[modality]], dtype }, 1)
  for (const { name, shape, variable } of model.parameters) {
    const moved = new Draws(name).values(shape).map((value) => Math.min(0.4, Math.abs(value)))
    tf.tidy(() => variable.assign(tf.add(variable, tf.tensor(moved, shape))))
  }
  return model
}

export function smallBatch(modality: Modality, samples: number): { input: tf.Tensor; target: tf.Tensor } {
  const draws = new Draws(`${modality}/${samples}`)
  const shape = [samples, ...SHAPES[modality]]
  const ids = (shape: number[]) => tf.tensor(draws.integers(shape, OUTPUTS), shape, 'int32')
  if (modality === 'text') return { input: ids(shape), target: ids(shape) }
  return { input: tf.tensor(draws.values(shape), shape), target: ids([samples]) }
}

/** The same, so that work is cut into as many chunks as there are samples. */
export function heavyBatch(modality: Modality, samples: number): tf.NamedTensorMap {
  return { ...smallBatch(modality, samples), ballast: ballast(samples) }
}

/** The loss of either batch. */
export function lossOf(model: Model): (batch: tf.NamedTensorMap, mode: Mode) => tf.Scalar {
  return ({ input, target, ballast }, mode) => {
    const loss = softmaxCrossEntropy(model.apply(input as tf.Tensor, mode), target as tf.Tensor)
    return ballast ? (tf.mul(loss, weigh(ballast)) as tf.Scalar) : loss
  }
}
