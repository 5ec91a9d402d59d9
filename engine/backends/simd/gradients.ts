import * as tf from '@tensorflow/tfjs-core'

/**
 * On `simd`, the gradients of Sum and Mean by repeating dy: to the bit those of tfjs, which multiply it by ones of the
 * shape of x, an array that JavaScript fills anew each time. Other backends, and graphs that are recorded, keep those.
 */
export function registerGradients(): void {
  for (const kernelName of ['Sum', 'Mean']) {
    const stock = tf.getGradient(kernelName) as tf.GradConfig | undefined
    if (stock) tf.registerGradient({ ...stock, gradFunc: repeated(stock) })
  }
}

function repeated({ kernelName, gradFunc }: tf.GradConfig): tf.GradFunc {
  return (given, saved, attrs) => {
    const [x, dy] = [saved[0] as tf.Tensor, given as tf.Tensor]
    if (tf.getBackend() !== 'simd' || x.size === 0) return gradFunc(given, saved, attrs)
    const axes = tf.util.parseAxisParam(attrs.axis as number | number[], x.shape)
    const shape = x.shape.map((size, axis) => (axes.includes(axis) ? 1 : size))
    const each = kernelName === 'Mean' ? tf.div(dy, x.size / dy.size) : dy
    return { x: () => tf.broadcastTo(tf.reshape(each, shape), x.shape as [number]) }
  }
}
