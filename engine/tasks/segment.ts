import type * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { digest } from '../data/digest.ts'
import { mapped, mapSplits } from '../data/form.ts'
import { sceneForm } from '../data/scenes/form.ts'
import { sceneData } from '../data/scenes/index.ts'
import type { DataSpec, FieldBatch, FieldDataset, SceneDataset } from '../data/types.ts'
import { meanIou, topK } from '../evaluate/index.ts'
import { placeOutcomes } from '../evaluate/outcomes/placeOutcomes.ts'
import { softmaxCrossEntropy } from '../nn/losses.ts'
import { modelWith } from '../nn/outputs.ts'
import { copyOf, parseOptions } from '../options.ts'
import { fieldExamples } from './examples.ts'
import { preparationOf } from './image.ts'
import { supervised } from './supervised.ts'
import type { TaskKind, TaskSpec } from './types.ts'

/** Raised whenever the same options give other batches. */
const VERSION = 1

const schema = z.strictObject({ data: z.unknown() }) // checked by the table

/**
 * Dense prediction, a class for each pixel of an image (semantic segmentation): softmax cross entropy over all pixels; mean
 * intersection over union (`test/iou`) and the share of pixels that are right (`test/accuracy`).
 */
export function segment(options: { data: string | DataSpec }): TaskSpec {
  return { kind: 'task', task: 'segment', options: copyOf({ ...options }) }
}

/** Each token says the classes of the pixels of its patch. */
const model: TaskKind['model'] = ({ input = [], classes = 0 }) =>
  modelWith({ input, outputs: [...input.slice(0, 2), classes] }, "task 'segment'")

export const segmentKind: TaskKind = {
  model,
  resolve: (given) => ({ data: sceneData.resolve(parseOptions(schema, given, 'task').data as DataSpec | string) }),
  open: async ({ data }, files) => {
    const opened = await sceneData.open(data as DataSpec, files)
    const { classes, shape } = opened
    const hash = digest(JSON.stringify(['segment', VERSION, opened.hash]))
    const task = supervised(fieldExamples({ ...normalised(opened), hash }), {
      from: 'image',
      to: 'target',
      metric: 'test/iou',
      input: { shape: [1, ...shape] },
      model: model({ input: shape, classes: classes.length }),
      loss: (logits, { target }) => softmaxCrossEntropy(logits, target as tf.Tensor),
      evaluators: () => [meanIou(classes.length), topK('accuracy', 1)],
      outcomes: () => placeOutcomes({ places: shape[0] * shape[1], unit: 'pixels' }),
      classes,
    })
    return { ...task, preparation: preparationOf(shape) }
  },
}

/** Pixels from 0..1 to -1..1, as those of `image()`. */
function normalised(data: SceneDataset): FieldDataset {
  const examples = sceneForm.examples(data)
  const change = (batch: FieldBatch) => ({
    ...batch,
    image: (batch.image as Float32Array).map((value) => 2 * value - 1),
  })
  return { ...examples, ...mapSplits(examples, (split) => mapped(split, change)) }
}
