import * as tf from '@tensorflow/tfjs-core'
import { type Gradient, stock } from '../gradient.ts'

/** Length of a vector: at a vector of zeros its slope is 0, as in PyTorch, not 0 times infinity. */
const root: Gradient = {
  kernelName: 'Sqrt',
  inputsToSave: ['x'],
  gradFunc: (dy, saved) => {
    const [x] = saved as [tf.Tensor]
    const slope = () => tf.div(dy as tf.Tensor, tf.mul(tf.sqrt(tf.cast(x, 'float32')), 2))
    return { x: () => tf.where(tf.equal(x, 0), tf.zerosLike(x), slope()) }
  },
}

/** A quotient that is 0 where the divisor is: its slope is 0 there, too. */
const quotient = ({ gradFunc, ...saved }: Gradient): Gradient => ({
  ...saved,
  gradFunc: (dy, inputs, attributes) => {
    const [a, b] = inputs as [tf.Tensor, tf.Tensor]
    return gradFunc(dy, [a, tf.where(tf.equal(b, 0), tf.onesLike(b), b)], attributes)
  },
})

/**
 * Gradients of kernels inside of operations of tfjs that are made of several: there the one that is right by itself is not.
 * The largest of a log-sum-exp cancels; |x| has in the cross entropy of a sigmoid the slope that relu lacks at 0.
 */
export const within = (): Record<string, Gradient[]> => ({
  ...{ logSumExp: [stock('Max')], sigmoidCrossEntropy: [stock('Abs')] },
  ...{ norm: [root], divNoNan: [quotient(stock('RealDiv'))] },
})
