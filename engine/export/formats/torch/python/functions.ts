import * as tf from '@tensorflow/tfjs-core'
import { unzlibSync } from 'fflate'
import { maximum, minimum } from '../../../../nn/operations/extremes.ts'
import { where } from '../../../../nn/operations/where.ts'
import { type Arguments, argument, numbers, Slot, type Thing, tensor } from './things.ts'

/** How a module runs. */
export interface Running {
  training: boolean
  /** The next mask: factors for a value of this shape. */
  mask(shape: number[], rate: number): tf.Tensor
}

const axisOf = (axis: number, rank: number) => (axis < 0 ? axis + rank : axis)
const unary = (run: (x: tf.Tensor) => tf.Tensor) => (given: Arguments) => run(tensor(given.by[0]))
const reduction = (run: (x: tf.Tensor, axes?: number[], keepDims?: boolean) => tf.Tensor) => (given: Arguments) => {
  const axes = argument(given, 1, 'dim')
  return run(tensor(given.by[0]), axes === null ? undefined : numbers(axes), argument(given, 2, 'keepdim') === true)
}
/** `x.reshape(1, 2)` and `x.reshape([1, 2])`. */
const sizes = ({ by: [, ...rest] }: Arguments) => (Array.isArray(rest[0]) ? numbers(rest[0]) : rest.map(Number))

/** Products of matrices over whatever axes stand before them; both are brought to the same first. */
export function matmul(a: tf.Tensor, b: tf.Tensor): tf.Tensor {
  const front = tf.backend_util.assertAndGetBroadcastShape(a.shape.slice(0, -2), b.shape.slice(0, -2))
  const [left, right] = [a, b].map((x) => {
    const shape = [...front, ...x.shape.slice(-2)]
    return x.shape.join() === shape.join() ? x : tf.broadcastTo(x, shape)
  })
  return tf.matMul(left as tf.Tensor, right as tf.Tensor)
}

function transposed(x: tf.Tensor, first: number, second: number): tf.Tensor {
  const perm = Array.from(x.shape.keys())
  const [a, b] = [axisOf(first, x.rank), axisOf(second, x.rank)]
  return tf.transpose(x, perm.with(a, b).with(b, a))
}

function moved(x: tf.Tensor, from: number, to: number): tf.Tensor {
  const source = axisOf(from, x.rank)
  const perm = Array.from(x.shape.keys()).filter((axis) => axis !== source)
  return tf.transpose(x, perm.toSpliced(axisOf(to, x.rank), 0, source))
}

/** torch.nn.functional.pad: pairs from the last axis on. */
function pad(x: tf.Tensor, pairs: number[], value: number): tf.Tensor {
  const paddings = Array.from({ length: x.rank }, (_, axis): [number, number] => {
    const at = 2 * (x.rank - 1 - axis)
    return [pairs[at] ?? 0, pairs[at + 1] ?? 0]
  })
  return tf.pad(x, paddings, value)
}

/** Over all axes but the second; while training the running statistics are given their next values. */
function batchNorm(given: Arguments, { training }: Running): tf.Tensor {
  const [x, momentum, eps] = [tensor(given.by[0]), Number(given.by[6]), Number(given.by[7])]
  const [mean, variance, weight, bias] = given.by.slice(1, 5)
  const along = (row: tf.Tensor) => tf.reshape(row, [1, -1, ...Array<number>(x.rank - 2).fill(1)])
  const axes = Array.from(x.shape.keys()).filter((axis) => axis !== 1)
  const isTraining = given.by[5] === true && training
  const own = isTraining ? tf.moments(x, axes) : { mean: tensor(mean), variance: tensor(variance) }
  if (isTraining && mean instanceof Slot && variance instanceof Slot) {
    const count = x.size / (x.shape[1] as number)
    const next = (slot: Slot, batch: tf.Tensor) =>
      tf.keep(tf.tidy(() => tf.add(tf.mul(tensor(slot), 1 - momentum), tf.mul(batch, momentum))))
    mean.given = next(mean, own.mean)
    variance.given = next(variance, tf.mul(own.variance, count / Math.max(1, count - 1)))
  }
  const centred = tf.div(tf.sub(x, along(own.mean)), along(tf.sqrt(tf.add(own.variance, eps))))
  return tf.add(tf.mul(centred, along(tensor(weight))), along(tensor(bias)))
}

/** torch.nn.functional.conv2d of images with channels first. */
export function conv2d(
  x: tf.Tensor,
  weight: tf.Tensor,
  bias: tf.Tensor | null,
  { stride, padding, dilation, groups }: { stride: number[]; padding: number[]; dilation: number[]; groups: number },
): tf.Tensor {
  const image = channelsLast(x, padding, 0)
  const filter = tf.transpose(weight, [2, 3, 1, 0])
  const one = (image: tf.Tensor, filter: tf.Tensor) => convolved(image, filter, stride as Pair, dilation as Pair)
  const [images, filters] = [image, filter].map((each) => (groups === 1 ? [each] : tf.split(each, groups, 3)))
  const parts = (images as tf.Tensor[]).map((part, i) => one(part, filters?.[i] as tf.Tensor))
  const y = groups === 1 ? (parts[0] as tf.Tensor) : tf.concat(parts, 3)
  return tf.transpose(bias ? tf.add(y, bias) : y, [0, 3, 1, 2])
}

type Pair = [number, number]

/** Tap by tap where it is dilated: tfjs has no gradient of that. */
function convolved(x: tf.Tensor, filter: tf.Tensor, stride: Pair, dilation: Pair): tf.Tensor {
  const run = (x: tf.Tensor, filter: tf.Tensor): tf.Tensor =>
    tf.conv2d(x as tf.Tensor4D, filter as tf.Tensor4D, stride, 'valid')
  if (dilation.every((step) => step === 1)) return run(x, filter)
  const [batch, height, width, channels] = x.shape as [number, number, number, number]
  const [high, wide, inputs, units] = filter.shape as [number, number, number, number]
  const [rows, columns] = [height - dilation[0] * (high - 1), width - dilation[1] * (wide - 1)]
  const taps = Array.from({ length: high * wide }, (_, at) => {
    const [row, column] = [Math.floor(at / wide), at % wide]
    const seen = tf.slice(x, [0, row * dilation[0], column * dilation[1], 0], [batch, rows, columns, channels])
    return run(seen, tf.slice(filter, [row, column, 0, 0], [1, 1, inputs, units]))
  })
  return tf.addN(taps)
}

/** An image with channels first as one with channels last, padded by as much on either side. */
function channelsLast(x: tf.Tensor, [down = 0, across = 0]: number[], value: number): tf.Tensor4D {
  const sides: [number, number][] = [
    [0, 0],
    [down, down],
    [across, across],
    [0, 0],
  ]
  return tf.pad(tf.transpose(x, [0, 2, 3, 1]), sides, value) as tf.Tensor4D
}

/** torch.nn.functional.avg_pool2d with `count_include_pad=False` where it is padded, and max_pool2d. */
function pooled(given: Arguments, kind: 'avg' | 'max'): tf.Tensor {
  const x = tensor(given.by[0])
  const [size, stride] = [numbers(given.by[1], 2), numbers(given.by[2], 2)] as [[number, number], [number, number]]
  const padding = numbers(argument(given, 3, 'padding', 0), 2)
  if (kind === 'avg' && padding.some(Boolean) && given.named.count_include_pad !== false) {
    throw new Error('avg_pool2d counts its padding')
  }
  const over = (image: tf.Tensor): tf.Tensor => {
    if (kind === 'avg') return tf.avgPool(channelsLast(image, padding, 0), size, stride, 'valid')
    return tf.maxPool(channelsLast(image, padding, Number.NEGATIVE_INFINITY), size, stride, 'valid')
  }
  const y = kind === 'avg' ? tf.div(over(x), over(tf.onesLike(x))) : over(x)
  return tf.transpose(y, [0, 3, 1, 2])
}

/** x W^T + b over the last axis. */
export function linear(x: tf.Tensor, weight: tf.Tensor, bias: tf.Tensor | null): tf.Tensor {
  const rows = tf.reshape(x, [-1, x.shape.at(-1) as number])
  const y = tf.reshape(tf.matMul(rows, weight, false, true), [...x.shape.slice(0, -1), weight.shape[0] as number])
  return bias ? tf.add(y, bias) : y
}

/** (x - mean) / sqrt(variance + eps) over the last axis, times weight, plus bias. */
export function layerNorm(x: tf.Tensor, weight: tf.Tensor, bias: tf.Tensor, eps: number): tf.Tensor {
  const { mean, variance } = tf.moments(x, -1, true)
  const rows = tf.div(tf.sub(x, mean), tf.sqrt(tf.add(variance, eps)))
  return tf.add(tf.mul(rows, weight), bias)
}

/** The rows of a table. */
export const embedding = (table: tf.Tensor, places: tf.Tensor): tf.Tensor => tf.gather(table, tf.cast(places, 'int32'))

const made = (shape: Thing | undefined, value: number) => tf.fill(numbers(shape), value)

/** Functions and methods, by the last part of their names; a method has its object as its first argument. */
export const FUNCTIONS: Record<string, (given: Arguments, running: Running) => Thing> = {
  ...{ abs: unary(tf.abs), ceil: unary(tf.ceil), cos: unary(tf.cos), elu: unary(tf.elu), erf: unary(tf.erf) },
  ...{ exp: unary(tf.exp), floor: unary(tf.floor), log: unary(tf.log), reciprocal: unary(tf.reciprocal) },
  ...{ relu: unary(tf.relu), rsqrt: unary(tf.rsqrt), sigmoid: unary(tf.sigmoid), sign: unary(tf.sign) },
  ...{ sin: unary(tf.sin), softplus: unary(tf.softplus), sqrt: unary(tf.sqrt), square: unary(tf.square) },
  ...{
    tanh: unary(tf.tanh),
    detach: unary((x) => tf.tensor(x.dataSync(), x.shape, x.dtype)),
    flatten: unary((x) => tf.reshape(x, [-1])),
  },
  ...{ float: unary((x) => tf.cast(x, 'float32')), double: unary((x) => tf.cast(x, 'float32')) },
  ...{ int: unary((x) => tf.cast(x, 'int32')), bool: unary((x) => tf.cast(x, 'bool')) },
  ...{ amax: reduction(tf.max), mean: reduction(tf.mean), amin: reduction(tf.min), sum: reduction(tf.sum) },
  gelu: unary((x) => tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.div(x, Math.SQRT2)), 1))),
  maximum: ({ by: [a, b] }) => maximum(tensor(a), tensor(b)),
  minimum: ({ by: [a, b] }) => minimum(tensor(a), tensor(b)),
  where: ({ by: [condition, a, b] }) => where(tensor(condition), tensor(a), tensor(b)),
  logical_and: ({ by: [a, b] }) => tf.logicalAnd(tensor(a), tensor(b)),
  logical_or: ({ by: [a, b] }) => tf.logicalOr(tensor(a), tensor(b)),
  logical_not: unary(tf.logicalNot),
  softmax: ({ by: [x] }) => tf.softmax(tensor(x)),
  linear: ({ by: [x, weight, bias] }) => linear(tensor(x), tensor(weight), bias === undefined ? null : tensor(bias)),
  layer_norm: ({ by: [x, , weight, bias, eps] }) => layerNorm(tensor(x), tensor(weight), tensor(bias), Number(eps)),
  embedding: ({ by: [places, table] }) => embedding(tensor(table), tensor(places)),
  batch_norm: batchNorm,
  conv2d: ({ by: [x, weight, bias = null], named }) =>
    conv2d(tensor(x), tensor(weight), bias === null ? null : tensor(bias), {
      stride: numbers(named.stride ?? 1, 2),
      padding: [0, 0],
      dilation: numbers(named.dilation ?? 1, 2),
      groups: Number(named.groups ?? 1),
    }),
  avg_pool2d: (given) => pooled(given, 'avg'),
  max_pool2d: (given) => pooled(given, 'max'),
  pad: ({ by: [x, pairs], named }) => pad(tensor(x), numbers(pairs), Number(named.value ?? 0)),
  dropout: ({ by: [x, rate, training] }, running) => {
    if (training !== true || !running.training) return tensor(x)
    return tf.mul(tensor(x), running.mask(tensor(x).shape, Number(rate)))
  },
  cat: ({ by: [parts, axis] }) => tf.concat((parts as Thing[]).map(tensor), Number(axis)),
  reshape: (given) => tf.reshape(tensor(given.by[0]), sizes(given)),
  permute: (given) => tf.transpose(tensor(given.by[0]), sizes(given)),
  transpose: ({ by: [x, a, b] }) => transposed(tensor(x), Number(a), Number(b)),
  movedim: ({ by: [x, from, to] }) => moved(tensor(x), Number(from), Number(to)),
  expand: (given) => tf.broadcastTo(tensor(given.by[0]), sizes(given)),
  index_select: ({ by: [x, axis, places] }) => tf.gather(tensor(x), tensor(places), Number(axis)),
  full: ({ by: [shape, value], named: { dtype } }) =>
    tf.fill(numbers(shape), Number(value), dtype === 'torch.int32' ? 'int32' : 'float32'),
  ones_like: unary(tf.onesLike),
  ones: ({ by: [shape] }) => made(shape, 1),
  zeros: ({ by: [shape] }) => made(shape, 0),
  arange: ({ by: [count] }) => tf.range(0, Number(count), 1),
  tensor: ({ by: [values], named: { dtype } }) =>
    tf.tensor1d(numbers(values), dtype === 'torch.int32' ? 'int32' : 'float32'),
  b64decode: ({ by: [text] }) => [...atob(String(text))].map((sign) => sign.charCodeAt(0)),
  decompress: ({ by: [bytes] }) => [...unzlibSync(Uint8Array.from(numbers(bytes)))],
  bytearray: ({ by: [bytes] }) => bytes ?? null,
  frombuffer: ({ by: [bytes], named: { dtype } }) => {
    const { buffer } = Uint8Array.from(numbers(bytes))
    return dtype === 'torch.int32'
      ? tf.tensor1d(new Int32Array(buffer), 'int32')
      : tf.tensor1d(new Float32Array(buffer))
  },
}
