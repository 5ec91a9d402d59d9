import type * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import type { AugmentableBatch } from '../data/augment/apply.ts'
import { augmentedParts } from '../data/augment/parts.ts'
import { withAugmenter } from '../data/augment/thread.ts'
import { sequentialBatches, shuffledBatches } from '../data/dataLoader.ts'
import { digest } from '../data/digest.ts'
import { pointForm } from '../data/points/form.ts'
import { pointData } from '../data/points/index.ts'
import { type PointOrder, pointOrders, sortPoints } from '../data/points/order.ts'
import type { DataSpec, FieldBatch, PointDataset } from '../data/types.ts'
import { classification, topK } from '../evaluate/index.ts'
import { classOutcomes } from '../evaluate/outcomes/classOutcomes.ts'
import { assemble } from '../nn/frame.ts'
import { crossEntropy } from '../nn/losses.ts'
import { copyOf, parseOptions } from '../options.ts'
import { evaluated } from './evaluated.ts'
import { onDevice, singleExamples } from './examples.ts'
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
  return { kind: 'task', task: 'points', options: copyOf({ ...options }) }
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
      outcomes: () => classOutcomes(classes),
      classes,
    })
  },
}

/** Clouds with their points in order, and their classes. */
export function pointExamples(dataset: PointDataset, order: PointOrder): Examples {
  const { hash, classes, points, warnings } = dataset
  const fields = {
    points: { shape: [points, 3], dtype: 'float32' },
    label: { shape: [], dtype: 'int32', classes },
  } as const
  const clouds = pointForm.examples(dataset)
  const inOrder = ({ fields, values }: AugmentableBatch) => ({ fields, values: sorted(values, points, order) })
  return {
    hash: digest(JSON.stringify([hash, order])),
    fields,
    train: (batch, seed, from, options) =>
      withAugmenter(options?.spawnAugmenter, ({ draw, waited }) => {
        const source = shuffledBatches(clouds.train, { batch, seed, draw, waited }, from)
        return onDevice(changed(augmentedParts(source, fields, { ...options, seed, from }), inOrder))
      }),
    evaluated: (split, batch, examples) => {
      const source = sequentialBatches(evaluated(clouds, split, examples), batch)
      return onDevice(changed(source, (values) => inOrder({ fields, values })))
    },
    ...singleExamples(clouds, (source) => onDevice(changed(source, (values) => inOrder({ fields, values })))),
    warnings,
    preparation: {
      kind: 'points',
      points,
      order,
      normalised: 'their mean at the origin, the farthest at distance 1',
    },
  }
}

/** Clouds with the points of each in order. */
function sorted(batch: FieldBatch, points: number, order: PointOrder): FieldBatch {
  const clouds = batch.points as Float32Array
  for (let at = 0; at < clouds.length; at += points * 3) sortPoints(clouds.subarray(at, at + points * 3), order)
  return batch
}

async function* changed<From, To>(source: AsyncGenerator<From>, change: (batch: From) => To): AsyncGenerator<To> {
  for await (const batch of source) yield change(batch)
}
