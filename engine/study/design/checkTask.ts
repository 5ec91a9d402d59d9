import * as tf from '@tensorflow/tfjs-core'
import { type ModelCode, recordableCode } from '../../compile/model.ts'
import { recordGraph, type Spec } from '../../compile/record.ts'
import { ownDataIn } from '../../data/spec.ts'
import { withPlace } from '../../definitions.ts'
import { MixlabError } from '../../errors.ts'
import type { Model } from '../../nn/model.ts'
import { lineOf, locatedIfInCell } from '../../notebook/location.ts'
import { VALIDATION } from '../../records/splits.ts'
import type { TaskSpec } from '../../tasks/index.ts'
import type { Batch, Task } from '../../tasks/types.ts'
import { predict } from '../../train/evaluate.ts'
import type { OpenVariant } from '../opened.ts'
import { parameterSpecs, recordedModel } from './codeDigest.ts'

/** Examples of a batch: more than one, for a loss of one number is easily taken for one of each example. */
const EXAMPLES = 2

type Trial = Pick<OpenVariant, 'block' | 'size' | 'opened'>

/**
 * Tries the model and the loss of a task of a cell on the shapes of the first examples of validation. Throws MixlabError
 * `option` where they do not fit, with the line of the cell; code that cannot be run on shapes alone is not tried.
 */
export async function checkTask({ block, size, opened, task }: Trial & Pick<OpenVariant, 'task'>): Promise<void> {
  const specs = await firstBatch(opened)
  try {
    const { model } = await recordedModel(opened.model(block, size), opened.input)
    const code: ModelCode<'loss'> = (batch, { mode }) => {
      const prediction = predict(opened, model as Model, batch as Batch, mode)
      return { loss: opened.loss(prediction, batch as Batch) }
    }
    await recordGraph({ ...specs, ...parameterSpecs(model) }, recordableCode(model, false, code))
  } catch (error) {
    if (error instanceof MixlabError ? error.path !== '' : lineOf(error) !== null) throw inDefinitionOf(task, error)
  }
}

/** An error about a task or its data at its line of a cell: that of the code that threw it, or else that of the definition. */
export function inDefinitionOf({ defined, options }: TaskSpec, error: unknown): unknown {
  for (const each of [...ownDataIn(options), ...(defined ? [defined] : [])]) withPlace(error, each)
  return locatedIfInCell(error)
}

/** The shape of what a model says to two examples. Throws what its code throws on shapes alone. */
export async function predictionShape({ block, size, opened }: Trial): Promise<number[]> {
  const { model } = await recordedModel(opened.model(block, size), opened.input)
  const code: ModelCode<'prediction'> = (batch, { mode }) => ({
    prediction: predict(opened, model as Model, batch as Batch, mode),
  })
  const specs = { ...(await firstBatch(opened)), ...parameterSpecs(model) }
  const { outputs } = await recordGraph(specs, recordableCode(model, false, code))
  return outputs.prediction?.shape ?? []
}

/** Shapes and types of the first examples, by name. */
async function firstBatch(task: Task): Promise<Record<string, Spec>> {
  const batches = task.evalBatches(VALIDATION, EXAMPLES, EXAMPLES)
  try {
    const { value: batch = {} } = await batches.next()
    const specs = Object.entries(batch as tf.NamedTensorMap).map(([name, { shape, dtype }]) => [name, { shape, dtype }])
    tf.dispose(batch)
    return Object.fromEntries(specs)
  } finally {
    await batches.return(undefined)
  }
}
