import * as tf from '@tensorflow/tfjs-core'
import type { Model } from '../nn/model.ts'
import type { Batch, Task } from '../tasks/types.ts'
import { largestDifference } from './difference.ts'
import type { Reader } from './formats/types.ts'
import { inputsOf } from './graph/record.ts'

/** Examples on which a file is compared with the model that it was written from. */
export const EXAMPLES = 64
/** In batches of so many, and a shorter one at the end: a file has to take any number. */
const BATCH = 24
/** The largest difference of logits with which a file is kept. */
export const TOLERANCE = 1e-4

/** What a comparison found. */
export interface Proof {
  examples: number
  /** The largest difference of two logits; not finite where they cannot be compared. */
  difference: number
}

/**
 * Compares what a file says to held-out examples, those of validation first, with what the model says. `soFar` is called
 * after each batch.
 */
export async function prove(model: Model, task: Task, read: Reader, soFar: (proof: Proof) => void): Promise<Proof> {
  const proof: Proof = { examples: 0, difference: 0 }
  for await (const batch of heldOut(task)) {
    const { input, ...extras } = inputsOf(batch)
    const expected = tf.tidy(() => model.apply(input, {}, extras))
    const found = await read({ input, ...extras })
    const difference = await largestDifference(expected, found)
    tf.dispose([expected, found, ...Object.values(batch)])
    proof.examples += input.shape[0] ?? 0
    proof.difference = Math.max(proof.difference, difference)
    soFar({ ...proof })
  }
  return proof
}

/** `EXAMPLES` of them, or as many as there are. Nothing is chosen by them, so that tests may be among them. */
async function* heldOut(task: Task): AsyncGenerator<Batch> {
  let left = EXAMPLES
  for (const split of ['validation', ...(task.tests ?? ['test'])]) {
    if (left <= 0) return
    for await (const batch of task.evalBatches(split, BATCH, left)) {
      left -= batch.input.shape[0] ?? 0
      yield batch
    }
  }
}
