import * as tf from '@tensorflow/tfjs-core'

/**
 * An operation with a gradient of its own: `forward` gives its value and what to keep, `backward` the gradient of each
 * input from that of the value. Where tfjs would chain many small operations, a closed form has fewer passes.
 */
export function differentiable<Inputs extends tf.Tensor[], Saved extends tf.Tensor[]>(
  forward: (...inputs: Inputs) => { value: tf.Tensor; saved: [...Saved] },
  backward: (dy: tf.Tensor, saved: Saved) => tf.Tensor | tf.Tensor[],
): (...inputs: Inputs) => tf.Tensor {
  return tf.customGrad((...given) => {
    const save = given.at(-1) as tf.GradSaveFunc
    const { value, saved } = forward(...(given.slice(0, -1) as Inputs))
    save(saved)
    return { value, gradFunc: (dy: tf.Tensor, kept: tf.Tensor[]) => backward(dy, kept as Saved) }
  })
}
