import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { PLAIN } from '../../../engine/nn/layout.ts'
import type { Parameter } from '../../../engine/nn/scope.ts'
import { optimizerKind } from '../../../engine/train/optimizers/index.ts'
import type { NamedTensor } from '../../../engine/weights/safetensors.ts'
import { readCase, relativeError } from '../models/case.ts'

interface Config {
  optimizer: string
  decayed: string[]
  weight_decay: number
  betas?: [number, number]
  eps?: number
  max_grad_norm?: number
  momentum?: number
  nesterov?: boolean
}

const TOLERANCE = 2e-6

/** The options of a case under our names, without those that its optimizer does not have. */
function optionsOf({ betas, eps, momentum, nesterov, weight_decay, max_grad_norm }: Config): Record<string, unknown> {
  const [beta1, beta2] = betas ?? []
  const all = { beta1, beta2, eps, momentum, nesterov, weightDecay: weight_decay, maxGradNorm: max_grad_norm }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function expectClose(actual: Record<string, tf.Tensor>, expected: Map<string, NamedTensor>, when: string) {
  expect(Object.keys(actual).sort()).toEqual([...expected.keys()].sort())
  for (const [name, { values }] of expected) {
    expect(relativeError((actual[name] as tf.Tensor).dataSync(), values), `${when}, ${name}`).toBeLessThan(TOLERANCE)
  }
}

describe.each(['optim_adamw', 'optim_lamb', 'optim_sgd_momentum', 'optim_sgd_nesterov'])('%s', (name) => {
  it('has the parameters and the state of the reference after each step', () => {
    const golden = readCase(name)
    const config = golden.config as unknown as Config
    const parameters = [...golden.below('param.')].map(([name, { shape, values }]): Parameter => {
      const variable = tf.tidy(() => tf.variable(tf.tensor(values, shape)))
      return { name, shape, layout: PLAIN, decay: config.decayed.includes(name), trained: true, variable }
    })
    const kind = optimizerKind(config.optimizer)
    const optimizer = kind.create(kind.resolve(optionsOf(config)), parameters)
    for (const [i, learningRate] of golden.tensor('lr').values.entries()) {
      const step = `step${i + 1}`
      tf.tidy(() => {
        const gradients = [...golden.below(`${step}.grad.`)].map(([name, { shape, values }]) => {
          return [name, tf.tensor(values, shape)]
        })
        optimizer.update(Object.fromEntries(gradients), learningRate)
      })
      const variables = Object.fromEntries(parameters.map(({ name, variable }) => [name, variable]))
      expectClose(variables, golden.below(`${step}.param.`), `${step}.param`)
      expectClose(optimizer.state().tensors, golden.below(`${step}.state.`), `${step}.state`)
      expect(optimizer.state().step).toBe(i + 1)
    }
    optimizer.dispose()
    tf.dispose(parameters.map(({ variable }) => variable))
  })
})
