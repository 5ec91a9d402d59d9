import * as tf from '@tensorflow/tfjs-core'
import type { Parameter } from '../nn/scope.ts'
import { updateInPlace } from './fusedUpdate.ts'
import type { Optimizer } from './optimizers/types.ts'
import type { Recipe } from './recipe.ts'
import { withWeights } from './withWeights.ts'

/** What is evaluated and saved in place of the weights: an exponential moving average, or what the optimizer says. */
export interface MovingAverage {
  /** Updates the average with the present weights; call after each step, with its number from 1 on. */
  update(step: number): void
  /** Runs `body` while the parameters have the averaged values; they get their own back however it ends. */
  withAveragedWeights<T>(body: () => Promise<T>): Promise<T>
  /** The averages by parameter name. Not copies: when they are assigned to, the average continues from there. */
  state(): Record<string, tf.Variable>
  dispose(): void
}

/** No average: the weights as they are. */
const OFF: MovingAverage = {
  update: () => {},
  withAveragedWeights: (body) => body(),
  state: () => ({}),
  dispose: () => {},
}

/** What is kept of the average in a step, from 1 on. The warm-up is that of tf.train.ExponentialMovingAverage. */
export function decayAt(ema: NonNullable<Recipe['ema']>, step: number): number {
  return typeof ema === 'number' ? ema : Math.min(ema.decay, (1 + step) / (10 + step))
}

/** The weights that the optimizer wants to have evaluated; null where these are the ones that it trains. */
export function evaluationWeights(parameters: Parameter[], optimizer: Optimizer): MovingAverage | null {
  const { evaluationWeights: weights } = optimizer
  return weights ? { ...OFF, withAveragedWeights: (body) => withWeights(parameters, weights(), body) } : null
}

/**
 * Averages that start as the present weights and become decay * average + (1 - decay) * value with each step, as
 * ModelEma of timm; undefined for none. Running statistics are averaged too.
 */
export function movingAverage(parameters: Parameter[], ema: Recipe['ema']): MovingAverage {
  if (ema === undefined) return OFF
  const pairs = parameters.map(({ variable }) => ({ variable, average: tf.variable(variable, false) }))
  const variables = pairs.map(({ variable }) => variable)
  const averages = pairs.map(({ average }) => average)
  const swap = () => {
    for (const { variable, average } of pairs) {
      tf.tidy(() => {
        const value = tf.clone(variable)
        variable.assign(average)
        average.assign(value)
      })
    }
  }
  return {
    update: (step) => {
      const decay = decayAt(ema, step)
      if (updateInPlace('AverageUpdate', variables, [averages], { decay })) return
      for (const { variable, average } of pairs) {
        tf.tidy(() => average.assign(tf.add(tf.mul(average, decay), tf.mul(variable, 1 - decay))))
      }
    },
    withAveragedWeights: async (body) => {
      swap()
      try {
        return await body()
      } finally {
        swap()
      }
    },
    state: () => Object.fromEntries(parameters.map(({ name }, i) => [name, averages[i] as tf.Variable])),
    dispose: () => tf.dispose(averages),
  }
}
