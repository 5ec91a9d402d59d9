import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { type Initialiser, kaimingNormal } from '../initialisers.ts'
import { convLayout } from '../layout.ts'
import { convolve, type Pads, pairOf } from '../operations/convolve.ts'
import { parameter, scope, type TokenGrid } from '../scope.ts'
import { overGrid } from './tokenGrid.ts'

export interface Conv2dOptions {
  name?: string
  kernel?: number
  /** Of rows and of columns, where they differ. */
  stride?: number | [number, number]
  /** From value to value that the kernel sees; of rows and of columns, where they differ. */
  dilation?: number | [number, number]
  /** Parts of the channels: each part of the output channels sees its own part of the input channels. */
  groups?: number
  /** Zeros on each side; dilation x (kernel / 2) by default. */
  padding?: number
  weight?: Initialiser
  bias?: Initialiser | false
  /** How tokens lie, where they are not the patches of the image. */
  grid?: TokenGrid
}

/**
 * Convolution with zero padding: `[batch, h, w, in]` to `[batch, h / stride, w / stride, units]` by default, or the same of tokens in their grid, `[batch, tokens, in]` to `[batch, tokens / stride^2, units]`. Throws MixlabError
 * `option` for channels that do not divide into the groups, for tokens without a grid, and for a stride with a dilation.
 */
export function conv2d(x: tf.Tensor, units: number, options: Conv2dOptions = {}): tf.Tensor {
  const { name, kernel = 3, stride = 1, dilation = 1, groups = 1, weight = kaimingNormal, bias = false, grid } = options
  const { padding } = options
  return scope('conv', name, () => {
    const inputs = channelsOf('conv2d', x, units, groups)
    const area = kernel * kernel
    const filter = parameter('weight', [kernel, kernel, inputs, units], weight, {
      layout: convLayout(kernel, kernel, inputs, units),
      fans: { in: area * inputs, out: (area * units) / groups },
    })
    const pads = pairOf(dilation).map((step) => pairOf(padding ?? step * Math.floor(kernel / 2))) as Pads
    const windows = { stride, dilation: pairOf(dilation), pads }
    const over = (image: tf.Tensor) => withBias(convolve('conv2d', image, filter, windows), bias)
    return overGrid('conv2d', x, over, grid)
  })
}

/** With a bias for each channel, where there is one. */
export const withBias = (y: tf.Tensor, bias: Initialiser | false): tf.Tensor =>
  bias ? tf.add(y, parameter('bias', [y.shape.at(-1) as number], bias)) : y

/** The input channels that each output channel sees. */
export function channelsOf(operation: string, x: tf.Tensor, units: number, groups: number): number {
  const channels = x.shape.at(-1) ?? 1
  if (channels % groups || units % groups) {
    const what = `${channels} channels to ${units} do not divide into ${groups} groups`
    throw new MixlabError('option', operation, what)
  }
  return channels / groups
}

/** Throws MixlabError `option` for share sets that do not divide the channels. */
export function checkSets(operation: string, x: tf.Tensor, sets: number): void {
  const channels = x.shape.at(-1) ?? 1
  if (channels % sets === 0) return
  throw new MixlabError('option', operation, `${channels} channels do not divide into ${sets} share sets`)
}
