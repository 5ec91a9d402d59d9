import * as tf from '@tensorflow/tfjs-core'
import { PLAIN } from '../nn/layout.ts'
import { optimizerKind } from '../train/optimizers/index.ts'
import type { Case } from './case.ts'
import { type Check, relativeError, tolerances } from './check.ts'

/** The options of each optimizer from the configuration of a case. */
const options: Record<string, (config: Case['config']) => Record<string, unknown>> = {
  adamw: (config) => adam(config),
  lamb: (config) => ({ ...adam(config), maxGradNorm: config.number('max_grad_norm', 0) }),
  sgd: (config) => ({
    momentum: config.number('momentum', 0),
    nesterov: config.flag('nesterov', false),
    weightDecay: config.number('weight_decay', 0),
  }),
}

function adam(config: Case['config']): Record<string, unknown> {
  const [beta1, beta2] = config.numbers('betas', [0.9, 0.999])
  return { beta1, beta2, eps: config.number('eps'), weightDecay: config.number('weight_decay', 0) }
}

/** Parameters and state after every step of an optimizer, from the gradients that the case gives. */
export function checkOptimizer(golden: Case): Check[] {
  const name = golden.config.text('optimizer')
  const kind = optimizerKind(name)
  const decayed = golden.config.texts('decayed', [])
  return tf.tidy(() => {
    const parameters = [...golden.below('param.')].map(([name, { shape, values }]) => {
      const variable = tf.variable(tf.tensor(Float32Array.from(values), shape))
      return { name, shape, layout: PLAIN, decay: decayed.includes(name), trained: true, variable }
    })
    const optimizer = kind.create(kind.resolve(options[name]?.(golden.config) ?? {}), parameters)
    const checks: Check[] = []
    const add = (tensor: string, own: tf.Tensor) => {
      const error = relativeError(own.dataSync(), golden.tensor(tensor).values)
      checks.push({ tensor, error, tolerance: tolerances.step })
    }
    for (const [i, learningRate] of [...golden.tensor('lr').values].entries()) {
      const step = `step${i + 1}`
      const gradients = [...golden.below(`${step}.grad.`)].map(([name, { shape, values }]) => [
        name,
        tf.tensor(Float32Array.from(values), shape),
      ])
      optimizer.update(Object.fromEntries(gradients), learningRate)
      for (const { name, variable } of parameters) add(`${step}.param.${name}`, variable)
      const state = optimizer.state().tensors
      for (const name of golden.below(`${step}.state.`).keys()) {
        if (state[name]) add(`${step}.state.${name}`, state[name])
        else
          checks.push({ tensor: `${step}.state.${name}`, error: Number.POSITIVE_INFINITY, tolerance: tolerances.step })
      }
    }
    optimizer.dispose()
    tf.dispose(parameters.map(({ variable }) => variable))
    return checks
  })
}
