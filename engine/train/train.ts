import * as tf from '@tensorflow/tfjs-core'
import { heldMemory } from '../backends/memory.ts'
import { warningOf } from '../compile/eagerFallback.ts'
import { augments } from '../data/augment/augment.ts'
import { countedThreads, type SpawnAugmenter } from '../data/augment/thread.ts'
import type { Model } from '../nn/model.ts'
import { divergedText } from '../records/diverged.ts'
import type { TrainEvent } from '../records/events.ts'
import { selectionMetric } from '../records/splits.ts'
import type { Batch, Task } from '../tasks/types.ts'
import { createCheckpointer, type ReadState } from './checkpointer.ts'
import { createEvaluator } from './evaluate.ts'
import { eventYielder } from './eventYielder.ts'
import { finalEvaluation } from './finalEvaluation.ts'
import { histogramRecorder } from './histograms.ts'
import { GRADIENT_NORM, LOSS, MEMORY, RATE, STEP_TIME, THREADS, WAIT_TIME } from './meanings.ts'
import { metricLogger } from './metricLogger.ts'
import { trainingParts } from './parts.ts'
import type { Recipe } from './recipe.ts'
import { snapshotSteps } from './snapshots.ts'
import { TRAIN_LOSS, trainingSteps } from './steps/index.ts'
import type { Lane } from './steps/lockstep.ts'
import { AUGMENT_THREADS, LEARNING_RATE, MEMORY_BYTES, STEP_MS, WAIT_MS } from './timings.ts'

export interface Training {
  model: Model
  task: Task
  recipe: Recipe
  seed: number
  /** Starts a thread that augments training batches; without any the loop augments them between the steps. */
  spawnAugmenter?: SpawnAugmenter | undefined
  /** That it is one of several trainings that do their steps together, on a backend that can; each has the bits that it would have alone. */
  lane?: Lane | undefined
  /** Stops between steps when aborted. */
  signal?: AbortSignal | undefined
  /** The state that an earlier attempt left, to go on from. */
  state?: ReadState | undefined
  /** The best weights at that time. Where the state says that there were some and they are missing, training begins anew. */
  best?: ReadState | undefined
  /** Finds the line of the user's code that an error comes from. */
  locate?: ((error: Error) => Error) | undefined
}

/**
 * The training loop. Trains `model` in place and yields events, in place of callbacks; the tests are evaluated once, at the end, with the
 * weights that validation chose. Ends with `done`, `interrupted` (the signal) or
 * `failed` (a loss that is not finite); whatever else goes wrong is thrown. What follows from a state is bit for bit
 * what would have followed without the interruption, but for what timings.ts names and `ms`.
 */
export async function* train(training: Training): AsyncGenerator<TrainEvent> {
  const { model, task, recipe, seed, lane, signal, state, best, spawnAugmenter, locate = (error) => error } = training
  // Hyperparameters
  const { steps, batch: batchSize, logEvery, evalEvery } = recipe
  const { lossMeaning = LOSS } = task
  // Loss, optimizer, exponential moving average (EMA) of the weights; a training step is forward pass and loss, backward
  // pass (autograd), gradient clipping and optimizer step
  const parts = trainingParts(model, task, recipe)
  const { optimizer, average } = parts
  const updates = trainingSteps(parts, { lane })
  // Evaluation, and checkpoints: a run that was interrupted resumes after step `resumedAt`
  const evaluator = createEvaluator(model, task)
  const checkpointer = createCheckpointer({ model, optimizer, average }, recipe.checkpointEvery, task)
  const { step: resumedAt, warning } = await checkpointer.restore(state, best)
  // Data loader: what is in the batch of a step depends on seed and step alone
  const threads = spawnAugmenter && countedThreads(spawnAugmenter)
  const batches = task.trainBatches(batchSize, seed, resumedAt, { recipe, spawnAugmenter: threads?.spawn })
  const augmenting = () => (augments(recipe) ? (threads?.started() ?? 0) : 0)
  const tensorHistograms = histogramRecorder(model.trained)
  const snapshots = snapshotSteps(recipe.snapshots, steps)
  const yieldToEvents = eventYielder()
  const stepTimes: number[] = []
  const waits: number[] = []
  const total = { ms: 0, waited: 0 }
  let warned = false
  let noted = false
  const log = metricLogger(task.metric)
  /** Logs the losses and gradient norms that are still on the device; returns whether a loss is not finite. */
  async function* logLosses(): AsyncGenerator<TrainEvent, boolean> {
    for (const { step, name, value } of await updates.readMetrics()) {
      yield { type: 'metric', step, name, value, meaning: name === TRAIN_LOSS ? lossMeaning : GRADIENT_NORM }
      if (name === TRAIN_LOSS && !Number.isFinite(value)) {
        yield { type: 'failed', step, message: divergedText(value, step) }
        return true
      }
    }
    return false
  }
  try {
    if (warning) yield { type: 'warning', step: 0, message: warning }
    yield { type: 'start', steps, parameters: model.size, ...(resumedAt > 0 && { resumedAt }) }
    if (resumedAt === 0 && snapshots.has(0)) yield await checkpointer.snapshot(0)
    let stepStart = performance.now()
    let lastStepEnd = stepStart // the last step
    for (let step = resumedAt + 1; step <= steps; step++) {
      const evaluating = step % evalEvery === 0 || step === steps
      await yieldToEvents()
      if (signal?.aborted) {
        if (yield* logLosses()) return
        updates.syncVariables()
        if (step - 1 > checkpointer.savedStep) yield* checkpointer.saveCheckpoint(step - 1)
        yield { type: 'interrupted', step: step - 1 }
        return
      }

      if (evaluating && recipe.histograms) {
        updates.syncVariables()
        await tensorHistograms.holdWeights()
        stepStart = performance.now()
      }
      // The next batch of the data loader
      const waitStart = performance.now()
      const batch = await nextBatch(batches)
      const waited = performance.now() - waitStart
      waits.push(waited)
      // Scheduler: warmup, then the curve of the recipe
      const learningRate = parts.learningRate(step - 1)
      // Forward pass, loss, backward pass, gradient clipping, optimizer step, moving average
      try {
        await updates.run(batch, step - 1, learningRate, evaluating && recipe.histograms)
      } finally {
        tf.dispose(batch)
      }
      if (evaluating && recipe.histograms) tensorHistograms.holdGradients(updates.gradients())

      // Logger: losses are read together, when they are due or the weights are needed
      const checkpointDue = step < steps && checkpointer.due(step)
      if (checkpointDue || evaluating || snapshots.has(step)) updates.syncVariables()
      if (checkpointDue || evaluating || step % logEvery === 0) {
        if (yield* logLosses()) return
      }

      const now = performance.now()
      stepTimes.push(now - stepStart)
      total.ms += now - stepStart
      total.waited += waited
      const paused = stepStart - lastStepEnd
      yield { type: 'step', step, ms: now - stepStart, ...(waited >= 1 && { waited }), ...(paused >= 1 && { paused }) }
      if (step % logEvery === 0 || step === steps) {
        yield { type: 'metric', step, name: STEP_MS, value: mean(stepTimes), meaning: STEP_TIME }
        yield { type: 'metric', step, name: WAIT_MS, value: mean(waits), meaning: WAIT_TIME }
        if (augmenting() > 0) {
          yield { type: 'metric', step, name: AUGMENT_THREADS, value: augmenting(), meaning: THREADS }
        }
        yield { type: 'metric', step, name: LEARNING_RATE, value: learningRate, meaning: RATE }
      }
      stepStart = now
      lastStepEnd = now

      // Validation. In place of early stopping, the best weights until now are kept, and tested at the end
      if (evaluating) {
        if (recipe.histograms) yield await tensorHistograms.readHistograms(step)
        const results = await average.withAveragedWeights(() => evaluator.validate(recipe.evalExamples, yieldToEvents))
        yield* log(results, step)
        yield { type: 'metric', step, name: MEMORY_BYTES, value: heldMemory().bytes, meaning: MEMORY }
        await checkpointer.updateBest(step, results.metrics.get(selectionMetric(task.metric)))
        stepStart = performance.now()
      }
      // Warnings, once: of a batch that the card takes in more parts, and of code that runs operation by operation
      const note = noted ? null : updates.note()
      if (note) {
        noted = true
        yield { type: 'warning', step, message: note }
      }
      const fallback = warned ? null : (updates.fallback() ?? evaluator.fallback())
      if (fallback && (fallback.settled || step === steps)) {
        warned = true
        yield { type: 'warning', step, message: warningOf(fallback, locate(fallback.reason)), code: true }
      }
      if (snapshots.has(step)) {
        yield await checkpointer.snapshot(step)
        stepStart = performance.now()
      }
      // Checkpoint, to resume from after a crash or an interruption
      if (checkpointDue) {
        yield* checkpointer.saveCheckpoint(step)
        stepStart = performance.now()
      }
    }
    const slow = augmenting() > 0 && tooSlow(total, augmenting())
    if (slow) yield { type: 'warning', step: steps, message: slow }
    // The test split, once, with the best weights
    yield* finalEvaluation({ evaluator, checkpointer, recipe, log, yieldToEvents })
    yield* checkpointer.saveCheckpoint(steps, true)
    yield { type: 'done', step: steps }
  } finally {
    tensorHistograms.dispose()
    updates.dispose()
    evaluator.dispose()
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

/** Waiting of a smaller share, and for batches of less training than so many ms, goes without saying. */
const WORTH_SAYING = { share: 0.03, ms: 10_000 }

/** That a training has waited for its augmented batches; null where that is little. */
function tooSlow({ ms, waited }: { ms: number; waited: number }, threads: number): string | null {
  if (ms < WORTH_SAYING.ms || waited < WORTH_SAYING.share * ms) return null
  const share = Math.round((100 * waited) / ms)
  const by = threads === 1 ? '1 thread' : `${threads} threads`
  return `waited for augmented batches ${share}% of the training time, with ${by} that augment; fewer changes (augment), a larger model or more cores would use the time`
}

/** The mean of `times`, which is emptied. */
function mean(times: number[]): number {
  const count = times.length
  return times.splice(0).reduce((sum, ms) => sum + ms, 0) / count
}
