import * as tf from '@tensorflow/tfjs-core'
import { type Key, keyOf, normal } from '../random.ts'

/** A function of tensors, such as one operation. The same values give the same results. */
export type TensorFunction = (...inputs: tf.Tensor[]) => tf.Tensor | tf.Tensor[]

/** What a function is given. Its gradient is measured by those of type float32, but for what is `constant`. */
export interface Argument {
  values: tf.BackendValues
  shape: number[]
  dtype: tf.DataType
  constant?: boolean
}

/** The derivative along one entry of an input, or along all of them at once, each in a direction of its own, twice. */
export interface Derivative {
  input: number
  entry: number | 'all'
  /** By the gradient. */
  gradient: number
  /** By central differences, at each of the step sizes, the largest first. */
  differences: number[]
  /** How far the slopes to the left and to the right differ, at each of them: of what is smooth, less at a smaller step. */
  bends: number[]
  /** What rounding to float32 can change of the differences at the smallest step. */
  rounding: number
}

/** The smallest step, for values of order one; there are three step sizes, each twice the one before. */
const STEP = 2 ** -7
/** Where the function is evaluated, in steps: differences of fourth order at one step size share points with the next. */
const OFFSETS = [1, -1, 2, -2, 4, -4, 8, -8]
/** Half a unit in the last place of a float32 between 1 and 2. */
const HALF_UNIT = 2 ** -24

/** Values that are held at once to be summed. */
const VALUES = 2 ** 20

/** A place where a function is evaluated: one entry of an input, or all, moved by some steps. */
interface Point extends Pick<Derivative, 'input' | 'entry'> {
  offset: number
}

/** Derivatives that are computed and not yet read. */
export interface Measurement {
  /** Reads and disposes what was computed. */
  read(): Promise<Derivative[]>
}

/**
 * Computes derivatives of a function by up to `most` entries of each input: the first, the last, and others at random
 * places; and, where it has more, by all of them together, which finds what is wrong at a few places only. The results of the function are weighted at random and summed. Throws what the function or its gradient throws.
 */
export function measure(run: TensorFunction, given: Argument[], name: string, most: number): Measurement {
  const key = keyOf(1, `derivatives/${name}`)
  const moving = given.flatMap(({ dtype, constant }, i) => (dtype === 'float32' && !constant ? [i] : []))
  const places = moving.flatMap((input) =>
    entriesOf(given[input]?.shape as number[], key, most).map((entry) => ({ input, entry })),
  )
  const steps: number[] = []
  if (places.length === 0) return { read: async () => [] }
  const computed = tf.tidy(() => {
    const inputs = given.map((argument) => tensorOf(argument))
    // of their own, even where the function gives an input back
    const middle = [run(...inputs)].flat().map((result) => asFloat(tf.clone(result)))
    const weights = middle.map(({ shape, size }, i) => tf.tensor(weightsOf(key, i, size), shape))
    const weighted = () =>
      tf.addN(
        [run(...inputs)].flat().map((result, i) => tf.sum(tf.mul(asFloat(result), weights[i] as tf.Tensor))),
      ) as tf.Scalar
    const by = moving.map((i) => inputs[i] as tf.Tensor)
    const gradients = tf.engine().gradients(weighted, by, undefined, true).grads
    /** How the results change where entries are moved, `[size]` each. */
    const moved = ({ input, entry, offset }: Point) => {
      const { values, ...argument } = given[input] as Argument
      const near = Float32Array.from(values as Float32Array)
      if (entry === 'all') {
        for (const [i, sign] of signsOf(key, near.length).entries())
          near[i] = (near[i] as number) + sign * offset * STEP
        steps.push(offset * STEP)
      } else {
        const before = near[entry] as number
        near[entry] = before + offset * STEP
        steps.push((near[entry] as number) - before)
      }
      return tf.tidy(() => {
        const results = [run(...inputs.with(input, tensorOf({ ...argument, values: near })))].flat()
        return results.map((result, i) => tf.reshape(tf.sub(asFloat(result), middle[i] as tf.Tensor), [-1]))
      })
    }
    const points = places.flatMap((place) => OFFSETS.map((offset) => ({ ...place, offset })))
    const rows = Math.max(1, Math.floor(VALUES / Math.max(...middle.map(({ size }) => size))))
    const sums = Array.from({ length: Math.ceil(points.length / rows) }, (_, i) =>
      tf.tidy(() => summed(points.slice(i * rows, (i + 1) * rows).map(moved), middle, weights)),
    )
    const exact = places.map(({ input, entry }) => {
      const gradient = gradients[moving.indexOf(input)]
      if (!gradient) return tf.zeros([1])
      if (entry !== 'all') return tf.slice(tf.reshape(gradient, [-1]), [entry], [1])
      return tf.reshape(tf.sum(tf.mul(gradient, tf.tensor(signsOf(key, gradient.size), gradient.shape))), [1])
    })
    return { sums: tf.keep(tf.concat(sums)), exact: tf.keep(tf.concat(exact)) }
  })
  return {
    read: async () => {
      const [sums, exact] = [await computed.sums.data(), await computed.exact.data()]
      tf.dispose([computed.sums, computed.exact])
      return places.map(({ input, entry }, i) => {
        const at = OFFSETS.map((_, j) => i * OFFSETS.length + j)
        const slopes = at.map((j) => (sums[2 * j] as number) / (steps[j] as number))
        const rounding = Math.max(...at.map((j) => (sums[2 * j + 1] as number) * HALF_UNIT)) / STEP
        return { input, entry, gradient: exact[i] as number, ...fromSlopes(slopes), rounding }
      })
    },
  }
}

/** The same, read. */
export function derivatives(run: TensorFunction, given: Argument[], name: string, most: number): Promise<Derivative[]> {
  return measure(run, given, name, most).read()
}

/** Central differences of fourth order, and bends, from the slopes towards each of the points. */
function fromSlopes(slopes: number[]): Pick<Derivative, 'differences' | 'bends'> {
  const [right, left] = [0, 1].map((side) => slopes.filter((_, i) => i % 2 === side)) as [number[], number[]]
  const central = right.map((slope, i) => (slope + (left[i] as number)) / 2)
  const sizes = [2, 1, 0]
  return {
    differences: sizes.map((i) => (4 * (central[i] as number) - (central[i + 1] as number)) / 3),
    bends: sizes.map((i) => Math.abs((right[i] as number) - (left[i] as number))),
  }
}

/**
 * For each list of changes of the results, the weighted sum of them, and that of the sizes of the values that have changed:
 * `[lists, 2]`. All lists at once, for each operation of tfjs has its cost.
 */
function summed(changes: tf.Tensor[][], middle: tf.Tensor[], weights: tf.Tensor[]): tf.Tensor2D {
  const sums = middle.map((before, i) => {
    const all = tf.stack(changes.map((each) => each[i] as tf.Tensor)) as tf.Tensor2D
    const [weight, size] = [weights[i] as tf.Tensor, tf.abs(all)]
    const column = (values: tf.Tensor) => tf.reshape(values, [-1, 1]) as tf.Tensor2D
    const sizes = tf.matMul(size, column(tf.abs(weight)))
    const around = tf.matMul(tf.step(size), column(tf.abs(tf.mul(tf.mul(before, 2), weight))))
    return tf.concat([tf.matMul(all, column(weight)), tf.add(sizes, around)], 1)
  })
  return tf.addN(sums) as tf.Tensor2D
}

function asFloat(tensor: tf.Tensor): tf.Tensor {
  return tensor.dtype === 'float32' ? tensor : tf.cast(tensor, 'float32')
}

/** Of values of its own: some kernels of tfjs write into what they are given. */
function tensorOf({ values, shape, dtype }: Argument): tf.Tensor {
  return tf.tensor((values as tf.TypedArray).slice(), shape, dtype)
}

/** Of either sign, none near zero. */
function weightsOf(key: Key, result: number, size: number): Float32Array {
  return Float32Array.from({ length: size }, (_, i) => away(normal(key, 1e6 * (result + 1) + i), 0.5))
}

/** The direction of each entry where all are moved: 1 or -1. */
function signsOf(key: Key, size: number): Float32Array {
  return Float32Array.from({ length: size }, (_, i) => (normal(key, 3e5 + i) < 0 ? -1 : 1))
}

/** A draw, moved away from zero. */
export function away(value: number, by: number): number {
  return value < 0 ? value / 2 - by : value / 2 + by
}

function entriesOf(shape: number[], key: Key, most: number): Derivative['entry'][] {
  const size = tf.util.sizeFromShape(shape)
  if (size <= most) return Array.from({ length: size }, (_, i) => i)
  const chosen = new Set([0, size - 1])
  for (let i = 0; chosen.size < most; i++) chosen.add(Math.floor(Math.abs(normal(key, 5e5 + i)) * size) % size)
  return [...[...chosen].slice(0, most), 'all']
}
