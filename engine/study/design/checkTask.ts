import * as tf from '@tensorflow/tfjs-core'
import { Unrepeatable } from '../../chance.ts'
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
import type { LossOf } from '../../train/differentiate.ts'
import { predict } from '../../train/evaluate.ts'
import type { OpenVariant } from '../opened.ts'
import { parameterSpecs, recordedModel } from './codeDigest.ts'

/** Examples of a batch: more than one, for a loss of one number is easily taken for one of each example. */
const EXAMPLES = 2

type Trial = Pick<OpenVariant, 'block' | 'size' | 'opened'>
type TrialOfTask = Trial & Pick<OpenVariant, 'task' | 'recipe'>

/**
 * Tries the model and the loss of a task of a cell on the shapes of the first examples of validation, and of the first ones
 * that are trained on, whose targets may be shares of classes. Throws MixlabError `option` where they do not fit, with the
 * line of the cell; code that cannot be run on shapes alone is not tried.
 */
export async function checkTask(trial: TrialOfTask): Promise<void> {
  const { block, size, opened, task } = trial
  const forms = [await firstBatch(opened), await trainingBatch(trial)] as const
  const [target, trained] = forms.map((specs) => JSON.stringify(specs.target))
  for (const [training, specs] of forms.entries()) {
    try {
      const { model } = await recordedModel(opened.model(block, size), opened.input)
      const code: ModelCode<'loss'> = (batch, { mode }) => ({ loss: lossOf(opened, model as Model)(batch, mode) })
      const own = recordableCode(model, training > 0, code)
      const graph = await recordGraph({ ...specs, ...parameterSpecs(model) }, own)
      await recordGraph({ ...specs, ...parameterSpecs(model) }, own, graph)
    } catch (error) {
      if (error instanceof Unrepeatable) throw inDefinitionOf(task, error)
      if (error instanceof MixlabError ? error.path === '' : lineOf(error) === null) continue
      const located = inDefinitionOf(task, error)
      if (training === 0 || target === trained) throw located
      const { shape, dtype } = specs.target as Spec
      const { code, message } = located as MixlabError
      throw new MixlabError(code, '', `${message}; in training the target is ${dtype} [${shape.join(', ')}]`)
    }
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

/** The loss of a batch by a task. */
export function lossOf(task: Task, model: Model): LossOf {
  return (batch, mode) => task.loss(predict(task, model, batch as Batch, mode), batch as Batch)
}

/** Shapes and types of the first examples of validation, by name. */
function firstBatch(task: Task): Promise<Record<string, Spec>> {
  return specsOf(task.evalBatches(VALIDATION, EXAMPLES, EXAMPLES))
}

/** Shapes and types of the first examples as they are trained on, by name. */
export function trainingBatch({
  opened,
  recipe,
}: Pick<OpenVariant, 'opened' | 'recipe'>): Promise<Record<string, Spec>> {
  return specsOf(opened.trainBatches(Math.min(EXAMPLES, recipe.batch), 1, 0, { recipe }))
}

async function specsOf(batches: AsyncGenerator<Batch>): Promise<Record<string, Spec>> {
  try {
    const { value: batch = {} } = await batches.next()
    const specs = Object.entries(batch as tf.NamedTensorMap).map(([name, { shape, dtype }]) => [name, { shape, dtype }])
    tf.dispose(batch)
    return Object.fromEntries(specs)
  } finally {
    await batches.return(undefined)
  }
}
