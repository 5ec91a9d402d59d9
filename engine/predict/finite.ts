import { MixlabError } from '../errors.ts'
import type { Model } from '../nn/model.ts'
import type { TrainedModel } from './trained.ts'

/**
 * How many rows of logits `[..., choices]`, flat, give no probabilities: one of them is NaN or Infinity, or all are
 * -Infinity, which alone rules a choice out.
 */
export function rowsWithoutProbability(logits: Float32Array, choices: number): number {
  let count = 0
  for (let row = 0; row < logits.length; row += choices) {
    const largest = logits.subarray(row, row + choices).reduce((most, value) => Math.max(most, value), -Infinity)
    if (!Number.isFinite(largest)) count++ // Math.max of NaN is NaN
  }
  return count
}

/**
 * Throws MixlabError `numerics` where some of the rows of logits `[..., choices]`, flat, give no probabilities, with the
 * weights that are the reason.
 */
export async function checkFinite(logits: Float32Array, choices: number, trained: TrainedModel): Promise<void> {
  if (rowsWithoutProbability(logits, choices) === 0) return
  const bad = logits.filter((value) => !Number.isFinite(value)).length
  const what = await notNumbers(`${bad} of ${logits.length} values`, trained.model)
  throw new MixlabError('numerics', trained.source, what)
}

/** That so much of what a model says is not a number, and which of its weights are none. */
export async function notNumbers(howMuch: string, { parameters }: Pick<Model, 'parameters'>): Promise<string> {
  const counted = parameters.map(async ({ name, variable }) => {
    const values = await variable.data()
    return { name, all: values.length, bad: values.filter((value) => !Number.isFinite(value)).length }
  })
  const [first, ...more] = (await Promise.all(counted)).filter(({ bad }) => bad > 0)
  const what = `its output is not a number in ${howMuch}`
  if (!first) return `${what}; its weights are all finite, so they leave the numbers on the way`
  const others = more.length > 0 ? `, and ${more.length} more tensors have some` : ''
  return `${what}; of its weights '${first.name}' has ${first.bad} of ${first.all} NaN or infinite${others}`
}
