import * as tf from '@tensorflow/tfjs-core'
import { type Gradient, stock, summedTo } from '../gradient.ts'

// Where values are equal, gradients are shared as in PyTorch; tfjs gives the whole to each, or to the first.

/** The largest or smallest along axes: those that are equal share the gradient, as of `torch.amax`. */
const folded = (ofTfjs: Gradient): Gradient => ({
  ...ofTfjs,
  gradFunc: (dy, saved, attributes) => {
    const [x, y] = saved as [tf.Tensor, tf.Tensor]
    const { reductionIndices, axis = reductionIndices } = attributes as Record<string, number | number[]>
    const axes = tf.util.parseAxisParam(axis as number | number[], x.shape)
    const kept = tf.backend_util.expandShapeToKeepDim(
      x.shape.filter((_, i) => !axes.includes(i)),
      axes,
    )
    return {
      x: () => {
        // times 1, for tfjs on webgpu cannot transpose what is only called float32
        const taken = tf.mul(tf.cast(tf.equal(x, tf.reshape(y, kept)), 'float32'), 1)
        return tf.mul(taken, tf.div(tf.reshape(dy as tf.Tensor, kept), tf.sum(taken, axes, true)))
      },
    }
  },
})

type Comparison = (a: tf.Tensor, b: tf.Tensor) => tf.Tensor

/** The larger or smaller of two: where they are equal, each has half of the gradient. */
const chosen = (kernelName: string, ahead: Comparison, atLeast: Comparison): Gradient => ({
  kernelName,
  inputsToSave: ['a', 'b'],
  gradFunc: (dy, saved) => {
    const [a, b] = saved as [tf.Tensor, tf.Tensor]
    const share = (first: tf.Tensor, second: tf.Tensor) => {
      const both = tf.add(tf.cast(ahead(first, second), 'float32'), tf.cast(atLeast(first, second), 'float32'))
      return summedTo(tf.mul(dy as tf.Tensor, tf.mul(0.5, both)), first.shape)
    }
    return { a: () => share(a, b), b: () => share(b, a) }
  },
})

/** None at 0: tfjs has -1 there. */
const abs: Gradient = {
  kernelName: 'Abs',
  inputsToSave: ['x'],
  gradFunc: (dy, saved) => {
    const [x] = saved as [tf.Tensor]
    return { x: () => tf.mul(dy as tf.Tensor, tf.sign(tf.cast(x, 'float32'))) }
  },
}

/** Operations whose derivative jumps where values are equal. */
export const extremes = (): Gradient[] => [
  ...[folded(stock('Max')), folded(stock('Min')), abs],
  ...[chosen('Maximum', tf.greater, tf.greaterEqual), chosen('Minimum', tf.less, tf.lessEqual)],
]
