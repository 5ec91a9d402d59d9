import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { add, batchNorm, block, dense } from '../../../engine/nn/index.ts'
import { movingAverage } from '../../../engine/train/ema.ts'
import { type OptimizerSpec, optimizerKind } from '../../../engine/train/optimizers/index.ts'
import { resolveRecipe } from '../../../engine/train/recipe.ts'
import { restoreState, type TrainingState, writeState } from '../../../engine/train/state.ts'
import { readSafetensors, type SafetensorsFile, writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { describeOnBoth } from './backends.ts'
import { toyModel } from './toy.ts'

const normed = block('normed', (x, { dim }) => add(x, batchNorm(dense(x, dim))))

/** A model in training; `values` fills everything that training changes with numbers that differ. */
function trainee(
  name: string,
  ema: number | undefined,
  values: number | null = null,
): TrainingState & { dispose(): void } {
  const model = toyModel(normed)
  const { optimizer: spec } = resolveRecipe({ optimizer: { optimizer: name, options: {} } })
  const optimizer = optimizerKind(name).create((spec as OptimizerSpec).options, model.trained)
  const average = movingAverage(model.parameters, ema)
  const trained = { model, optimizer, average }
  if (values !== null) {
    optimizer.state().step = values
    for (const [i, variable] of variablesOf(trained).entries()) {
      tf.tidy(() => variable.assign(tf.add(tf.range(0, variable.size), values + i / 7).reshape(variable.shape)))
    }
  }
  const dispose = () => {
    for (const each of [average, optimizer, model]) each.dispose()
  }
  return { ...trained, dispose }
}

const variablesOf = ({ model, optimizer, average }: TrainingState) => [
  ...model.parameters.map(({ variable }) => variable),
  ...Object.values(optimizer.state().tensors),
  ...Object.values(average.state()),
]
const bitsOf = (trained: TrainingState) => variablesOf(trained).map((variable) => Array.from(variable.dataSync()))

describeOnBoth('the state of training', () => {
  it.each([
    ['adamw', 0.9, 2],
    ['lamb', undefined, 2],
    ['sgd', 0.5, 1],
  ])('comes back as it was with %s and an average of %s', async (name, ema, slots) => {
    const before = trainee(name, ema, 5)
    const after = trainee(name, ema)
    const file = await writeState(before, { step: 7, best: { step: 3, value: 0.1 + 0.2 } })
    expect(bitsOf(after)).not.toEqual(bitsOf(before))
    expect(restoreState(after, file, true)).toEqual({ step: 7, best: { step: 3, value: 0.1 + 0.2 } })
    expect(bitsOf(after)).toEqual(bitsOf(before))
    expect(after.optimizer.state().step).toBe(5)

    const { parameters, trained } = before.model
    const names = readSafetensors(file).tensors.map((tensor) => tensor.name)
    expect(names).toHaveLength(parameters.length + slots * trained.length + (ema ? parameters.length : 0))
    const groups = new Set(names.map((tensor) => tensor.split('/')[0]))
    expect([...groups].sort()).toEqual([...(ema ? ['average'] : []), 'model', 'optimizer'])
    expect(names).toContain('model/blocks.1.bn.running_var')
    before.dispose()
    after.dispose()
  })
})

describe('restoreState', () => {
  const written = async (change: (file: SafetensorsFile) => SafetensorsFile) => {
    const trained = trainee('adamw', 0.9, 5)
    const { tensors, metadata } = change(readSafetensors(await writeState(trained, { step: 7, best: null })))
    trained.dispose()
    return writeSafetensors(tensors, metadata)
  }

  const first = { name: 'model/stem.proj.weight', shape: [1], values: Float32Array.of(1) }
  it.each<[string, (file: SafetensorsFile) => SafetensorsFile]>([
    ["tensor 'model/stem.proj.weight' is missing, not", (file) => ({ ...file, tensors: file.tensors.slice(1) })],
    [
      "tensor 'model/stem.proj.weight' is [1], not",
      (file) => ({ ...file, tensors: [first, ...file.tensors.slice(1)] }),
    ],
    ['has tensors that', (file) => ({ ...file, tensors: [...file.tensors, { ...first, name: 'x' }] })],
    ['is not a mixlab training state 1', (file) => ({ ...file, metadata: { ...file.metadata, format: 'pt' } })],
    ['does not say how far', (file) => ({ ...file, metadata: { ...file.metadata, progress: '{"step":-1}' } })],
    ['does not say how far', (file) => ({ ...file, metadata: { ...file.metadata, progress: '{' } })],
    ['does not say how far', (file) => ({ ...file, metadata: { format: file.metadata.format ?? '' } })],
  ])('refuses what does not fit and changes nothing: %s', async (message, change) => {
    const file = await written(change)
    const trained = trainee('adamw', 0.9)
    const before = bitsOf(trained)
    expect(() => restoreState(trained, file, true)).toThrow(`checkpoint: ${message}`)
    expect(() => restoreState(trained, file, true)).toThrow(
      expect.objectContaining({ code: 'weights', path: 'checkpoint' }),
    )
    expect(() => restoreState(trained, file.subarray(0, 1000), true)).toThrow(/^checkpoint: /)
    expect(bitsOf(trained)).toEqual(before)
    expect(trained.optimizer.state().step).toBe(0)
    trained.dispose()
  })

  it('refuses a state whose best weights are missing and changes nothing', async () => {
    const before = trainee('adamw', 0.9, 5)
    const file = await writeState(before, { step: 7, best: { step: 3, value: 0.5 } })
    before.dispose()
    const trained = trainee('adamw', 0.9)
    const bits = bitsOf(trained)
    expect(() => restoreState(trained, file, false)).toThrow('checkpoint: is without the best weights of its time')
    expect(bitsOf(trained)).toEqual(bits)
    trained.dispose()
  })
})
