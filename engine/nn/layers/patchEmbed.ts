import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { type Initialiser, lecunNormal, zeros } from '../initialisers.ts'
import { convLayout } from '../layout.ts'
import { pairOf } from '../operations/convolve.ts'
import { currentPass, parameter, scope } from '../scope.ts'

/** Sides of a patch in pixels: a number for a square. */
export type Patch = number | [height: number, width: number]

export const sidesOf: (patch: Patch) => [height: number, width: number] = pairOf

export interface PatchEmbedOptions {
  name?: string
  weight?: Initialiser
  /** False for a layer without bias. */
  bias?: Initialiser | false
}

/**
 * Patch embedding: cuts images into patches and maps each to `dim` channels: `[batch, height, width, channels]` to
 * `[batch, tokens, dim]`, tokens row by row. The same as a convolution with kernel and stride `patch`. Throws MixlabError
 * `option` for patches that do not fill the image.
 */
export function patchEmbed(images: tf.Tensor, patch: Patch, dim: number, options: PatchEmbedOptions = {}): tf.Tensor {
  const { name, weight = lecunNormal, bias = zeros } = options
  const [batch, height, width, channels] = images.shape as [number, number, number, number]
  const [high, wide] = sidesOf(patch)
  if (height % high !== 0 || width % wide !== 0) {
    throw new MixlabError(
      'option',
      'model.patch',
      `${JSON.stringify(patch)} does not divide the image, ${height} x ${width}`,
    )
  }
  return scope('patch_embed', name, () => {
    const [rows, columns, values] = [height / high, width / wide, high * wide * channels]
    currentPass('patchEmbed').grid = [rows, columns]
    const layout = convLayout(high, wide, channels, dim)
    const kernel = parameter('weight', [values, dim], weight, { layout }) as tf.Tensor as tf.Tensor2D
    const grid = tf.reshape(images, [batch, rows, high, columns, wide, channels])
    const patches = tf.transpose(grid, [0, 1, 3, 2, 4, 5]) // [batch, rows, columns, high, wide, channels]
    const flat = tf.reshape(patches, [batch * rows * columns, values]) as tf.Tensor2D
    const embedded = tf.reshape(tf.matMul(flat, kernel), [batch, rows * columns, dim])
    return bias ? tf.add(embedded, parameter('bias', [dim], bias, { fans: { in: values, out: dim } })) : embedded
  })
}
