import * as tf from '@tensorflow/tfjs-core'

/** The gradient of a kernel: from those of its results to those of its inputs. */
export type Gradient = tf.GradConfig

/** The gradient that tfjs brings for a kernel. */
export function stock(kernelName: string): Gradient {
  return tf.getGradient(kernelName)
}

/** Sums a gradient over the axes along which an input of this shape was broadcast. */
export function summedTo(gradient: tf.Tensor, shape: number[]): tf.Tensor {
  if (tf.util.arraysEqual(gradient.shape, shape)) return gradient
  const axes = tf.broadcast_util.getReductionAxes(shape, gradient.shape)
  return tf.reshape(tf.sum(gradient, axes), shape)
}

/** Kernels of two inputs whose stock gradient is right where neither is broadcast, and has the shape of the result. */
export function withBroadcasting(kernelName: string): Gradient {
  const { gradFunc, ...saved } = stock(kernelName)
  return {
    ...saved,
    gradFunc: (dy, inputs, attributes) => {
      const [a, b] = inputs as [tf.Tensor, tf.Tensor]
      const whole = gradFunc(dy, inputs, attributes) as { a(): tf.Tensor; b(): tf.Tensor }
      return { a: () => summedTo(whole.a(), a.shape), b: () => summedTo(whole.b(), b.shape) }
    },
  }
}

/** The gradient of what is constant between jumps. */
export function nowhere(kernelName: string, ...inputs: string[]): Gradient {
  return {
    kernelName,
    inputsToSave: inputs,
    gradFunc: (_, saved) =>
      Object.fromEntries(inputs.map((name, i) => [name, () => tf.zeros((saved[i] as tf.Tensor).shape)])),
  }
}
