import * as tf from '@tensorflow/tfjs-core'
import { memoizedTable } from '../memoizedTable.ts'

/**
 * Fourier mixing: the real part of the discrete Fourier transform over tokens and channels, `[batch, tokens, dim]` in the same shape, without
 * parameters (FNet, Lee-Thorp et al. 2021, equation 3): products with matrices of cosines and sines.
 */
export function fourierMix(x: tf.Tensor): tf.Tensor {
  const [, tokens, dim] = x.shape as [number, number, number]
  const part = (name: 'cos' | 'sin') => {
    const rows = tf.matMul(tf.reshape(x, [-1, dim]), waves(name, dim)) // over the channels
    return tf.matMul(tf.expandDims(waves(name, tokens), 0), tf.reshape(rows, x.shape)) // over the tokens
  }
  return tf.sub(part('cos'), part('sin'))
}

/** Cosine or sine of 2 pi i k / n: `[n, n]`. */
function waves(name: 'cos' | 'sin', n: number): tf.Tensor {
  const values = memoizedTable(`waves/${name}/${n}`, () =>
    Float32Array.from({ length: n * n }, (_, at) => {
      const turns = (Math.floor(at / n) * (at % n)) % n // whole turns are left out, which keeps the digits of the angle
      return Math[name]((2 * Math.PI * turns) / n)
    }),
  )
  return tf.tensor(values, [n, n])
}
