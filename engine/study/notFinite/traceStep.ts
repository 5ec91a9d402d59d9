import * as tf from '@tensorflow/tfjs-core'
import { trainingParts } from '../../train/parts.ts'
import type { Replayed } from '../../train/replay.ts'
import { restoreState } from '../../train/state.ts'
import { trainingSteps } from '../../train/steps/index.ts'
import { type Range, rangeOf } from './range.ts'
import { type BadOperation, watchStep } from './watch.ts'

/** Where the values of a step that are not finite come from. */
export type Origin =
  | { kind: 'operation'; first: BadOperation; turned: BadOperation | null }
  /** A part of the batch has such values, first in this example of it. */
  | { kind: 'data'; part: Range; example: number }
  /** The update of this parameter, done by one kernel. */
  | { kind: 'update'; parameter: string }

/**
 * Does one training step operation by operation and looks at the result of each, forward, backward, when gradients are
 * clipped and when the parameters are updated: where a loss that is not finite comes from, or else a gradient, or else a
 * weight. `state` is that before the step, which `step` others precede; null for that of the start. Null where all is finite.
 * The current backend has to be readable at once.
 */
export async function traceStep(
  { model, task, recipe, seed }: Replayed,
  state: Uint8Array | null,
  step: number,
): Promise<Origin | null> {
  const parts = trainingParts(model, task, recipe)
  const { optimizer, average, lossOf } = parts
  const batches = task.trainBatches(recipe.batch, seed, step, { recipe })
  const watch = watchStep()
  const found: { first: BadOperation; turned: BadOperation | null }[] = []
  const look = (tensors: tf.TensorInfo[]) => found.push(...tensors.flatMap((each) => watch.originOf(each) ?? []))
  const updates = trainingSteps(
    {
      ...parts,
      lossOf: (batch, mode) => {
        const loss = watch.forward(() => lossOf(batch, mode))
        look([loss])
        return loss
      },
      optimizer: {
        ...optimizer,
        prepare: async () => {}, // it was checked at its own first step
        update: (gradients, learningRate) => {
          look(Object.values(gradients))
          watch.update(() => optimizer.update(gradients, learningRate))
        },
      },
    },
    { program: false },
  )
  const given: { batch?: tf.NamedTensorMap } = {}
  try {
    if (state) restoreState({ model, optimizer, average }, state, true)
    const { value: batch } = await batches.next()
    given.batch = batch
    const part = await badPartOf(batch)
    if (part) return part
    watch.name({ ...Object.fromEntries(model.parameters.map(({ name, variable }) => [name, variable])), ...batch })
    await updates.run(batch, step, parts.learningRate(step), false)
    look(model.trained.map(({ variable }) => variable))
    if (found[0]) return { kind: 'operation', ...found[0] }
    for (const { name, variable } of model.trained) {
      if (!(await variable.data<'float32'>()).every(Number.isFinite)) return { kind: 'update', parameter: name }
    }
    return null
  } finally {
    watch.end()
    updates.dispose()
    average.dispose()
    optimizer.dispose()
    tf.dispose(given.batch ?? [])
    await batches.return(undefined)
  }
}

/** The part of a batch that has values that are not finite; null where all are. */
async function badPartOf(batch: tf.NamedTensorMap): Promise<Origin | null> {
  for (const [name, tensor] of Object.entries(batch)) {
    if (tensor.dtype !== 'float32') continue
    const values = await tensor.data<'float32'>()
    const at = values.findIndex((value) => !Number.isFinite(value))
    if (at < 0) continue
    const example = Math.floor(at / (tensor.size / (tensor.shape[0] ?? 1)))
    return { kind: 'data', part: rangeOf(values, tensor.shape, name), example }
  }
  return null
}
