import * as tf from '@tensorflow/tfjs-core'
import { type Gradient, stock, withBroadcasting } from '../gradient.ts'
import { refuse } from '../refused.ts'

/** A sum of products by subscripts: for each operand the same, of the gradient and the other operand. */
const einsum: Gradient = {
  kernelName: 'Einsum',
  saveAllInputs: true,
  gradFunc: (dy, saved, attributes) => {
    const [terms = '', result = ''] = (attributes as { equation: string }).equation.replace(/\s/g, '').split('->')
    const subscripts = terms.split(',')
    const gradients = saved.map((operand, i) => () => {
      const wanted = subscripts[i] as string
      const others = saved.filter((_, j) => j !== i)
      const given = [result, ...subscripts.filter((_, j) => j !== i)]
      // what is in no other term was summed alone: all of its entries have the same gradient
      const found = [...wanted].filter((subscript) => given.some((term) => term.includes(subscript)))
      const kept = tf.einsum(`${given}->${found.join('')}`, dy as tf.Tensor, ...others)
      if (found.length === wanted.length) return kept
      const spread = [...wanted].map((subscript, axis) => (found.includes(subscript) ? (operand.shape[axis] ?? 1) : 1))
      return tf.mul(tf.reshape(kept, spread), tf.ones(operand.shape))
    })
    return Object.fromEntries(gradients.map((gradient, i) => [i, gradient]))
  },
}

/**
 * The axes in front of a factor without some of them, or with some of length 1, are summed. The kernels of tfjs give wrong
 * products where both factors, or inner axes of one, are broadcast; throws then.
 */
const matMul = (summed: Gradient): Gradient => ({
  ...summed,
  gradFunc: (dy, saved, attributes) => {
    const [a, b] = saved.map(({ shape }) => shape.slice(0, -2)) as [number[], number[]]
    if (!repeats(a, b) && !repeats(b, a)) {
      const why = `the axes [${a}] and [${b}] before the matrices are broadcast in a way that tfjs computes wrongly`
      refuse({ kernel: 'BatchMatMul', attributes }, `matMul: ${why}; repeat them by tf.tile first`)
    }
    return summed.gradFunc(dy, saved, attributes)
  },
})

/** Whether an array of the shape `a` is repeated as a whole to make one of the shape `b`. */
function repeats(a: number[], b: number[]): boolean {
  const begin = a.findIndex((length) => length > 1)
  const own = begin < 0 ? [] : a.slice(begin)
  return own.length <= b.length && own.every((length, i) => length === b[b.length - own.length + i])
}

/** Running sums, of any axis: that of tfjs is right along the last one alone. */
const cumsum: Gradient = {
  kernelName: 'Cumsum',
  gradFunc: (dy, _, attributes) => {
    const { axis, exclusive, reverse } = attributes as { axis: number; exclusive: boolean; reverse: boolean }
    return { x: () => tf.cumsum(dy as tf.Tensor, axis, exclusive, !reverse) }
  },
}

/**
 * Running products x_1 ... x_j of n entries: with what stands before i, and for each j what stands between i and j, so that
 * nothing is divided by zero. Takes n times the memory of x.
 */
const cumprod: Gradient = {
  kernelName: 'Cumprod',
  inputsToSave: ['x'],
  gradFunc: (dy, saved, attributes) => {
    const [x] = saved as [tf.Tensor]
    const { axis, exclusive, reverse } = attributes as { axis: number; exclusive: boolean; reverse: boolean }
    const n = x.shape[axis] as number
    const order = [...x.shape.keys()].filter((each) => each !== axis).concat(axis)
    const turned = order.map((each) => x.shape[each] as number)
    const lines = (tensor: tf.Tensor) => {
      const each = tf.reshape(tf.transpose(tensor, order), [-1, n])
      return reverse ? tf.reverse(each, 1) : each
    }
    const upTo = (start: number) =>
      tf.tensor(
        Float32Array.from({ length: n * n }, (_, at) => ((at % n) - Math.floor(at / n) >= start ? 1 : 0)),
        [1, n, n],
      )
    return {
      x: () => {
        const values = lines(x)
        const after = upTo(1)
        const between = tf.cumprod(tf.add(tf.mul(tf.expandDims(values, 1), after), tf.sub(1, after)), 2)
        const given = exclusive
          ? tf.pad(tf.slice(lines(dy as tf.Tensor), [0, 1]), [
              [0, 0],
              [0, 1],
            ])
          : lines(dy as tf.Tensor)
        const behind = tf.sum(tf.mul(tf.mul(between, upTo(0)), tf.expandDims(given, 1)), 2)
        const gradient = tf.mul(tf.cumprod(values, 1, true), behind)
        const straight = tf.reshape(reverse ? tf.reverse(gradient, 1) : gradient, turned)
        return tf.transpose(
          straight,
          order.map((_, i) => order.indexOf(i)),
        )
      },
    }
  },
}

/** A product over axes that are named from either end. */
const prod = (ofTfjs: Gradient): Gradient => ({
  ...ofTfjs,
  gradFunc: (dy, saved, attributes) => {
    const { axis } = attributes as { axis?: number | number[] }
    const axes = tf.util.parseAxisParam(axis as number | number[], (saved[0] as tf.Tensor).shape)
    return ofTfjs.gradFunc(dy, saved, axis === undefined || axis === null ? attributes : { ...attributes, axis: axes })
  },
})

/** Products, and what runs along an axis. */
export const products = (): Gradient[] => [
  ...[einsum, matMul(withBroadcasting('BatchMatMul')), cumsum, cumprod, prod(stock('Prod'))],
]
