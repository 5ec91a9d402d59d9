import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { gmlp, mixer } from '../../../engine/models/index.ts'
import { loadWeights, writeWeights } from '../../../engine/weights/model.ts'
import { readSafetensors, writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { toyModel } from '../train/toy.ts'

describe.each([
  ['gmlp', gmlp],
  ['mixer', mixer],
])('weights of %s', (_, block) => {
  it('read back to identical logits', async () => {
    const [model, other] = [toyModel(block, 1), toyModel(block, 2)]
    const logits = (of: typeof model) => tf.tidy(() => [...of.apply(tf.ones([2, 8, 8, 1])).dataSync()])
    // the head starts at zero; without this every model would agree
    for (const { name, shape, variable } of model.parameters) {
      if (name.startsWith('head')) tf.tidy(() => variable.assign(tf.randomNormal(shape, 0, 1, 'float32', 7)))
    }
    loadWeights(other.parameters, await writeWeights(model.parameters))
    expect(logits(other)).toEqual(logits(model))
    expect(new Set(logits(model)).size).toBeGreaterThan(1)
    model.dispose()
    other.dispose()
  })
})

describe('loadWeights', () => {
  it('names a tensor that is missing, unknown or of another shape, and changes nothing', async () => {
    const model = toyModel(mixer)
    const { tensors } = readSafetensors(await writeWeights(model.parameters))
    const values = () => model.parameters.map(({ variable }) => [...variable.dataSync()])
    const before = values()
    const load = (changed: typeof tensors) => () => loadWeights(model.parameters, writeSafetensors(changed), 'f')
    expect(load(tensors.slice(1))).toThrow("f: tensor 'stem.proj.weight' is missing")
    expect(load([...tensors, { name: 'head.wieght', shape: [1], values: new Float32Array(1) }])).toThrow(
      "f: tensor 'head.wieght' is not in the model (did you mean 'head.weight'?)",
    )
    const wrong = tensors.map((tensor) =>
      tensor.name === 'head.bias' ? { ...tensor, shape: [3], values: new Float32Array(3) } : tensor,
    )
    expect(load(wrong)).toThrow("f: tensor 'head.bias' is [3], the model has [2]")
    expect(values()).toEqual(before)
    model.dispose()
  })
})
