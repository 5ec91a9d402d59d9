import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { memoizedTable } from '../memoizedTable.ts'

export interface RotaryOptions {
  /** The longest period of a pair is 2 pi times as many tokens, about; 10,000 as in the paper. */
  base?: number
}

/**
 * Rotary positions for queries and keys, `[batch, heads, tokens, width]` or without heads: the pair of channels 2i and
 * 2i + 1 of token t is turned by the angle t / base^(2i / width), so that products of queries and keys depend on how far
 * apart their tokens are ("RoFormer", Su et al. 2021, equation 34). Throws MixlabError `option` for an odd width.
 */
export function rotary(x: tf.Tensor, { base = 10_000 }: RotaryOptions = {}): tf.Tensor {
  const [tokens, width] = x.shape.slice(-2) as [number, number]
  if (width % 2) throw new MixlabError('option', 'rotary', `${width} channels in [${x.shape}] do not make pairs`)
  const turned = tf.reshape(tf.matMul(tf.reshape(x, [-1, width]), quarterTurns(width)), x.shape)
  const table = (name: 'cos' | 'sin') => tf.tensor(angles(name, tokens, width, base), [tokens, width])
  return tf.add(tf.mul(x, table('cos')), tf.mul(turned, table('sin')))
}

/** What puts -x1, x0 in place of each pair x0, x1, as a matrix: that is quicker than moving channels one by one. */
function quarterTurns(width: number): tf.Tensor2D {
  const values = memoizedTable(`turns/${width}`, () => {
    const matrix = new Float32Array(width * width)
    for (let even = 0; even < width; even += 2) {
      matrix[even * width + even + 1] = 1
      matrix[(even + 1) * width + even] = -1
    }
    return matrix
  })
  return tf.tensor2d(values, [width, width])
}

/** Cosine or sine of the angle of each token and channel. */
function angles(name: 'cos' | 'sin', tokens: number, width: number, base: number): Float32Array {
  return memoizedTable(`rotary/${name}/${tokens}/${width}/${base}`, () =>
    Float32Array.from({ length: tokens * width }, (_, at) => {
      const pair = Math.floor((at % width) / 2)
      return Math[name](Math.floor(at / width) / base ** ((2 * pair) / width))
    }),
  )
}
