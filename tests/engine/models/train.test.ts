import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { softmaxCrossEntropy } from '../../../engine/nn/losses.ts'
import { optimizerKind } from '../../../engine/train/optimizers/index.ts'
import { sample } from '../../long.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { architectures, tiny, tinyBatch, tinyModel } from './tiny.ts'

onSimd()

describe('every architecture learns', () => {
  it('is in the list', () => {
    const listed = new Set(tiny.map(([, block]) => block.origin))
    expect(architectures.filter(([, block]) => !listed.has(block as never)).map(([name]) => name)).toEqual([])
  })
  it.each(sample(tiny, 4))('%s: the loss falls over 30 steps and no tensor is left behind', (_, block, modality) => {
    const model = tinyModel(block, modality)
    const { input, target } = tinyBatch(modality, 6)
    const kind = optimizerKind('adamw')
    const optimizer = kind.create(kind.resolve({}), model.trained)
    const before = tf.memory().numTensors
    const losses = Array.from({ length: 30 }, (_, step) =>
      tf.tidy(() => {
        const variables = model.trained.map(({ variable }) => variable)
        const loss = () => softmaxCrossEntropy(model.apply(input, { training: true, step }), target)
        const { value, grads } = tf.variableGrads(loss, variables)
        const named = model.trained.map(({ name, variable }) => [name, grads[variable.name]])
        optimizer.update(Object.fromEntries(named), 1e-2)
        return value.dataSync()[0] as number
      }),
    )
    expect(tf.memory().numTensors).toBe(before)
    expect(losses.every(Number.isFinite)).toBe(true)
    expect(losses.at(-1)).toBeLessThan((losses[0] as number) * 0.8)
    optimizer.dispose()
    model.dispose()
    tf.dispose([input, target])
  })
})
