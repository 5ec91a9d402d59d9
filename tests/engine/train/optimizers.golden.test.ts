import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { PLAIN } from '../../../engine/nn/layout.ts'
import { adamwKind } from '../../../engine/train/optimizers/adamw.ts'
import { readCase, relativeError } from '../models/case.ts'

describe('adamw', () => {
  it('steps as torch.optim.AdamW does', () => {
    const golden = readCase('optim_adamw')
    const { eps, weight_decay, decayed } = golden.config as { eps: number; weight_decay: number; decayed: string[] }
    const parameters = [...golden.below('param.')].map(([name, { shape, values }]) => {
      const variable = tf.tidy(() => tf.variable(tf.tensor(values, shape)))
      return { name, shape, layout: PLAIN, decay: decayed.includes(name), variable }
    })
    const optimizer = adamwKind.create(adamwKind.resolve({ eps, weightDecay: weight_decay }), parameters)
    golden.tensor('lr').values.forEach((learningRate, i) => {
      tf.tidy(() => {
        const gradients = [...golden.below(`step${i + 1}.grad.`)].map(([name, { shape, values }]) => {
          return [name, tf.tensor(values, shape)]
        })
        optimizer.update(Object.fromEntries(gradients), learningRate)
      })
      for (const { name, variable } of parameters) {
        const expected = golden.tensor(`step${i + 1}.param.${name}`).values
        expect(relativeError(variable.dataSync(), expected), `step ${i + 1}, ${name}`).toBeLessThan(2e-6)
      }
    })
    optimizer.dispose()
    tf.dispose(parameters.map(({ variable }) => variable))
  })
})
