import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { parseOptions } from '../../options.ts'
import { type Key, keyOf, normals, uniform as uniformDraw } from '../../random.ts'
import { checkCount, currentPass, drawnBy, scope } from '../scope.ts'

interface RandomOptions {
  /** Whether evaluations draw, too: the same numbers in each. Without it, every number is the mean in evaluation. */
  evaluation?: boolean
}

export interface UniformOptions extends RandomOptions {
  /** 0 by default. */
  low?: number
  /** 1 by default. */
  high?: number
}

export interface NormalOptions extends RandomOptions {
  /** 0 by default. */
  mean?: number
  /** Standard deviation; 1 by default. */
  deviation?: number
}

const name = z.string().min(1)
const shapeOf = z.array(z.int().min(0))
const evaluation = z.boolean().default(false)
const uniformSchema = z
  .strictObject({ low: z.number().default(0), high: z.number().default(1), evaluation })
  .refine(({ low, high }) => low < high, { path: ['high'], message: 'more than low' })
const normalSchema = z.strictObject({
  mean: z.number().default(0),
  deviation: z.number().min(0).default(1),
  evaluation,
})

/**
 * Random numbers of a block, which depend on the seed of the run, the step, `name` and the place of the block alone. They pass
 * no gradient on. In evaluation they are the mean of their distribution, or, where `evaluation` says so, the same draws in each
 * evaluation. Throws MixlabError `option`.
 */
export const random = Object.freeze({
  /** Uniform in `low` to `high`, a tensor of `shape`. */
  uniform(name: string, shape: number[], options: UniformOptions = {}): tf.Tensor {
    const { low, high, evaluation } = parseOptions(uniformSchema, options, 'random.uniform')
    // 24 bits, which float32 has: none of them is rounded up to `high`
    const share = (key: Key, i: number) => Math.floor(2 ** 24 * uniformDraw(key, i)) / 2 ** 24
    const draw = (key: Key, size: number) =>
      Float32Array.from({ length: size }, (_, i) => low + (high - low) * share(key, i))
    return drawnAt('uniform', name, shape, { mean: (low + high) / 2, evaluation, draw })
  },
  /** Normal with `mean` and `deviation`, a tensor of `shape`. */
  normal(name: string, shape: number[], options: NormalOptions = {}): tf.Tensor {
    const { mean, deviation, evaluation } = parseOptions(normalSchema, options, 'random.normal')
    const draw = (key: Key, size: number) => Float32Array.from(normals(key, size), (value) => mean + deviation * value)
    return drawnAt('normal', name, shape, { mean, evaluation, draw })
  },
})

interface Distribution {
  mean: number
  evaluation: boolean
  draw(key: Key, size: number): Float32Array
}

function drawnAt(kind: string, given: string, shape: number[], { mean, evaluation, draw }: Distribution): tf.Tensor {
  const own = parseOptions(name, given, `random.${kind}.name`)
  const wanted = [...parseOptions(shapeOf, shape, `random.${kind}.shape`)]
  return scope(`random.${kind}`, own, (path) => {
    checkCount(path, wanted)
    const { training, seed } = currentPass(path)
    if (!training && !evaluation) return tf.fill(wanted, mean)
    const size = tf.util.sizeFromShape(wanted)
    return drawnBy(wanted, (step) => draw(keyOf(seed, `random/${training ? step : 'evaluation'}/${path}`), size))
  })
}
