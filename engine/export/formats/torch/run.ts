import * as tf from '@tensorflow/tfjs-core'
import { MixlabError, messageOf } from '../../../errors.ts'
import type { NamedTensor } from '../../../weights/safetensors.ts'
import type { Reader } from '../types.ts'
import { type Expression, parseForward } from './parse.ts'

/** What an expression is: a tensor, a number, a text, a list. */
type Thing = tf.Tensor | number | string | boolean | null | Thing[] | Map<string, tf.Tensor>

const tensor = (thing: Thing | undefined): tf.Tensor => {
  if (thing instanceof tf.Tensor) return thing
  if (typeof thing === 'number') return tf.scalar(thing)
  throw new Error('expected a tensor')
}
const numbers = (thing: Thing | undefined) => thing as number[]

const unary = (run: (x: tf.Tensor) => tf.Tensor) => (x?: Thing) => run(tensor(x))
const reduction =
  (run: (x: tf.Tensor, axes: number[], keepDims: boolean) => tf.Tensor) => (x?: Thing, axes?: Thing, keep?: Thing) =>
    run(tensor(x), numbers(axes), keep === true)

/** torch.nn.functional.pad: pairs from the last axis on. */
function pad(x: Thing | undefined, pairs: Thing | undefined, value: Thing | undefined): tf.Tensor {
  const { rank } = tensor(x)
  const counts = numbers(pairs)
  const paddings = Array.from({ length: rank }, (_, axis): [number, number] => {
    const at = 2 * (rank - 1 - axis)
    return [counts[at] ?? 0, counts[at + 1] ?? 0]
  })
  return tf.pad(tensor(x), paddings, Number(value ?? 0))
}

const FUNCTIONS: Record<string, (...given: (Thing | undefined)[]) => tf.Tensor> = {
  ...{ 'torch.abs': unary(tf.abs), 'torch.ceil': unary(tf.ceil), 'torch.cos': unary(tf.cos), 'F.elu': unary(tf.elu) },
  ...{ 'torch.erf': unary(tf.erf), 'torch.exp': unary(tf.exp), 'torch.floor': unary(tf.floor) },
  ...{ 'torch.log': unary(tf.log), 'torch.neg': unary(tf.neg), 'torch.reciprocal': unary(tf.reciprocal) },
  ...{ 'F.relu': unary(tf.relu), 'torch.rsqrt': unary(tf.rsqrt), 'torch.sigmoid': unary(tf.sigmoid) },
  ...{ 'torch.sign': unary(tf.sign), 'torch.sin': unary(tf.sin), 'F.softplus': unary(tf.softplus) },
  ...{ 'torch.sqrt': unary(tf.sqrt), 'torch.square': unary(tf.square), 'torch.tanh': unary(tf.tanh) },
  ...{ 'torch.amax': reduction(tf.max), 'torch.mean': reduction(tf.mean), 'torch.amin': reduction(tf.min) },
  'torch.sum': reduction(tf.sum),
  'F.gelu': unary((x) => tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.div(x, Math.SQRT2)), 1))),
  'torch.maximum': (a, b) => tf.maximum(tensor(a), tensor(b)),
  'torch.minimum': (a, b) => tf.minimum(tensor(a), tensor(b)),
  'torch.matmul': (a, b) => tf.matMul(tensor(a), tensor(b)),
  'torch.transpose': (x) => {
    const { rank } = tensor(x) // always the last two
    return tf.transpose(tensor(x), [...Array(rank - 2).keys(), rank - 1, rank - 2])
  },
  'torch.permute': (x, axes) => tf.transpose(tensor(x), numbers(axes)),
  'torch.reshape': (x, shape) => tf.reshape(tensor(x), numbers(shape)),
  'torch.flatten': (x) => tf.reshape(tensor(x), [-1]),
  'torch.narrow': (x, axis, begin, size) => {
    const { shape } = tensor(x)
    return tf.slice(
      tensor(x),
      shape.map((_, i) => (i === axis ? Number(begin) : 0)),
      shape.with(Number(axis), Number(size)),
    )
  },
  'torch.cat': (parts, axis) => tf.concat((parts as Thing[]).map(tensor), Number(axis)),
  'torch.index_select': (x, axis, places) => tf.gather(tensor(x), tensor(places), Number(axis)),
  'torch.full': (shape, value) => tf.fill(numbers(shape), Number(value)),
  'F.embedding': (places, table) => tf.gather(tensor(table), tensor(places)),
  'F.softmax': (x) => tf.softmax(tensor(x)),
  'F.linear': (x, weight, bias) => {
    const rows = tf.reshape(tensor(x), [-1, tensor(x).shape.at(-1) as number])
    const product = tf.matMul(rows, tensor(weight), false, true)
    const y = bias === undefined ? product : tf.add(product, tensor(bias))
    return tf.reshape(y, [...tensor(x).shape.slice(0, -1), y.shape[1] as number])
  },
  'F.layer_norm': (x, _, weight, bias, eps) => {
    const { mean, variance } = tf.moments(tensor(x), -1, true)
    const rows = tf.div(tf.sub(tensor(x), mean), tf.sqrt(tf.add(variance, Number(eps))))
    return tf.add(tf.mul(rows, tensor(weight)), tensor(bias))
  },
  'F.pad': (x, pairs, _, value) => pad(x, pairs, value),
  'F.conv2d': (x, filter, _, strides, __, dilations) => {
    const image = tf.transpose(tensor(x), [0, 2, 3, 1]) as tf.Tensor4D
    const turned = tf.transpose(tensor(filter), [2, 3, 1, 0]) as tf.Tensor4D
    const [stride, dilation] = [numbers(strides), numbers(dilations)] as [[number, number], [number, number]]
    return tf.transpose(tf.conv2d(image, turned, stride, 'valid', 'NHWC', dilation), [0, 3, 1, 2])
  },
}

const OPERATIONS: Record<string, (a: tf.Tensor, b: tf.Tensor) => tf.Tensor> = {
  ...{ '+': tf.add, '-': tf.sub, '*': tf.mul, '/': tf.div, '**': tf.pow },
}

/**
 * Runs a PyTorch module of ours by plain operations of tfjs: its source is parsed, line by line. Throws MixlabError
 * `weights` for other Python.
 */
export function readTorch(source: string, tensors: NamedTensor[]): Reader {
  const { statements, result, inputs: names } = parseForward(source)
  return (inputs) =>
    tf.tidy(() => {
      const weights = tensors.map(({ name, shape, values }) => [name, tf.tensor(values, shape)] as const)
      const given = names.map((name) => [name, inputs[name as 'input'] as tf.Tensor] as const)
      const things = new Map<string, Thing>([['w', new Map(weights)], ...given])
      for (const { name, value } of statements) {
        try {
          things.set(name, valueOfExpression(value, things))
        } catch (error) {
          throw new MixlabError('weights', 'PyTorch', `in the line of '${name}': ${messageOf(error)}`)
        }
      }
      return tensor(things.get(result))
    })
}

function valueOfExpression(expression: Expression, things: Map<string, Thing>): Thing {
  const of = (inner: Expression) => valueOfExpression(inner, things)
  switch (expression.kind) {
    case 'value':
      return expression.value
    case 'name': {
      const found = things.get(expression.name)
      if (found === undefined) throw new Error(`'${expression.name}' is not known`)
      return found
    }
    case 'list':
      return expression.items.map(of)
    case 'call': {
      const run = FUNCTIONS[expression.name]
      if (!run) throw new Error(`'${expression.name}' is not among the functions that Mixlab writes`)
      return run(...expression.arguments.map(of))
    }
    case 'method':
      return tf.cast(
        tensor(of(expression.of)),
        ({ float: 'float32', int: 'int32', bool: 'bool' } as const)[expression.name as 'float'],
      )
    case 'member': {
      const owner = tensor(of(expression.of))
      return expression.name === 'shape' ? [...owner.shape] : null // a device
    }
    case 'item': {
      const [owner, at] = [of(expression.of), of(expression.at)]
      const found = owner instanceof Map ? owner.get(String(at)) : (owner as Thing[])[Number(at)]
      if (found === undefined) throw new Error(`there is no '${at}'`)
      return found
    }
    case 'operation': {
      const [left, right] = [of(expression.left), of(expression.right)]
      if (typeof left === 'number' && typeof right === 'number') {
        return expression.sign === '*' ? left * right : left - right
      }
      return (OPERATIONS[expression.sign] as (a: tf.Tensor, b: tf.Tensor) => tf.Tensor)(tensor(left), tensor(right))
    }
  }
}
