import * as tf from '@tensorflow/tfjs-core'
import { type Gradient, nowhere, stock, withBroadcasting } from '../gradient.ts'

/** Like that of tfjs, but none passes where numbers are rounded to whole ones or truth values. */
const cast: Gradient = {
  kernelName: 'Cast',
  inputsToSave: ['x'],
  gradFunc: (dy, saved, attributes) => {
    const [x] = saved as [tf.Tensor]
    const rounds = x.dtype === 'float32' && (attributes as { dtype: tf.DataType }).dtype !== 'float32'
    return { x: () => (rounds ? tf.zeros(x.shape) : (dy as tf.Tensor).clone()) }
  },
}

/** Of tiles of any rank: that of tfjs ends at four axes. */
const tile = (ofTfjs: Gradient): Gradient => ({
  ...ofTfjs,
  gradFunc: (dy, saved, attributes) => {
    const [x] = saved as [tf.Tensor]
    if (x.rank < 5) return ofTfjs.gradFunc(dy, saved, attributes)
    const { reps } = attributes as { reps: number[] }
    // one axis after the other: [outer, times, inner]
    const fold = (gradient: tf.Tensor, axis: number) => {
      const before = gradient.shape.slice(0, axis)
      const rest = gradient.shape.slice(axis + 1)
      const split = [
        tf.util.sizeFromShape(before),
        reps[axis] as number,
        (x.shape[axis] as number) * tf.util.sizeFromShape(rest),
      ]
      return tf.reshape(tf.sum(tf.reshape(gradient, split), 1), [...before, x.shape[axis] as number, ...rest])
    }
    return { x: () => x.shape.reduce((gradient, _, axis) => fold(gradient, axis), dy as tf.Tensor) }
  },
})

/** Operations that work value by value, and those that repeat values. */
export const elementwise = (): Gradient[] => [
  withBroadcasting('SquaredDifference'),
  ...['Equal', 'Greater', 'Less', 'LessEqual', 'NotEqual', 'LogicalAnd', 'LogicalOr', 'FloorDiv'].map((kernel) =>
    nowhere(kernel, 'a', 'b'),
  ),
  ...['LogicalNot', 'All', 'Any'].map((kernel) => nowhere(kernel, 'x')),
  cast,
  tile(stock('Tile')),
]
