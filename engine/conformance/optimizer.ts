import * as tf from '@tensorflow/tfjs-core'
import { PLAIN } from '../nn/layout.ts'
import { optimizerKind } from '../train/optimizers/index.ts'
import type { Case } from './case.ts'
import { type Check, checked, type Pending, relativeError, tolerances } from './check.ts'

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
export async function checkOptimizer(golden: Case): Promise<Check[]> {
  const name = golden.config.text('optimizer')
  const kind = optimizerKind(name)
  const decayed = golden.config.texts('decayed', [])
  const given = kind.resolve(options[name]?.(golden.config) ?? {})
  golden.config.agrees('bias_correction', name !== 'sgd')
  golden.config.done()
  return checked(() => {
    const parameters = [...golden.below('param.')].map(([name, { shape, values }]) => {
      const variable = tf.variable(tf.tensor(Float32Array.from(values), shape))
      return { name, shape, layout: PLAIN, decay: decayed.includes(name), trained: true, variable }
    })
    const optimizer = kind.create(given, parameters)
    const checks: Pending[] = []
    const add = (tensor: string, own: tf.Tensor) => {
      const { values } = golden.tensor(tensor)
      const error = (own: ArrayLike<number>) => relativeError(own, values)
      checks.push({ tensor, own: tf.clone(own), error, tolerance: tolerances.step }) // the next step changes it
    }
    try {
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
          add(`${step}.state.${name}`, state[name] ?? tf.scalar(Number.NaN))
        }
      }
      return checks
    } finally {
      optimizer.dispose()
      tf.dispose(parameters.map(({ variable }) => variable))
    }
  })
}
