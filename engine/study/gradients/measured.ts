import * as tf from '@tensorflow/tfjs-core'
import { messageOf } from '../../errors.ts'
import { isCovered } from '../../gradients/covered.ts'
import type { CustomCall } from '../../gradients/custom.ts'
import { type Argument, away, type Measurement, measure, type TensorFunction } from '../../gradients/differences.ts'
import { type Wrong, worstOf } from '../../gradients/judge.ts'
import { keyOf, normal } from '../../random.ts'
import type { CustomUse, Use, UsedInput } from './uses.ts'

/** The derivatives of a use of an operation, computed and not yet read. */
export interface Measured {
  use: CustomUse
  /** With inputs of each of the `DRAWS`. */
  measurements: Measurement[]
  /** Why there are none. */
  why: string | null
}

/** Share of a derivative by which a gradient has to be off to be called wrong. */
const TOLERANCE = 0.005
/** Inputs of order one and of either sign, positive ones, and some in the tails of activations. */
const DRAWS = [(value: number) => value, Math.abs, (value: number) => 4 * value]
/** Entries of an input along which derivatives are taken at most and at least, and the values computed for them. */
const [MOST, LEAST, VALUES] = [8, 2, 2 ** 20]

/**
 * Measures those uses of kernels in code of cells whose gradients the table of tried ones does not cover; each once for the
 * same shapes and attributes. `covers` says what is covered.
 */
export function measureKernels(uses: Use[], covers: typeof isCovered = isCovered): Measured[] {
  const open = uses.filter(
    ({ kernel, attributes, inputs, line }) =>
      line !== null &&
      inputs.some(({ moving }) => moving) &&
      !covers(
        kernel,
        attributes,
        inputs.map(({ shape }) => shape),
      ),
  )
  const distinct = new Map(open.map((use) => [JSON.stringify([use.kernel, use.attributes, use.inputs]), use]))
  return [...distinct.values()].map((use) => {
    const run = (...inputs: tf.Tensor[]) => {
      const named = Object.fromEntries(use.inputs.map(({ name }, i) => [name, inputs[i] as tf.Tensor]))
      // some kernels take a list, as concat does
      const given = '0' in named ? (inputs as unknown as tf.NamedTensorMap) : named
      return tf.engine().runKernel(use.kernel, given, use.attributes) as tf.Tensor | tf.Tensor[]
    }
    return measured(use, run, (input) => {
      if (input.dtype === 'float32') return null
      return { values: wholeZeros(input), shape: input.shape, dtype: input.dtype }
    })
  })
}

/** Measures an operation with a gradient of its own, in the middle of the pass that calls it: what is constant stays. */
export function measureCustom(use: CustomUse, { run, inputs }: CustomCall): Measured {
  return measured(use, run, ({ dtype, shape, moving }, i) => {
    if (moving && dtype === 'float32') return null
    return { values: (inputs[i] as tf.Tensor).dataSync().slice(), shape, dtype, constant: true }
  })
}

function wholeZeros({ shape, dtype }: UsedInput): tf.BackendValues {
  const size = tf.util.sizeFromShape(shape)
  return dtype === 'int32' ? new Int32Array(size) : new Uint8Array(size)
}

/** `known` gives the inputs that are not drawn. */
function measured(
  use: CustomUse,
  run: TensorFunction,
  known: (input: UsedInput, i: number) => Argument | null,
): Measured {
  const largest = Math.max(...use.inputs.map(({ shape }) => tf.util.sizeFromShape(shape)))
  const entries = Math.max(LEAST, Math.min(MOST, Math.floor(VALUES / largest)))
  try {
    const measurements = DRAWS.map((draw) => {
      const given = use.inputs.map((input, i): Argument => known(input, i) ?? drawnFor(input, i, draw))
      return measure(run, given, use.name, entries)
    })
    return { use, measurements, why: null }
  } catch (error) {
    return { use, measurements: [], why: messageOf(error) }
  }
}

/** Values away from 0. */
function drawnFor({ shape, moving }: UsedInput, i: number, draw: (value: number) => number): Argument {
  const key = keyOf(1, `gradients/input ${i}`)
  const size = tf.util.sizeFromShape(shape)
  const values = Float32Array.from({ length: size }, (_, at) => draw(away(normal(key, at), 0.3)))
  return { values, shape, dtype: 'float32', constant: !moving }
}

/** The gradient that is furthest off; null where all are right, `unknown` where nothing could be compared. */
export async function worstAmong({ measurements }: Pick<Measured, 'measurements'>): Promise<Wrong | 'unknown' | null> {
  let [compared, worst] = [false, null as Wrong | null]
  for (const { read } of measurements) {
    const all = await read()
    compared ||= all.some(({ differences }) => differences.every(Number.isFinite))
    const found = all.length > 0 ? worstOf(all, TOLERANCE) : null
    if (found && (!worst || found.off > worst.off)) worst = found
  }
  return worst ?? (compared ? null : 'unknown')
}
