import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { sequentialBatches, shuffledBatches } from '../data/dataLoader.ts'
import { digest } from '../data/digest.ts'
import { pointData } from '../data/points/index.ts'
import { type PointOrder, pointOrders, sortPoints } from '../data/points/order.ts'
import type { DataSpec, PointBatch, PointDataset, Split } from '../data/types.ts'
import { classification, topK } from '../evaluate/index.ts'
import { assemble } from '../nn/frame.ts'
import { softmaxCrossEntropy } from '../nn/losses.ts'
import { parseOptions } from '../options.ts'
import { evaluated } from './evaluated.ts'
import type { Batch, TaskKind, TaskSpec } from './types.ts'

const schema = z.strictObject({
  data: z.unknown(), // checked by the table
  /** How points become a sequence, which is all that a matrix over tokens can go by; see sortPoints. */
  order: z.enum(pointOrders).default('hilbert'),
})

export interface PointsOptions {
  data: string | DataSpec
  order?: PointOrder
}

/** Point-cloud classification: softmax cross entropy; top-1 (`test/accuracy`). */
export function points(options: PointsOptions): TaskSpec {
  return { kind: 'task', task: 'points', options: { ...options } }
}

const model: TaskKind['model'] =
  ({ classes = 0 }) =>
  (block, size) =>
    assemble(block, size, 'features', { outputs: classes })

export const pointsKind: TaskKind = {
  model,
  resolve: (options) => {
    const { data, order } = parseOptions(schema, options, 'task')
    return { data: pointData.resolve(data as DataSpec | string), order }
  },
  open: async (options, files) => {
    const order = options.order as PointOrder
    const dataset = await pointData.open(options.data as DataSpec, files)
    const [train, validation, test] = [dataset.train, dataset.validation, dataset.test].map((split) =>
      sorted(split, dataset, order),
    ) as [Clouds, Clouds, Clouds]
    return {
      hash: digest(JSON.stringify([dataset.hash, order])),
      metric: 'test/accuracy',
      input: { shape: [1, dataset.points, 3] },
      model: model({ classes: dataset.classes.length }),
      trainBatches: (batch, seed, from) => onDevice(shuffledBatches(train, { batch, seed }, from), dataset),
      evalBatches: (split, batch, examples) =>
        onDevice(sequentialBatches(evaluated({ validation, test }, split, examples), batch), dataset),
      loss: (logits, { target }) => softmaxCrossEntropy(logits, target as tf.Tensor),
      evaluators: () => [topK('accuracy', 1)],
      report: () => classification(dataset.classes),
      warnings: dataset.warnings,
      classes: dataset.classes,
      preparation: {
        kind: 'points',
        points: dataset.points,
        order,
        normalised: 'their mean at the origin, the farthest at distance 1',
      },
    }
  },
}

type Clouds = Split<PointBatch>

/** The same split with the points of each cloud in order. */
function sorted(split: Clouds, { points }: PointDataset, order: PointOrder): Clouds {
  const read = async (indices: ArrayLike<number>) => {
    const batch = await split.read(indices)
    for (let i = 0; i < batch.labels.length; i++) {
      sortPoints(batch.points.subarray(i * points * 3, (i + 1) * points * 3), order)
    }
    return batch
  }
  return { size: split.size, read }
}

async function* onDevice(source: AsyncGenerator<PointBatch>, { points }: PointDataset): AsyncGenerator<Batch> {
  for await (const { points: clouds, labels } of source) {
    yield { input: tf.tensor3d(clouds, [labels.length, points, 3]), target: tf.tensor1d(labels, 'int32') }
  }
}
