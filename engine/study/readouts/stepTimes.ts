import { compact } from '../../compile/program.ts'
import { createModel } from '../../nn/model.ts'
import { train } from '../../train/train.ts'
import type { OpenVariant } from '../opened.ts'
import { median } from '../time/median.ts'

/** Steps that compile, and rounds that are timed then. */
const WARM_UP = 2
const ROUNDS = 9
const NEVER = Number.MAX_SAFE_INTEGER

/**
 * The median time of a training step of each variant in ms, on the current backend: one step of each, in turns, so that
 * whatever else the machine does meets all of them. Reads training examples alone, and keeps nothing.
 */
export async function stepTimes(variants: readonly OpenVariant[], seed: number): Promise<number[]> {
  const models: { dispose(): void }[] = []
  const trainings: AsyncGenerator<{ type: string }>[] = []
  try {
    for (const { opened: task, block, size, recipe } of variants) {
      const model = createModel(task.model(block, size), task.input, seed)
      models.push(model)
      // the loss of each step is read, so that a card's queue is part of its time
      const steps = { steps: NEVER, evalEvery: NEVER, checkpointEvery: { steps: NEVER }, snapshots: 0, logEvery: 1 }
      trainings.push(train({ model, task, recipe: { ...recipe, ...steps }, seed }))
    }
    const times: number[][] = variants.map(() => [])
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      for (const [i, training] of trainings.entries()) {
        const ms = await timeOfStep(training)
        if (round >= 0) times[i]?.push(ms)
      }
    }
    return times.map((own) => median(own) ?? Number.NaN)
  } finally {
    for (const training of trainings) await training.return(undefined)
    for (const model of models) model.dispose()
    await compact()
  }
}

/** Trains to the end of the next step. */
async function timeOfStep(training: AsyncGenerator<{ type: string }>): Promise<number> {
  const began = performance.now()
  for (let next = await training.next(); !next.done; next = await training.next()) {
    if (next.value.type === 'step') return performance.now() - began
    if (next.value.type === 'failed') break
  }
  throw new Error('its training fails')
}
