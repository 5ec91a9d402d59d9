import * as tf from '@tensorflow/tfjs-core'
import { fileShape } from '../nn/layout.ts'
import type { Parameter } from '../nn/scope.ts'
import type { MixingWeights } from './readout.ts'

/**
 * The weights that mix tokens, as matrices `[outputs, inputs]`, those of Toeplitz form written out. The layers that made
 * them noted it, so this holds for blocks of cells, too.
 */
export function mixingWeights(
  parameters: readonly Pick<Parameter, 'name' | 'shape' | 'layout' | 'tokenGrid'>[],
  weights: Record<string, tf.Tensor>,
): MixingWeights[] {
  return parameters.flatMap(({ name, shape, layout, tokenGrid }) => {
    const values = weights[name]
    if (tokenGrid === undefined || !values) return []
    const [rows = 0, columns] = fileShape(shape, layout)
    const matrix = columns === undefined ? writtenOut(values) : inFileOrder(values, layout, [rows, columns])
    return [{ name, matrix, grid: tokenGrid }]
  })
}

function inFileOrder(values: tf.Tensor, { view, order }: Parameter['layout'], shape: [number, number]): tf.Tensor {
  return tf.tidy(() => {
    const viewed = view ? tf.reshape(values, [...view]) : values
    return tf.reshape(order ? tf.transpose(viewed, [...order]) : viewed, shape)
  })
}

/** W[i][j] = w[(n - 1) + (j - i)], `[2n - 1]` to `[n, n]`. */
function writtenOut(diagonals: tf.Tensor): tf.Tensor {
  const n = (diagonals.size + 1) / 2
  const places = Int32Array.from({ length: n * n }, (_, at) => n - 1 + (at % n) - Math.floor(at / n))
  return tf.tidy(() => tf.reshape(tf.gather(diagonals, tf.tensor1d(places, 'int32')), [n, n]))
}
