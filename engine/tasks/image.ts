import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { augments } from '../data/augment/augment.ts'
import { augmented } from '../data/augment/stream.ts'
import { withAugmenter } from '../data/augment/thread.ts'
import { sequentialBatches, shuffledBatches } from '../data/dataLoader.ts'
import { imageData } from '../data/images/index.ts'
import type { DataSpec, ImageBatch, ImageDataset } from '../data/types.ts'
import { classification, topK } from '../evaluate/index.ts'
import { classOutcomes } from '../evaluate/outcomes/classOutcomes.ts'
import { assemble } from '../nn/frame.ts'
import { crossEntropy } from '../nn/losses.ts'
import { filledTensor } from '../nn/model.ts'
import { copyOf, parseOptions } from '../options.ts'
import { evaluated } from './evaluated.ts'
import { singleExamples } from './examples.ts'
import { supervised } from './supervised.ts'
import type { Examples, Preparation, TaskKind, TaskSpec, TrainBatchOptions } from './types.ts'

const schema = z.strictObject({ data: z.unknown() }) // checked by the table

/** Image classification: softmax cross entropy; top-1 (`test/accuracy`) and top-5. */
export function image(options: { data: string | DataSpec }): TaskSpec {
  return { kind: 'task', task: 'image', options: copyOf({ ...options }) }
}

const model: TaskKind['model'] =
  ({ classes = 0 }) =>
  (block, size) =>
    assemble(block, size, 'image', { outputs: classes })

export const imageKind: TaskKind = {
  model,
  recipe: ['augment', 'labelSmoothing', 'mixup', 'cutmix'],
  resolve: (options) => ({ data: imageData.resolve(parseOptions(schema, options, 'task').data as DataSpec | string) }),
  open: async (options, files) => {
    const dataset = await imageData.open(options.data as DataSpec, files)
    const { classes, shape } = dataset
    return supervised(imageExamples(dataset), {
      from: 'image',
      to: 'label',
      metric: 'test/accuracy',
      input: { shape: [1, ...shape] },
      model: model({ classes: classes.length }),
      loss: (logits, { target }) => crossEntropy(logits, target as tf.Tensor),
      evaluators: () => [topK('accuracy', 1), ...(classes.length > 5 ? [topK('top5', 5)] : [])],
      report: () => classification(classes),
      outcomes: () => classOutcomes(classes),
      classes,
    })
  },
}

/** Images, -1 to 1, and their classes, or distributions over them where the recipe of training mixes. */
export function imageExamples(dataset: ImageDataset): Examples {
  const { hash, shape, classes, warnings, unreadable, check } = dataset
  return {
    hash,
    fields: { image: { shape, dtype: 'float32' }, label: { shape: [], dtype: 'int32', classes } },
    train: (batch, seed, from, options) => onDevice(forTraining(dataset, batch, seed, from, options), dataset),
    evaluated: (split, batch, examples) =>
      onDevice(sequentialBatches(evaluated(dataset, split, examples), batch), dataset),
    ...singleExamples(dataset, (source) => onDevice(source, dataset)),
    warnings,
    unreadable,
    check,
    preparation: preparationOf(shape),
  }
}

export function preparationOf([height, width, channels]: ImageDataset['shape']): Preparation {
  const half = Array.from({ length: channels }, () => 0.5)
  const layout = 'batch, height, width, channels'
  return { kind: 'image', size: [height, width], channels, layout, mean: half, deviation: half }
}

/** Batches in the order of training, changed as the recipe says. */
function forTraining(
  dataset: ImageDataset,
  batch: number,
  seed: number,
  from: number,
  { recipe, spawnAugmenter: spawn }: Partial<TrainBatchOptions> = {},
): AsyncGenerator<Labelled> {
  return withAugmenter<Labelled>(spawn, (beside) => {
    const order = { batch, seed, repeats: recipe?.augment?.repeats, draw: beside.draw }
    if (!recipe || !augments(recipe)) {
      return shuffledBatches(dataset.train, { ...order, waited: beside.waited }, from)
    }
    return augmented(shuffledBatches(dataset.train, order, from), dataset, { recipe, seed, from, beside })
  })
}

/** Images with classes, or with distributions over them. */
type Labelled = ImageBatch & { targets?: Float32Array | null }

/** Values of 0..1 as -1..1, with the bits of `sub(mul(x, 2), 1)`. */
function centred(pixels: Float32Array, into: Float32Array = new Float32Array(pixels.length)): Float32Array {
  for (let i = 0; i < pixels.length; i++) into[i] = 2 * (pixels[i] as number) - 1
  return into
}

/** Batches as tensors; pixels go from 0..1 to -1..1 (mean and deviation 0.5, as the published weights expect). */
async function* onDevice(source: AsyncGenerator<Labelled>, { shape, classes }: ImageDataset) {
  for await (const { pixels, labels, targets } of source) {
    yield tf.tidy(() => ({
      image: filledTensor([labels.length, ...shape], (into) => centred(pixels, into?.())),
      label: targets ? tf.tensor2d(targets, [labels.length, classes.length]) : tf.tensor1d(labels, 'int32'),
    }))
  }
}
