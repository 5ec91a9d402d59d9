import * as tf from '@tensorflow/tfjs-core'
import type { Model } from '../nn/model.ts'
import type { Batch, Task } from '../tasks/types.ts'
import { writeWeights } from '../weights/model.ts'
import { clipByGlobalNorm } from './clip.ts'
import { differentiator } from './differentiate.ts'
import { movingAverage } from './ema.ts'
import { evaluation, predict } from './evaluate.ts'
import type { TrainEvent } from './events.ts'
import { exemptFromDecay } from './noDecay.ts'
import { optimizerKind } from './optimizers/index.ts'
import { pauses } from './pause.ts'
import { readings } from './readings.ts'
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
  const { steps, batch, logEvery, evalEvery, clip } = recipe
  const options = recipe.optimizer.options as { learningRate: number }
  const parameters = exemptFromDecay(model.trained, recipe.noDecay)
  const optimizer = optimizerKind(recipe.optimizer.optimizer).create(recipe.optimizer.options, parameters)
  const average = movingAverage(model.parameters, recipe.ema)
  const differences = differentiator(model, (batch, mode) =>
    task.loss(predict(task, model, batch as Batch, mode), batch as Batch),
  )
  const held = evaluation(model, task)
  const batches = task.trainBatches(batch, seed, 0)
  const unread = readings()
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

      const given = await nextBatch(batches)
      const { loss, gradients } = await differences.run(given, step - 1)
      tf.tidy(() => {
        const clipped = clip ? clipByGlobalNorm(gradients, clip) : { gradients }
        optimizer.update(clipped.gradients, options.learningRate * learningRateAt(step - 1, recipe))
        average.update()
        unread.add(step, { 'train/loss': loss })
        if ('norm' in clipped) unread.add(step, { 'train/gradient_norm': clipped.norm })
      })
      tf.dispose([given, gradients])

      if (step % logEvery === 0 || step % evalEvery === 0 || step === steps) {
        for (const { step: at, name, value } of await unread.take()) {
          yield { type: 'metric', step: at, name, value }
          if (name === 'train/loss' && !Number.isFinite(value)) {
            yield { type: 'failed', step: at, message: `loss is ${value} at step ${at}` }
            return
          }
        }
      }

      const now = performance.now()
      yield { type: 'step', step, ms: now - before }
      before = now

      if (step % evalEvery === 0 || step === steps) {
        const results = await average.during(() => held.run(recipe.evalExamples, pause))
        for (const [name, value] of results) yield { type: 'metric', step, name, value }
        before = performance.now()
      }
    }
    const weights = await average.during(() => writeWeights(model.parameters))
    yield { type: 'checkpoint', step: steps, weights }
    yield { type: 'done', step: steps }
  } finally {
    unread.dispose()
    differences.dispose()
    held.dispose()
    average.dispose()
    optimizer.dispose()
    await batches.return(undefined)
  }
}

async function nextBatch(batches: AsyncGenerator<Batch>): Promise<Batch> {
  const next = await batches.next()
  if (next.done) throw new Error('the training data ended')
  return next.value
}
