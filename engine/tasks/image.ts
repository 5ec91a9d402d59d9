import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { batches, inOrder } from '../data/batches.ts'
import { imageData } from '../data/images/index.ts'
import type { DataSpec, ImageBatch, ImageDataset } from '../data/types.ts'
import { topK } from '../evaluate/index.ts'
import { assemble } from '../nn/frame.ts'
import { parseOptions } from '../options.ts'
import { softmaxCrossEntropy } from '../train/losses.ts'
import type { Batch, TaskKind, TaskSpec } from './types.ts'

const schema = z.strictObject({ data: z.unknown() }) // checked by the table

/** Image classification: softmax cross entropy; top-1 (`eval/accuracy`) and top-5 on the held-out split. */
export function image(options: { data: string | DataSpec }): TaskSpec {
  return { kind: 'task', task: 'image', options }
}

export const imageKind: TaskKind = {
  resolve: (options) => ({ data: imageData.resolve(parseOptions(schema, options, 'task').data as DataSpec | string) }),
  open: async (options, files) => {
    const dataset = await imageData.open(options.data as DataSpec, files)
    const { classes, hash, shape, train, test } = dataset
    return {
      hash,
      metric: 'eval/accuracy',
      input: { shape: [1, ...shape] },
      model: (block, size) => assemble(block, size, 'image', { outputs: classes.length }),
      trainBatches: (batch, seed, from) => onDevice(batches(train, { batch, seed }, from), dataset),
      evalBatches: (batch, examples = test.size) => {
        const split = { size: Math.min(examples, test.size), read: test.read }
        return onDevice(inOrder(split, batch), dataset)
      },
      loss: (logits, { target }) => softmaxCrossEntropy(logits, target as tf.Tensor),
      evaluators: () => [topK('accuracy', 1), ...(classes.length > 5 ? [topK('top5', 5)] : [])],
    }
  },
}

/** Batches as tensors; pixels go from 0..1 to -1..1 (mean and deviation 0.5, as the published weights expect). */
async function* onDevice(source: AsyncGenerator<ImageBatch>, { shape }: ImageDataset): AsyncGenerator<Batch> {
  for await (const { pixels, labels } of source) {
    yield tf.tidy(() => ({
      input: tf.sub(tf.mul(tf.tensor4d(pixels, [labels.length, ...shape]), 2), 1),
      target: tf.tensor1d(labels, 'int32'),
    }))
  }
}
