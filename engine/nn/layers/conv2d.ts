import * as tf from '@tensorflow/tfjs-core'
import { type Initialiser, kaimingNormal } from '../initialisers.ts'
import { convLayout } from '../layout.ts'
import { parameter, scope } from '../scope.ts'

export interface Conv2dOptions {
  name?: string
  kernel?: number
  /** Of rows and of columns, where they differ. */
  stride?: number | [number, number]
  weight?: Initialiser
  bias?: Initialiser | false
}

/** Convolution with zero padding of kernel / 2: `[batch, h, w, in]` to `[batch, h / stride, w / stride, units]`. */
export function conv2d(x: tf.Tensor, units: number, options: Conv2dOptions = {}): tf.Tensor {
  const { name, kernel = 3, stride = 1, weight = kaimingNormal, bias = false } = options
  return scope('conv', name, () => {
    const inputs = x.shape.at(-1) ?? 1
    const area = kernel * kernel
    const filter = parameter('weight', [kernel, kernel, inputs, units], weight, {
      layout: convLayout(kernel, kernel, inputs, units),
      fans: { in: area * inputs, out: area * units },
    })
    const y = tf.conv2d(x as tf.Tensor4D, filter as tf.Tensor as tf.Tensor4D, stride, Math.floor(kernel / 2))
    return bias ? tf.add(y, parameter('bias', [units], bias)) : y
  })
}
