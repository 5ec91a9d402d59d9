import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { differentiable } from '../differentiable.ts'

export type Pair = [rows: number, columns: number]
/** Of rows and of columns: zeros in front and behind. */
export type Pads = [rows: Pair, columns: Pair]

export const pairOf = (size: number | readonly number[]): Pair =>
  typeof size === 'number' ? [size, size] : [size[0] as number, size[1] as number]

/** Padding by which windows that see `seen` values begin at every `stride`-th value: n to ceil(n / stride). */
export const samePads = (seen: number): Pair => [Math.floor((seen - 1) / 2), Math.ceil((seen - 1) / 2)]

/** Values from the first to the last that a window sees. */
export const seenBy = (kernel: number, dilation: number): number => dilation * (kernel - 1) + 1

/** How a convolution goes over an image. */
export interface Windows {
  stride: number | Pair
  dilation: Pair
  pads: Pads
}

export type PadOfTfjs = number | tf.backend_util.ExplicitPadding

/** Padding as tfjs has it: one number, which it takes for windows with two sides alike alone, or that of each side. */
export function padOfTfjs([rows, columns]: Pads, kernel: number[], stride: number | Pair): PadOfTfjs {
  const [first] = rows
  const same = [...rows, ...columns].every((pad) => pad === first)
  const alike = [kernel, pairOf(stride)].every(([down, across]) => down === across)
  return same && alike ? first : [[0, 0], rows, columns, [0, 0]]
}

/**
 * Convolution of `[batch, h, w, in]` by a filter `[kh, kw, in / groups, units]`: output channels in `groups` parts, of which
 * each sees its own part of the input channels. Throws MixlabError `option` for a stride with a dilation.
 */
export function convolve(operation: string, x: tf.Tensor, filter: tf.Tensor, windows: Windows): tf.Tensor {
  const { stride, dilation } = windows
  const [high, wide, each, units] = filter.shape as [number, number, number, number]
  const groups = (x.shape.at(-1) as number) / each
  if (Math.max(...pairOf(stride)) > 1 && Math.max(...dilation) > 1) {
    const what = `stride [${pairOf(stride)}] with dilation [${dilation}], expected one of them to be 1`
    throw new MixlabError('option', operation, what)
  }
  if (groups === 1) return convolution(allChannels, x, filter, windows)
  if (each > 1) {
    const filters = tf.split(filter, groups, 3)
    const parts = tf.split(x, groups, 3).map((part, i) => {
      return convolution(allChannels, part, filters[i] as tf.Tensor, windows)
    })
    return tf.concat(parts, 3)
  }
  const several = units / groups
  const own = tf.reshape(filter, [high, wide, groups, several])
  if (several === 1) return convolution(eachChannel, x, own, windows)
  const parts = tf.split(own, several, 3).map((part) => convolution(eachChannel, x, part, windows))
  const [batch, rows, columns] = (parts[0] as tf.Tensor).shape as [number, number, number]
  return tf.reshape(tf.stack(parts, 4), [batch, rows, columns, units])
}

/** A kind of convolution, and the kernels of tfjs that are its gradients. */
interface Kind {
  run: typeof tf.conv2d
  byInput: string
  byFilter: string
}

const allChannels: Kind = {
  run: tf.conv2d,
  byInput: 'Conv2DBackpropInput',
  byFilter: 'Conv2DBackpropFilter',
}
/** By a filter `[kh, kw, channels, 1]`. */
const eachChannel: Kind = {
  run: tf.depthwiseConv2d,
  byInput: 'DepthwiseConv2dNativeBackpropInput',
  byFilter: 'DepthwiseConv2dNativeBackpropFilter',
}

/** What the kernels of gradients are told beside a shape. */
interface GradientOf {
  strides: number | Pair
  pad: 'valid' | PadOfTfjs
}

/** The gradient of a convolution of each channel by its input, `[batch, h, w, channels]`. */
export function gradientByInput(dy: tf.Tensor, filter: tf.Tensor, inputShape: number[], how: GradientOf): tf.Tensor {
  return gradient(eachChannel.byInput, { dy, filter }, { ...how, inputShape })
}

function gradient(kernel: string, inputs: Record<string, tf.Tensor>, told: object): tf.Tensor {
  const attributes = { dilations: [1, 1], dataFormat: 'NHWC', ...told } as unknown as tf.NamedAttrMap
  return tf.engine().runKernel(kernel, inputs, attributes)
}

function convolution({ run, ...kernels }: Kind, x: tf.Tensor, filter: tf.Tensor, windows: Windows): tf.Tensor {
  const { stride, dilation, pads } = windows
  const pad = padOfTfjs(pads, filter.shape, stride)
  type Four = tf.Tensor4D
  if (Math.max(...dilation) === 1) return run(x as Four, filter as Four, stride, pad)
  // tfjs has no gradient of dilated ones
  return differentiable(
    (x: tf.Tensor, filter: tf.Tensor) => ({
      value: run(x as Four, filter as Four, 1, pad, 'NHWC', dilation),
      saved: [x, filter],
    }),
    (dy, [x, filter]) => {
      const how = { strides: 1, pad: 'valid' }
      const [images, slopes] = [inPhases(x, dilation, pads), inPhases(dy, dilation)]
      const dx = gradient(kernels.byInput, { dy: slopes, filter }, { ...how, inputShape: images.shape })
      const dFilter = gradient(kernels.byFilter, { x: images, dy: slopes }, { ...how, filterShape: filter.shape })
      return [outOfPhases(dx, dilation, pads, x.shape), dFilter]
    },
  )(x, filter)
}

/**
 * Images of every d-th row and column side by side in the batch, over which a dilated convolution goes as one without dilation:
 * `[batch, h, w, channels]`, padded, to `[batch * d * d, h / d, w / d, channels]`.
 */
function inPhases(x: tf.Tensor, [down, across]: Pair, [above, beside]: Pads = NO_PADS): tf.Tensor {
  const [batch, height, width, channels] = x.shape as [number, number, number, number]
  const rows = Math.ceil((height + above[0] + above[1]) / down)
  const columns = Math.ceil((width + beside[0] + beside[1]) / across)
  const whole = tf.pad(x, [
    [0, 0],
    [above[0], rows * down - height - above[0]],
    [beside[0], columns * across - width - beside[0]],
    [0, 0],
  ])
  const apart = tf.transpose(tf.reshape(whole, [batch, rows, down, columns, across, channels]), [0, 2, 4, 1, 3, 5])
  return tf.reshape(apart, [batch * down * across, rows, columns, channels])
}

const NO_PADS: Pads = [
  [0, 0],
  [0, 0],
]

/** Back again, without the padding. */
function outOfPhases(x: tf.Tensor, [down, across]: Pair, pads: Pads, shape: number[]): tf.Tensor {
  const [batch] = shape as [number]
  const [, rows, columns, channels] = x.shape as [number, number, number, number]
  const back = tf.transpose(tf.reshape(x, [batch, down, across, rows, columns, channels]), [0, 3, 1, 4, 2, 5])
  const whole = tf.reshape(back, [batch, rows * down, columns * across, channels])
  return tf.slice(whole, [0, pads[0][0], pads[1][0], 0], shape)
}
