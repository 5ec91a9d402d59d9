import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import { noteSurrogate } from '../gradients/custom.ts'

/**
 * An operation whose gradient is meant to differ from its derivative (surrogate gradient): `forward` gives its value, and
 * `backward` from the gradient of that value and the inputs those of the inputs, one or a list. A straight-through estimator
 * is `surrogate((x) => tf.round(x), (dy) => dy)`, gradient reversal `surrogate((x) => x, (dy) => tf.neg(dy))`.
 * What it does is in the run key, verdicts say that there is one, and its gradient is not checked against differences.
 * Throws a MixlabError where the gradients have not the shapes of the inputs.
 */
export function surrogate(
  forward: (...inputs: tf.Tensor[]) => tf.Tensor,
  backward: (dy: tf.Tensor, ...inputs: tf.Tensor[]) => tf.Tensor | tf.Tensor[],
): (...inputs: tf.Tensor[]) => tf.Tensor {
  return (...inputs) => {
    noteSurrogate()
    if (inputs.length === 0 || inputs.some((input) => !(input instanceof tf.Tensor))) {
      throw new MixlabError('option', 'surrogate', 'its operation takes tensors, one or more')
    }
    const operation = tf.customGrad((...given) => {
      const own = given.slice(0, -1) as tf.Tensor[]
      const save = given.at(-1) as tf.GradSaveFunc
      const value = forward(...own)
      if (!(value instanceof tf.Tensor)) throw new MixlabError('option', 'surrogate', 'its forward gave no tensor')
      save(own)
      return {
        value,
        gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
          const gradients = [backward(dy, ...saved)].flat()
          checkShapes(gradients, saved)
          return gradients
        },
      }
    })
    return operation(...inputs)
  }
}

function checkShapes(gradients: unknown[], inputs: tf.Tensor[]): void {
  const shape = (value: unknown) => (value instanceof tf.Tensor ? `[${value.shape}]` : 'no tensor')
  const [given, wanted] = [gradients, inputs].map((all) => all.map(shape).join(', '))
  if (given !== wanted) {
    throw new MixlabError('option', 'surrogate', `its backward gave ${given || 'nothing'} for inputs ${wanted}`)
  }
}
