import * as tf from '@tensorflow/tfjs-core'
import { warningOf } from '../compile/slow.ts'
import type { SpawnAugmenter } from '../data/augment/thread.ts'
import type { Model } from '../nn/model.ts'
import type { TrainEvent } from '../records/events.ts'
import { choosing } from '../records/splits.ts'
import type { Batch, Task } from '../tasks/types.ts'
import { checkpoints, type ReadState } from './checkpoints.ts'
import type { LossOf } from './differentiate.ts'
import { movingAverage } from './ema.ts'
import { evaluation, predict } from './evaluate.ts'
import { histograms } from './histograms.ts'
import { lastTest } from './lastTest.ts'
import { layerwise } from './layerDecay.ts'
import { GRADIENT_NORM, LOSS, STEP_TIME } from './meanings.ts'
import { exemptFromDecay } from './noDecay.ts'
import { optimizerKind } from './optimizers/index.ts'
import { pauses } from './pause.ts'
import type { Recipe } from './recipe.ts'
import { learningRateAt } from './schedule.ts'
import { snapshotSteps } from './snapshots.ts'
import { TRAIN_LOSS, trainingSteps } from './steps/index.ts'
import { telling } from './tell.ts'
import { STEP_MS } from './timings.ts'

export interface Training {
  model: Model
  task: Task
  recipe: Recipe
  seed: number
  /** Starts a thread that augments; without one it is done between the steps. */
  spawnAugmenter?: SpawnAugmenter | undefined
  /** Stops between steps when aborted. */
  signal?: AbortSignal | undefined
  /** The state that an earlier attempt left, to go on from. */
  state?: ReadState | undefined
  /** The best weights at that time; without them a state that says there were some is not gone on from. */
  best?: ReadState | undefined
  /** Finds the line of the user's code that an error comes from. */
  locate?: ((error: Error) => Error) | undefined
}

/**
 * The training loop. Trains `model` in place and yields what happens; the tests are evaluated once, at the end, with the
 * weights that validation chose. Ends with `done`, `interrupted` (the signal) or
 * `failed` (a loss that is not finite); whatever else goes wrong is thrown. What follows from a state is bit for bit
 * what would have followed without the interruption, but for what timings.ts names and `ms`.
 */
export async function* train(training: Training): AsyncGenerator<TrainEvent> {
  const { model, task, recipe, seed, signal, state, best, spawnAugmenter, locate = (error) => error } = training
  const { steps, batch, logEvery, evalEvery } = recipe
  const options = recipe.optimizer.options as { learningRate: number }
  const parameters = exemptFromDecay(model.trained, recipe.noDecay)
  const { create } = optimizerKind(recipe.optimizer.optimizer)
  const optimizer = layerwise((all) => create(options, all), parameters, recipe.layerDecay)
  const average = movingAverage(model.parameters, recipe.ema)
  const lossOf: LossOf = (batch, mode) => task.loss(predict(task, model, batch as Batch, mode), batch as Batch)
  const updates = trainingSteps({ model, lossOf, parameters, optimizer, average, recipe })
  const held = evaluation(model, task)
  const saves = checkpoints({ model, optimizer, average }, recipe.checkpointEvery, task)
  const { step: resumedAt, warning } = await saves.restore(state, best)
  const batches = task.trainBatches(batch, seed, resumedAt, { recipe, spawnAugmenter })
  const spreads = histograms(model.trained)
  const snapshots = snapshotSteps(recipe.snapshots, steps)
  const pause = pauses()
  const times: number[] = []
  let warned = false
  const tell = telling(task.metric)
  /** Yields what is unread; returns whether training failed. */
  async function* read(): AsyncGenerator<TrainEvent, boolean> {
    for (const { step, name, value } of await updates.take()) {
      yield { type: 'metric', step, name, value, meaning: name === TRAIN_LOSS ? LOSS : GRADIENT_NORM }
      if (name === TRAIN_LOSS && !Number.isFinite(value)) {
        yield { type: 'failed', step, message: `loss is ${value} at step ${step}` }
        return true
      }
    }
    return false
  }
  try {
    if (warning) yield { type: 'warning', step: 0, message: warning }
    yield { type: 'start', steps, parameters: model.size, ...(resumedAt > 0 && { resumedAt }) }
    if (resumedAt === 0 && snapshots.has(0)) yield await saves.snapshot(0)
    let before = performance.now()
    let ended = before // the last step
    for (let step = resumedAt + 1; step <= steps; step++) {
      await pause()
      if (signal?.aborted) {
        if (yield* read()) return
        updates.settle()
        if (step - 1 > saves.saved) yield* saves.take(step - 1)
        yield { type: 'interrupted', step: step - 1 }
        return
      }

      const asked = performance.now()
      const given = await nextBatch(batches)
      const waited = performance.now() - asked
      const evaluating = step % evalEvery === 0 || step === steps
      const learningRate = options.learningRate * learningRateAt(step - 1, recipe)
      await updates.run(given, step - 1, learningRate, evaluating && recipe.histograms)
      if (evaluating && recipe.histograms) spreads.hold(updates.gradients())
      tf.dispose(given)

      const saving = step < steps && saves.due(step)
      if (saving || evaluating || snapshots.has(step)) updates.settle()
      if (saving || evaluating || step % logEvery === 0) {
        if (yield* read()) return
      }

      const now = performance.now()
      times.push(now - before)
      const paused = before - ended
      yield { type: 'step', step, ms: now - before, ...(waited >= 1 && { waited }), ...(paused >= 1 && { paused }) }
      if (step % logEvery === 0 || step === steps) {
        yield { type: 'metric', step, name: STEP_MS, value: mean(times), meaning: STEP_TIME }
      }
      before = now
      ended = now

      if (evaluating) {
        if (recipe.histograms) yield await spreads.take(step)
        const found = await average.during(() => held.validate(recipe.evalExamples, pause))
        yield* tell(found, step)
        await saves.judge(step, found.metrics.get(choosing(task.metric)))
        before = performance.now()
      }
      const slow = warned ? null : (updates.slow() ?? held.slow())
      if (slow && (slow.settled || step === steps)) {
        warned = true
        yield { type: 'warning', step, message: warningOf(slow, locate(slow.reason)), code: true }
      }
      if (snapshots.has(step)) {
        yield await saves.snapshot(step)
        before = performance.now()
      }
      if (saving) {
        yield* saves.take(step)
        before = performance.now()
      }
    }
    yield* lastTest({ held, saves, recipe, tell, pause })
    yield* saves.take(steps, true)
    yield { type: 'done', step: steps }
  } finally {
    spreads.dispose()
    updates.dispose()
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

/** The mean of `times`, which is emptied. */
function mean(times: number[]): number {
  const count = times.length
  return times.splice(0).reduce((sum, ms) => sum + ms, 0) / count
}
