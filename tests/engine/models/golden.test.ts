import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { gmlp } from '../../../engine/models/gmlp.ts'
import { mixer } from '../../../engine/models/mixer.ts'
import { visionModel } from '../../../engine/models/vision.ts'
import type { Block } from '../../../engine/nn/block.ts'
import { toFile } from '../../../engine/nn/layout.ts'
import { createModel } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { softmaxCrossEntropy } from '../../../engine/train/losses.ts'
import { loadWeights } from '../../../engine/weights/model.ts'
import { writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { readCase, relativeError } from './case.ts'

interface Config {
  dim: number
  mlp_ratio: number | [number, number]
  depth: number
  patch_size: [number, number]
  num_classes: number
}

const cases: [string, Block][] = [
  ['gmlp_timm', gmlp],
  ['gmlp_timm_small', gmlp],
  ['mixer_timm', mixer],
  ['mixer_timm_small', mixer],
]

describe.each(cases)('%s', (name, block) => {
  it('has the output, the loss and every gradient of the reference', () => {
    const golden = readCase(name)
    const config = golden.config as unknown as Config
    const ratio = Array.isArray(config.mlp_ratio) ? config.mlp_ratio[1] : config.mlp_ratio
    const { dim, depth, patch_size, num_classes } = config
    const size = resolveSize(block, { dim, depth, ffnRatio: ratio, patch: patch_size[0] }, name)
    const [batch, channels, height, width] = golden.tensor('input').shape as [number, number, number, number]
    const model = createModel(visionModel(block, size, num_classes), { shape: [batch, height, width, channels] }, 1)
    const tensors = [...golden.below('param.')].map(([name, tensor]) => ({ ...tensor, name }))
    loadWeights(model.parameters, writeSafetensors(tensors))

    tf.tidy(() => {
      const given = golden.tensor('input')
      const input = tf.transpose(tf.tensor(given.values, given.shape), [0, 2, 3, 1])
      const target = tf.tensor1d(golden.tensor('target').values as Int32Array, 'int32')
      const logits = model.apply(input)
      const { value, grads } = tf.variableGrads(() => softmaxCrossEntropy(model.apply(input), target))
      expect(relativeError(logits.dataSync(), golden.tensor('output').values)).toBeLessThan(1e-5)
      expect(relativeError(value.dataSync(), golden.tensor('loss').values)).toBeLessThan(2e-6)

      const zero = JSON.parse(golden.metadata.zero_gradient ?? '[]') as string[]
      const gradients = golden.below('grad.')
      const largest = Math.max(...[...gradients.values()].flatMap(({ values }) => [...values].map(Math.abs)))
      expect(gradients.size).toBe(model.parameters.length)
      for (const { name, shape, layout, variable } of model.parameters) {
        const own = toFile((grads[variable.name] as tf.Tensor).dataSync() as Float32Array, shape, layout)
        if (zero.includes(name)) expect(Math.max(...own.map(Math.abs)) / largest, name).toBeLessThan(2e-6)
        else expect(relativeError(own, gradients.get(name)?.values ?? []), name).toBeLessThan(5e-5)
      }
    })
    model.dispose()
  })
})
