import * as tf from '@tensorflow/tfjs-core'
import type { Model } from '../nn/model.ts'
import type { Batch, Task } from '../tasks/types.ts'
import { writeWeights } from '../weights/model.ts'
import { evaluate } from './evaluate.ts'
import type { TrainEvent } from './events.ts'
import { optimizerKind } from './optimizers/index.ts'
import { pauses } from './pause.ts'
import type { Recipe } from './recipe.ts'
import { learningRateAt } from './schedule.ts'

export interface Training {
  model: Model
  task: Task
  recipe: Recipe
  seed: number
  /** Stops between steps when aborted. */
  signal?: AbortSignal | undefined
}

/**
 * The training loop. Trains `model` in place and yields what happens. Ends with `done`, `interrupted` (the signal) or
 * `failed` (a loss that is not finite); whatever else goes wrong is thrown.
 */
export async function* train({ model, task, recipe, seed, signal }: Training): AsyncGenerator<TrainEvent> {
  const { steps, batch, logEvery, evalEvery } = recipe
  const options = recipe.optimizer.options as { learningRate: number }
  const optimizer = optimizerKind(recipe.optimizer.optimizer).create(recipe.optimizer.options, model.parameters)
  const batches = task.trainBatches(batch, seed, 0)
  const losses: tf.Scalar[] = [] // of the steps since the last reading
  const pause = pauses()
  try {
    yield { type: 'start', steps, parameters: model.size }
    let before = performance.now()
    for (let step = 1; step <= steps; step++) {
      await pause()
      if (signal?.aborted) {
        yield { type: 'interrupted', step: step - 1 }
        return
      }

      const data = await nextBatch(batches)
      const learningRate = options.learningRate * learningRateAt(step - 1, recipe)
      losses.push(trainStep(model, task, data, step, (gradients) => optimizer.update(gradients, learningRate)))
      tf.dispose([data.input, data.target])

      if (step % logEvery === 0 || step % evalEvery === 0 || step === steps) {
        for (const [i, value] of (await readAll(losses)).entries()) {
          const at = step - losses.length + 1 + i
          yield { type: 'metric', step: at, name: 'train/loss', value }
          if (!Number.isFinite(value)) {
            yield { type: 'failed', step: at, message: `loss is ${value} at step ${at}` }
            return
          }
        }
        tf.dispose(losses.splice(0))
      }

      const now = performance.now()
      yield { type: 'step', step, ms: now - before }
      before = now

      if (step % evalEvery === 0 || step === steps) {
        for (const [name, value] of await evaluate(model, task, recipe.evalExamples, pause))
          yield { type: 'metric', step, name, value }
        before = performance.now()
      }
    }
    yield { type: 'checkpoint', step: steps, weights: await writeWeights(model.parameters) }
    yield { type: 'done', step: steps }
  } finally {
    tf.dispose(losses)
    optimizer.dispose()
    await batches.return(undefined)
  }
}

/** Forward, backward and update for one batch; returns the loss. `step` counts from 1. */
function trainStep(
  model: Model,
  task: Task,
  { input, target }: Batch,
  step: number,
  update: (gradients: tf.NamedTensorMap) => void,
): tf.Scalar {
  return tf.tidy(() => {
    const variables = model.parameters.map(({ variable }) => variable)
    const mode = { training: true, step: step - 1 }
    const { value, grads } = tf.variableGrads(() => task.loss(model.apply(input, mode), target), variables)
    update(Object.fromEntries(model.parameters.map(({ name, variable }) => [name, grads[variable.name] as tf.Tensor])))
    return value
  })
}

async function nextBatch(batches: AsyncGenerator<Batch>): Promise<Batch> {
  const next = await batches.next()
  if (next.done) throw new Error('the training data ended')
  return next.value
}

/** The values of several scalars in one reading from the device. */
async function readAll(scalars: tf.Scalar[]): Promise<Float32Array> {
  const stacked = tf.stack(scalars)
  const values = (await stacked.data()) as Float32Array
  stacked.dispose()
  return values
}
