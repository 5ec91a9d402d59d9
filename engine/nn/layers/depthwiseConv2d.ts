import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { type Initialiser, kaimingNormal } from '../initialisers.ts'
import { convLayout } from '../layout.ts'
import { convolve, type Pads, pairOf, samePads, seenBy } from '../operations/convolve.ts'
import { parameter, scope, type TokenGrid } from '../scope.ts'
import { checkSets, withBias } from './conv2d.ts'
import { overGrid } from './tokenGrid.ts'

export interface DepthwiseConv2dOptions {
  name?: string
  /** Of rows and of columns, where they differ; 3 by default. */
  kernel?: number | [number, number]
  stride?: number | [number, number]
  dilation?: number | [number, number]
  weight?: Initialiser
  bias?: Initialiser | false
  /**
   * Share sets, as in RepMLP: channel c has kernel c mod `sets`, with odd sides, so that it can be merged into the matrix of
   * its set. Each channel has its own by default.
   */
  sets?: number
  /** How tokens lie, where they are not the patches of the image. */
  grid?: TokenGrid
}

/**
 * Convolution of each channel by itself, with zero padding: `[batch, h, w, dim]` to `[batch, h / stride, w / stride, dim]`,
 * or the same of tokens in their grid, `[batch, tokens, dim]`. Throws MixlabError `option` for tokens without a grid, for a
 * stride with a dilation, for sets that do not divide the channels, and for an even kernel of sets.
 */
export function depthwiseConv2d(x: tf.Tensor, options: DepthwiseConv2dOptions = {}): tf.Tensor {
  const { name, kernel = 3, stride = 1, dilation = 1, weight = kaimingNormal, bias = false, grid } = options
  return scope('depthwise', name, () => {
    const dim = x.shape.at(-1) ?? 1
    const [high, wide] = pairOf(kernel)
    const { sets = dim } = options
    checkSets('depthwiseConv2d', x, sets)
    if (options.sets !== undefined && (high % 2 === 0 || wide % 2 === 0)) {
      const what = `a kernel of ${high} x ${wide} for share sets, expected odd sides`
      throw new MixlabError('option', 'depthwiseConv2d', what)
    }
    const own = parameter('weight', [high, wide, 1, sets], weight, {
      layout: convLayout(high, wide, 1, sets),
      fans: { in: high * wide, out: high * wide },
    })
    const filter = sets === dim ? own : repeated(own, dim / sets)
    const steps = pairOf(dilation)
    const pads: Pads = [samePads(seenBy(high, steps[0])), samePads(seenBy(wide, steps[1]))]
    const windows = { stride, dilation: steps, pads }
    const over = (image: tf.Tensor) => withBias(convolve('depthwiseConv2d', image, filter, windows), bias)
    return overGrid('depthwiseConv2d', x, over, grid)
  })
}

/** The kernels of all sets, so many times: `[h, w, 1, sets]` to `[h, w, 1, sets * times]`. A product, whose gradient is one sum. */
function repeated(filter: tf.Tensor, times: number): tf.Tensor {
  const [high, wide, , sets] = filter.shape as [number, number, number, number]
  const all = tf.mul(tf.reshape(filter, [high * wide, 1, sets]), tf.ones([times, 1]))
  return tf.reshape(all, [high, wide, 1, times * sets])
}
