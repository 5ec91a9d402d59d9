import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import { sidesOf } from '../nn/layers/patchEmbed.ts'
import { resolveSize } from '../nn/size.ts'
import type { Configuration } from './configurations.ts'
import type { Bench } from './step.ts'

/** Whether there is a twin in plain tfjs. */
export function hasPlainTwin({ block, modality }: Configuration): boolean {
  return block.blockName === 'gmlp' && modality === 'image'
}

/**
 * gMLP for images with Adam, written as one writes it in tfjs without the block language: variables and stock operations
 * alone. Shapes and number of parameters are those of the configuration. Throws MixlabError `option` without a twin.
 */
export function preparePlain(configuration: Configuration): Bench & { parameters: number } {
  const { name, block, input, outputs, batch } = configuration
  if (!hasPlainTwin(configuration)) throw new MixlabError('option', 'bench', `'${name}' has no twin in plain tfjs`)
  const { patch, dim, ffn, depth } = resolveSize(block, {}, name)
  const [height, width, channels] = input as [number, number, number]
  const [high, wide] = sidesOf(patch)
  const [rows, columns, values] = [height / high, width / wide, high * wide * channels]
  const tokens = rows * columns

  const variables: tf.Variable[] = []
  const variable = (initial: tf.Tensor) => {
    const made = tf.variable(initial)
    initial.dispose()
    variables.push(made)
    return made
  }

  /** Over the last axis: `[..., inputs]` to `[..., units]`. */
  const dense = (inputs: number, units: number) => {
    const weight = variable(tf.randomNormal([inputs, units], 0, Math.sqrt(1 / inputs), 'float32', 1))
    const bias = variable(tf.zeros([units]))
    return (x: tf.Tensor) => {
      const flat = tf.matMul(tf.reshape(x, [-1, inputs]), weight as tf.Tensor as tf.Tensor2D)
      return tf.add(tf.reshape(flat, [...x.shape.slice(0, -1), units]), bias)
    }
  }

  const layerNorm = (size: number, eps: number) => {
    const [weight, bias] = [variable(tf.ones([size])), variable(tf.zeros([size]))]
    return (x: tf.Tensor) => {
      const { mean, variance } = tf.moments(x, -1, true)
      return tf.add(tf.mul(tf.div(tf.sub(x, mean), tf.sqrt(tf.add(variance, eps))), weight), bias)
    }
  }

  const gelu = (x: tf.Tensor) => tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.div(x, Math.SQRT2)), 1))

  const spatialGating = () => {
    const norm = layerNorm(ffn / 2, 1e-5)
    const weight = variable(tf.randomNormal([tokens, tokens], 0, 1e-6, 'float32', 1))
    const bias = variable(tf.ones([tokens]))
    return (x: tf.Tensor) => {
      const [u, v] = tf.split(x, 2, -1) as [tf.Tensor, tf.Tensor]
      const turned = tf.reshape(tf.transpose(norm(v), [0, 2, 1]), [-1, tokens]) // [batch * ffn / 2, tokens]
      const mixed = tf.add(tf.matMul(turned, weight as tf.Tensor as tf.Tensor2D), bias)
      return tf.mul(u, tf.transpose(tf.reshape(mixed, [batch, ffn / 2, tokens]), [0, 2, 1]))
    }
  }

  const gmlpBlock = () => {
    const [norm, fc1, gate, fc2] = [layerNorm(dim, 1e-6), dense(dim, ffn), spatialGating(), dense(ffn / 2, dim)]
    return (x: tf.Tensor) => tf.add(x, fc2(gate(gelu(fc1(norm(x))))))
  }

  const stem = dense(values, dim)
  const blocks = Array.from({ length: depth }, gmlpBlock)
  const [norm, head] = [layerNorm(dim, 1e-6), dense(dim, outputs)]

  const logits = (images: tf.Tensor) => {
    const grid = tf.reshape(images, [batch, rows, high, columns, wide, channels])
    let x = stem(tf.reshape(tf.transpose(grid, [0, 1, 3, 2, 4, 5]), [batch, tokens, values]))
    for (const block of blocks) x = block(x)
    return head(tf.mean(norm(x), 1))
  }

  const images = tf.randomNormal([batch, ...input], 0, 1, 'float32', 1)
  const labels = tf.tidy(() => {
    const drawn = tf.randomUniform([batch], 0, outputs, 'int32', 1) as tf.Tensor1D
    return tf.cast(tf.oneHot(drawn, outputs), 'float32')
  })
  const adam = tf.train.adam(1e-3)

  return {
    parameters: variables.reduce((total, { size }) => total + size, 0),
    train: async () => {
      const loss = () => tf.losses.softmaxCrossEntropy(labels, logits(images)) as tf.Scalar
      const cost = adam.minimize(loss, true, variables) as tf.Scalar
      const [value] = await cost.data()
      cost.dispose()
      return value as number
    },
    forward: async () => {
      const result = tf.tidy(() => logits(images))
      await result.data()
      result.dispose()
    },
    dispose: () => {
      adam.dispose()
      tf.dispose([variables, images, labels])
    },
  }
}
