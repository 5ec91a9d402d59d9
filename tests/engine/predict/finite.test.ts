import * as tf from '@tensorflow/tfjs-core'
import { describe, expect, it } from 'vitest'
import type { Parameter } from '../../../engine/nn/scope.ts'
import { checkFinite, notNumbers, rowsWithoutProbability } from '../../../engine/predict/finite.ts'
import type { TrainedModel } from '../../../engine/predict/trained.ts'
import { onSimd } from '../backends/simd/setup.ts'

onSimd()

const [none, most, least] = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

/** A model with such tensors. */
function withModel<Done>(
  tensors: Record<string, number[]>,
  use: (model: TrainedModel) => Promise<Done>,
): Promise<Done> {
  const variables = Object.entries(tensors).map(([name, values]) => ({
    name,
    variable: tf.tidy(() => tf.variable(tf.tensor1d(values))),
  }))
  const model = { source: 'a file', model: { parameters: variables as unknown as Parameter[] } } as TrainedModel
  return use(model).finally(() => tf.dispose(variables.map(({ variable }) => variable)))
}

describe('logits', () => {
  it.each([
    [[1, 2, 3, 4], 0],
    [[1, none, 3, 4], 1],
    [[none, none, none, none], 2],
    [[1, most, 3, least], 1],
    [[1, least, least, 4], 0],
    [[least, least, 3, 3], 1],
  ])('%j have %i rows without probabilities', (values, count) => {
    expect(rowsWithoutProbability(Float32Array.from(values), 2)).toBe(count)
  })
  it('that are not numbers are an error, with the weights that are the reason', async () => {
    const weights = { sound: [1, 2], first: [none, 1, most], second: [least] }
    const check = (...values: number[]) =>
      withModel(weights, (model) => checkFinite(Float32Array.from(values), 3, model))
    await check(1, 2, least)
    await expect(check(1, none, 2)).rejects.toThrow(
      "a file: its output is not a number in 1 of 3 values; of its weights 'first' has 2 of 3 NaN or infinite, and 1 more tensors have some",
    )
    await expect(check(none, none, none)).rejects.toThrow(expect.objectContaining({ code: 'numerics' }))
    const said = await withModel({ sound: [1] }, ({ model }) => notNumbers('all', model))
    expect(said).toBe(
      'its output is not a number in all; its weights are all finite, so they leave the numbers on the way',
    )
  })
})
