import * as tf from '@tensorflow/tfjs'
import * as models from '../../../engine/models/index.ts'
import { isBlock } from '../../../engine/nn/block.ts'
import { assemble } from '../../../engine/nn/frame.ts'
import { createModel, type Model } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { stack, stages } from '../../../engine/nn/stack.ts'
import type { Block, Modality } from '../../../engine/nn/types.ts'
import { integer, keyOf, normal } from '../../../engine/random.ts'

/** Every architecture at a tiny size: name, block, what it reads. */
export const tiny: [name: string, block: Block, modality: Modality][] = [
  ['gmlp', models.gmlp, 'image'],
  ['gmlp, linear', models.gmlp({ gate: 'linear' }), 'image'],
  ['gmlp, additive', models.gmlp({ gate: 'additive' }), 'image'],
  ['gmlp, multiplicative', models.gmlp({ gate: 'multiplicative' }), 'image'],
  ['gmlp, tanh form', models.gmlp({ activation: 'gelu_tanh' }), 'image'],
  ['gmlp, patches that are not square', models.gmlp({ patch: [8, 4] }), 'image'],
  ['gmlp, local', models.gmlp({ locality: [3] }), 'image'],
  ['gmlp, text', models.gmlp(), 'text'],
  ['amlp', models.amlp({ attention: 4 }), 'image'],
  ['amlp, text', models.amlp({ attention: 4 }), 'text'],
  ['mixer', models.mixer(), 'image'],
  ['mixer, local', models.mixer({ locality: [1, 3] }), 'image'],
  ['mixer, timm', models.mixer({ init: 'timm' }), 'image'],
  ['repmlp', models.repmlp({ partition: 2, shareSets: 2 }), 'image'],
  ['repmlp, text', models.repmlp({ shareSets: 2 }), 'text'],
  ['repmlp, folded', models.repmlp({ folded: true }), 'image'],
  [
    'repmlpNet',
    models.repmlpNet({
      channels: [8, 12, 6],
      blocks: [1, 2, 1],
      partition: [2, 'map', 'map'],
      shareSets: [1, 4, 6],
      patch: 2,
    }),
    'image',
  ],
  ['resmlp', models.resmlp(), 'image'],
  ['resmlp, local', models.resmlp({ locality: [1, 3] }), 'image'],
  ['resmlp, timm', models.resmlp({ init: 'timm' }), 'image'],
  ['resmlpFolded', models.resmlpFolded(), 'image'],
  ['ffOnly', models.ffOnly(), 'image'],
  ['external', models.external({ slots: 8 }), 'image'],
  ['externalUnit', models.externalUnit({ slots: 8 }), 'image'],
  ['eamlp', models.eamlp({ heads: 2, slots: 8, stemDim: 8, stemSlots: 8 }), 'image'],
  ['vit', models.vit({ heads: 2 }), 'image'],
  ['bert', models.bert({ heads: 2, positions: 16 }), 'text'],
  ['bert, relative', models.bert({ heads: 2, positions: 16, relativeBuckets: 8, relativeMaxDistance: 16 }), 'text'],
  [
    'bert, relative only',
    models.bert({ heads: 2, positions: 16, relativeBuckets: 8, contentAttention: false }),
    'text',
  ],
  ['plainMlp', models.plainMlp(), 'image'],
  ['resnet', models.resnet({ width: 4, blocksPerStage: 1, depth: 0 }), 'image'],
  ['headedMixer', models.headedMixer({ heads: 2 }), 'image'],
  ['convMixer', models.convMixer(), 'image'],
  ['convMixer, patches that are not square', models.convMixer({ patch: [4, 8] }), 'image'],
  ['pointCloud', models.pointCloud({ slots: 8 }), 'features'],
  ['stack', stack('mixed', [models.vit({ heads: 2 }), models.gmlp]), 'image'],
  [
    'stages',
    stages('pyramid', [
      { block: models.mixer, depth: 1 },
      { block: models.gmlp, depth: 1, dim: 12, merge: [2, 1] },
    ]),
    'image',
  ],
]

/** The architectures by their names in models/index.ts. */
export const architectures = Object.entries(models).filter(([, value]) => isBlock(value))

const VOCABULARY = 11
const CLASSES = 3

/** A tiny model of a block: 16 x 16 images, 12 tokens of text, or 10 points. */
export function tinyModel(block: Block, modality: Modality, seed = 1): Model {
  const size = resolveSize(block, { patch: 4, dim: 8, depth: 2, ...block.options }, 'tiny')
  const outputs = modality === 'text' ? VOCABULARY : CLASSES
  const shape = { image: [1, 16, 16, 3], text: [1, 12], features: [1, 10, 3] }[modality]
  const dtype = modality === 'text' ? 'int32' : 'float32'
  return createModel(assemble(block, size, modality, { inputs: outputs, outputs }), { shape, dtype }, seed)
}

/** A batch for it, whose targets follow from the input. */
export function tinyBatch(modality: Modality, batch = 8): { input: tf.Tensor; target: tf.Tensor } {
  const key = keyOf(3, modality)
  if (modality === 'text') {
    const ids = Int32Array.from({ length: batch * 12 }, (_, i) => integer(key, i, VOCABULARY))
    return { input: tf.tensor2d(ids, [batch, 12], 'int32'), target: tf.tensor2d(ids, [batch, 12], 'int32') }
  }
  const shape = modality === 'image' ? [batch, 16, 16, 3] : [batch, 10, 3]
  const each = tf.util.sizeFromShape(shape) / batch
  const labels = Int32Array.from({ length: batch }, (_, i) => i % CLASSES)
  const values = Float32Array.from({ length: batch * each }, (_, i) => {
    const label = labels[Math.floor(i / each)] as number
    return (i % 3 === label ? 1 : -0.5) + 0.3 * normal(key, i)
  })
  return { input: tf.tensor(values, shape), target: tf.tensor1d(labels, 'int32') }
}
