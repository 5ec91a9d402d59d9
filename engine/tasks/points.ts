import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { digest } from '../data/digest.ts'
import { pointData } from '../data/points/index.ts'
import { type PointOrder, pointOrders, sortPoints } from '../data/points/order.ts'
import type { DataSpec, PointBatch, PointDataset, Split } from '../data/types.ts'
import { classification, topK } from '../evaluate/index.ts'
import { assemble } from '../nn/frame.ts'
import { crossEntropy } from '../nn/losses.ts'
import { parseOptions } from '../options.ts'
import { batchesOf } from './examples.ts'
import { supervised } from './supervised.ts'
import type { Examples, TaskKind, TaskSpec } from './types.ts'

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
    const dataset = await pointData.open(options.data as DataSpec, files)
    const { classes, points } = dataset
    return supervised(pointExamples(dataset, options.order as PointOrder), {
      from: 'points',
      to: 'label',
      metric: 'test/accuracy',
      input: { shape: [1, points, 3] },
      model: model({ classes: classes.length }),
      loss: (logits, { target }) => crossEntropy(logits, target as tf.Tensor),
      evaluators: () => [topK('accuracy', 1)],
      report: () => classification(classes),
      classes,
    })
  },
}

/** Clouds with their points in order, and their classes. */
export function pointExamples(dataset: PointDataset, order: PointOrder): Examples {
  const { hash, classes, points, warnings } = dataset
  const [train, validation, test] = [dataset.train, dataset.validation, dataset.test].map((split) =>
    sorted(split, dataset, order),
  ) as [Clouds, Clouds, Clouds]
  return {
    hash: digest(JSON.stringify([hash, order])),
    fields: { points: { shape: [points, 3], dtype: 'float32' }, label: { shape: [], dtype: 'int32', classes } },
    ...batchesOf({ train, validation, test }, (source) => onDevice(source, dataset)),
    warnings,
    preparation: {
      kind: 'points',
      points,
      order,
      normalised: 'their mean at the origin, the farthest at distance 1',
    },
  }
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

async function* onDevice(source: AsyncGenerator<PointBatch>, { points }: PointDataset) {
  for await (const { points: clouds, labels } of source) {
    yield { points: tf.tensor3d(clouds, [labels.length, points, 3]), label: tf.tensor1d(labels, 'int32') }
  }
}
