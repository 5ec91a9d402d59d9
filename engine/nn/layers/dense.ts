import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { type Initialiser, xavierUniform, zeros } from '../initialisers.ts'
import { LINEAR } from '../layout.ts'
import { parameter, scope } from '../scope.ts'
import { tokenGridOf } from './tokenGrid.ts'

export interface DenseOptions {
  name?: string
  weight?: Initialiser
  /** False for a layer without bias. */
  bias?: Initialiser | false
  /**
   * Equal parts of the channels that are mapped each by itself, one after the other: a block-diagonal matrix, in files
   * `[units, in / groups]`, as torch.nn.Conv1d has it. 1 by default.
   */
  groups?: number
  /** How many axes of length 1 the weight has in files, where the reference is a convolution with kernel 1. */
  kernelAxes?: 0 | 1 | 2
  /**
   * What lies along the last axis where it is not channels: tokens, of an input that the block has turned around, or hidden
   * units over tokens; only drawings of the weights ask.
   */
  axis?: 'tokens' | 'hidden' | undefined
}

/**
 * x W + b over the channel axis: `[..., in]` to `[..., units]`. Throws MixlabError `option` for channels or units that do not
 * split into `groups`.
 */
export function dense(x: tf.Tensor, units: number, options: DenseOptions = {}): tf.Tensor {
  const { name, weight = xavierUniform, bias = zeros, groups = 1, kernelAxes = 0, axis } = options
  return scope('dense', name, () => {
    const inputs = x.shape.at(-1) ?? 1
    if (groups > 1 && (inputs % groups || units % groups)) {
      throw new MixlabError('option', 'dense', `${inputs} channels to ${units} do not split into ${groups} groups`)
    }
    const [from, to] = [inputs / groups, units / groups]
    const inFile = [units, from, 1, 1].slice(0, 2 + kernelAxes)
    const layout = { order: groups > 1 ? [0, 2, 1] : LINEAR.order, shape: inFile } as const
    const tokenGrid = axis && { tokenGrid: axis === 'tokens' ? tokenGridOf(inputs) : null }
    const shape = groups > 1 ? [groups, from, to] : [inputs, units]
    const kernel = parameter('weight', shape, weight, { layout, fans: { in: from, out: to }, ...tokenGrid })
    const y = tf.reshape(groups > 1 ? grouped(x, kernel) : product(x, kernel), [...x.shape.slice(0, -1), units])
    return bias ? tf.add(y, parameter('bias', [units], bias, { fans: { in: from, out: units } })) : y
  })
}

/** All rows by one matrix, `[in, units]`. */
function product(x: tf.Tensor, kernel: tf.Tensor): tf.Tensor {
  const rows = tf.reshape(x, [-1, kernel.shape[0] as number]) as tf.Tensor2D // [batch * tokens, in]
  return tf.matMul(rows, kernel as tf.Tensor2D)
}

/** Each part of the rows by a matrix of its own, `[groups, in / groups, units / groups]`. */
function grouped(x: tf.Tensor, kernel: tf.Tensor): tf.Tensor {
  const [groups, from] = kernel.shape as [number, number, number]
  const parts = tf.transpose(tf.reshape(x, [-1, groups, from]), [1, 0, 2]) // [groups, batch * tokens, in / groups]
  return tf.transpose(tf.matMul(parts, kernel), [1, 0, 2])
}
