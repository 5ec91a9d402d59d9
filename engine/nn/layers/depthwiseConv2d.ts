import type * as tf from '@tensorflow/tfjs-core'
import { type Initialiser, kaimingNormal } from '../initialisers.ts'
import { convLayout } from '../layout.ts'
import { convolve, type Pads, pairOf, samePads, seenBy } from '../operations/convolve.ts'
import { parameter, scope, type TokenGrid } from '../scope.ts'
import { withBias } from './conv2d.ts'
import { overGrid } from './tokenGrid.ts'

export interface DepthwiseConv2dOptions {
  name?: string
  /** Of rows and of columns, where they differ; 3 by default. */
  kernel?: number | [number, number]
  stride?: number | [number, number]
  dilation?: number | [number, number]
  weight?: Initialiser
  bias?: Initialiser | false
  /** How tokens lie, where they are not the patches of the image. */
  grid?: TokenGrid
}

/**
 * Convolution of each channel by itself, with zero padding: `[batch, h, w, dim]` to `[batch, h / stride, w / stride, dim]`,
 * or the same of tokens in their grid, `[batch, tokens, dim]`. Throws MixlabError `option` for tokens without a grid, and for
 * a stride with a dilation.
 */
export function depthwiseConv2d(x: tf.Tensor, options: DepthwiseConv2dOptions = {}): tf.Tensor {
  const { name, kernel = 3, stride = 1, dilation = 1, weight = kaimingNormal, bias = false, grid } = options
  return scope('depthwise', name, () => {
    const dim = x.shape.at(-1) ?? 1
    const [high, wide] = pairOf(kernel)
    const filter = parameter('weight', [high, wide, 1, dim], weight, {
      layout: convLayout(high, wide, 1, dim),
      fans: { in: high * wide, out: high * wide },
    })
    const steps = pairOf(dilation)
    const pads: Pads = [samePads(seenBy(high, steps[0])), samePads(seenBy(wide, steps[1]))]
    const windows = { stride, dilation: steps, pads }
    const over = (image: tf.Tensor) => withBias(convolve('depthwiseConv2d', image, filter, windows), bias)
    return overGrid('depthwiseConv2d', x, over, grid)
  })
}
