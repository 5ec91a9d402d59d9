import * as tf from '@tensorflow/tfjs-core'
import { adamw } from './adamw.ts'
import { builtIn, optimizer } from './optimizer.ts'
import type { RuleInputs } from './rule.ts'
import { sgd } from './sgd.ts'

// rho as Foret et al. 2021 used on CIFAR (section 3.1)
const defaults = { rho: 0.05 }

/** Up the gradient by rho; no gradient leads nowhere. */
const secondGradient = ({ weight, gradient, norm, options: { rho } }: RuleInputs<{ rho: number }>) =>
  tf.add(weight, tf.mul(gradient, tf.div(rho, tf.add(norm, 1e-12))))

/**
 * Sharpness-aware minimization over SGD for a recipe, e.g. `sam({ rho: 0.05, learningRate: 0.1 })` (Foret et al. 2021,
 * algorithm 1): the gradient that SGD gets is that of the same batch at w + rho * g / |g|, where |g| is the global norm.
 */
export const sam = builtIn(optimizer('sam', defaults, { over: sgd, secondGradient }))

/** The same over AdamW, e.g. `samAdamw({ rho: 0.05, learningRate: 1e-3 })`. */
export const samAdamw = builtIn(optimizer('sam_adamw', defaults, { over: adamw, secondGradient }))
