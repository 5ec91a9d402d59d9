import * as tf from '@tensorflow/tfjs-core'
import { MixlabError, messageOf, quoted } from '../../../errors.ts'
import type { Reader } from '../types.ts'
import { decodeOnnx, type OnnxNode, type OnnxTensor } from './decode.ts'

/** What a node reads and gives: int64 tensors, which are lengths and places here, as numbers. */
type Datum = tf.Tensor | number[]

/** One operator by plain operations of tfjs. */
type Operator = (inputs: Datum[], attributes: OnnxNode['attributes']) => Datum

const x = (inputs: Datum[], i = 0): tf.Tensor => {
  const found = inputs[i]
  if (!found || Array.isArray(found)) throw new Error(`input ${i} is no tensor of values`)
  return found
}
const ints = (inputs: Datum[], i: number): number[] => {
  const found = inputs[i]
  if (!Array.isArray(found)) throw new Error(`input ${i} is no tensor of int64`)
  return found
}

const unary =
  (run: (x: tf.Tensor) => tf.Tensor): Operator =>
  (inputs) =>
    run(x(inputs))
const binary =
  (run: (a: tf.Tensor, b: tf.Tensor) => tf.Tensor): Operator =>
  (inputs) =>
    run(x(inputs), x(inputs, 1))
const reduction =
  (run: (x: tf.Tensor, axes: number[], keepDims: boolean) => tf.Tensor): Operator =>
  (inputs, { keepdims = 1 }) =>
    run(x(inputs), ints(inputs, 1), keepdims === 1)

const DTYPES: Record<number, 'float32' | 'int32' | 'bool'> = { 1: 'float32', 6: 'int32', 7: 'int32', 9: 'bool' }

/** x Phi(x), from the error function. */
const gelu = (x: tf.Tensor) => tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.div(x, Math.SQRT2)), 1))

/** An image with channels first as one with channels last, padded at top, left, bottom and right. */
function paddedImage(x: tf.Tensor, [top = 0, left = 0, bottom = 0, right = 0]: number[], value: number): tf.Tensor4D {
  const sides: [number, number][] = [
    [0, 0],
    [top, bottom],
    [left, right],
    [0, 0],
  ]
  return tf.pad(tf.transpose(x, [0, 2, 3, 1]), sides, value) as tf.Tensor4D
}

const averages = (image: tf.Tensor4D, { kernel_shape, strides }: OnnxNode['attributes']) =>
  tf.avgPool(image, kernel_shape as [number, number], strides as [number, number], 'valid')

const OPERATORS: Record<string, Operator> = {
  ...{ Abs: unary(tf.abs), Ceil: unary(tf.ceil), Cos: unary(tf.cos), Elu: unary(tf.elu), Erf: unary(tf.erf) },
  ...{ Exp: unary(tf.exp), Floor: unary(tf.floor), Gelu: unary(gelu), Log: unary(tf.log), Neg: unary(tf.neg) },
  ...{ Reciprocal: unary(tf.reciprocal), Relu: unary(tf.relu), Sigmoid: unary(tf.sigmoid), Sign: unary(tf.sign) },
  ...{ Sin: unary(tf.sin), Softplus: unary(tf.softplus), Sqrt: unary(tf.sqrt), Tanh: unary(tf.tanh) },
  ...{ Add: binary(tf.add), Div: binary(tf.div), Max: binary(tf.maximum), Min: binary(tf.minimum) },
  ...{ Pow: binary(tf.pow), Sub: binary(tf.sub), MatMul: binary(tf.matMul) },
  ...{ Equal: binary(tf.equal), Greater: binary(tf.greater), GreaterOrEqual: binary(tf.greaterEqual) },
  ...{ Less: binary(tf.less), LessOrEqual: binary(tf.lessEqual), And: binary(tf.logicalAnd), Or: binary(tf.logicalOr) },
  Not: unary(tf.logicalNot),
  Where: (inputs) => tf.where(x(inputs), x(inputs, 1), x(inputs, 2)),
  ...{ ReduceMax: reduction(tf.max), ReduceMean: reduction(tf.mean), ReduceMin: reduction(tf.min) },
  ReduceSum: reduction(tf.sum),
  Mul: (inputs) => {
    if (!Array.isArray(inputs[0])) return tf.mul(x(inputs), x(inputs, 1))
    return ints(inputs, 0).map((value, i) => value * (ints(inputs, 1)[i] ?? 1))
  },
  Gemm: (inputs, { transB = 0 }) => {
    const product = tf.matMul(x(inputs), x(inputs, 1), false, transB === 1)
    return inputs[2] ? tf.add(product, x(inputs, 2)) : product
  },
  Softmax: (inputs) => tf.softmax(x(inputs)),
  LayerNormalization: (inputs, { epsilon = 1e-5 }) => {
    const { mean, variance } = tf.moments(x(inputs), -1, true)
    const rows = tf.div(tf.sub(x(inputs), mean), tf.sqrt(tf.add(variance, epsilon as number)))
    return tf.add(tf.mul(rows, x(inputs, 1)), x(inputs, 2))
  },
  Conv: (inputs, { strides, dilations, pads, group = 1 }) => {
    const image = paddedImage(x(inputs), pads as number[], 0)
    const filter = tf.transpose(x(inputs, 1), [2, 3, 1, 0])
    const [images, filters] = [image, filter].map((each) => tf.split(each, group as number, 3)) as [
      tf.Tensor4D[],
      tf.Tensor4D[],
    ]
    const how = [strides as [number, number], 'valid', 'NHWC', dilations as [number, number]] as const
    const y = images.map((part, i) => tf.conv2d(part, filters[i] as tf.Tensor4D, ...how))
    return tf.transpose(tf.concat(y, 3), [0, 3, 1, 2])
  },
  AveragePool: (inputs, attributes) => {
    const whole = averages(paddedImage(x(inputs), attributes.pads as number[], 0), attributes)
    const inside = averages(paddedImage(tf.onesLike(x(inputs)), attributes.pads as number[], 0), attributes)
    return tf.transpose(tf.div(whole, inside), [0, 3, 1, 2])
  },
  MaxPool: (inputs, { kernel_shape, strides, pads }) => {
    const image = paddedImage(x(inputs), pads as number[], Number.NEGATIVE_INFINITY)
    const y = tf.maxPool(image, kernel_shape as [number, number], strides as [number, number], 'valid')
    return tf.transpose(y, [0, 3, 1, 2])
  },
  Transpose: (inputs, { perm }) => tf.transpose(x(inputs), perm as number[]),
  Reshape: (inputs) => tf.reshape(x(inputs), ints(inputs, 1)),
  Slice: (inputs) => {
    const [[begin = 0], [end = 0], [axis = 0]] = [1, 2, 3].map((i) => ints(inputs, i)) as [number[], number[], number[]]
    const { shape } = x(inputs)
    return tf.slice(
      x(inputs),
      shape.map((_, i) => (i === axis ? begin : 0)),
      shape.with(axis, end - begin),
    )
  },
  Concat: (inputs, { axis }) => {
    if (Array.isArray(inputs[0])) return inputs.flatMap((_, i) => ints(inputs, i))
    return tf.concat(
      inputs.map((_, i) => x(inputs, i)),
      axis as number,
    )
  },
  Pad: (inputs) => {
    const pads = ints(inputs, 1)
    const { rank } = x(inputs)
    const pairs = Array.from({ length: rank }, (_, i): [number, number] => [pads[i] ?? 0, pads[i + rank] ?? 0])
    return tf.pad(x(inputs), pairs, inputs[2] ? x(inputs, 2).dataSync()[0] : 0)
  },
  Gather: (inputs, { axis = 0 }) => tf.gather(x(inputs), x(inputs, 1), axis as number),
  Cast: (inputs, { to }) => tf.cast(x(inputs), DTYPES[to as number] ?? 'float32'),
  Constant: (_, { value_float }) => tf.scalar(value_float as number),
  Shape: (inputs, { start, end }) => x(inputs).shape.slice(start as number, end as number | undefined),
  Expand: (inputs) => tf.broadcastTo(x(inputs), ints(inputs, 1)),
}

/**
 * Runs an ONNX file by plain operations of tfjs: those operators that our own files have. Throws MixlabError `weights` for
 * what is no such file.
 */
export function readOnnx(file: Uint8Array, source = 'ONNX'): Reader {
  const { nodes, tensors, outputs } = decodeOnnx(file, source)
  const fail = (what: string) => new MixlabError('weights', source, what)
  const known = new Set([...tensors.map(({ name }) => name), 'input', 'types', 'mask'])
  for (const { type, inputs, outputs: given } of nodes) {
    if (!Object.hasOwn(OPERATORS, type)) throw fail(`operator ${quoted(type)} is not among those that Mixlab writes`)
    const missing = inputs.find((name) => !known.has(name))
    if (missing !== undefined) throw fail(`${quoted(missing)} is read before it is made`)
    for (const name of given) known.add(name)
  }
  const [result] = outputs
  if (!result || !known.has(result.name)) throw fail('no node makes its output')

  return (inputs) =>
    tf.tidy(() => {
      const values = new Map<string, Datum>(tensors.map((tensor) => [tensor.name, datumOf(tensor)]))
      for (const [name, value] of Object.entries(inputs)) values.set(name, value)
      for (const { type, inputs: names, outputs, attributes } of nodes) {
        try {
          const operator = OPERATORS[type] as Operator
          values.set(
            outputs[0] ?? '',
            operator(
              names.map((name) => values.get(name) as Datum),
              attributes,
            ),
          )
        } catch (error) {
          throw fail(`${type} ${quoted(outputs[0] ?? '')}: ${messageOf(error)}`)
        }
      }
      return values.get(result.name) as tf.Tensor
    })
}

function datumOf({ shape, dtype, values }: OnnxTensor): Datum {
  return dtype === 'int64' ? Array.from(values as number[]) : tf.tensor(values as Float32Array, shape, dtype)
}
