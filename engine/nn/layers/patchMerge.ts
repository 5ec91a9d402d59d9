import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { type Initialiser, xavierUniform } from '../initialisers.ts'
import { currentPass, scope } from '../scope.ts'
import { dense } from './dense.ts'
import { layerNorm } from './layerNorm.ts'
import { type Patch, sidesOf } from './patchEmbed.ts'
import { tokenGridOf } from './tokenGrid.ts'

export interface PatchMergeOptions {
  name?: string
  /** Rows and columns of patches that become one; a number for a square, 2 by default. */
  merge?: Patch
  weight?: Initialiser
  /** Of the norm. */
  eps?: number
}

/**
 * Patch merging, the downsampling between the stages of a pyramid: neighbouring patches are put behind one another in
 * their channels, normalised, and mapped to `dim` without bias: `[batch, tokens, channels]` to `[batch, tokens / n, dim]`
 * for `n` patches in one (Swin, Liu et al. 2021, section 3.1; channels in the order of its code). Throws MixlabError
 * `option` for tokens that are no such grid of patches.
 */
export function patchMerge(x: tf.Tensor, dim: number, options: PatchMergeOptions = {}): tf.Tensor {
  const { name, merge = 2, weight = xavierUniform, eps = 1e-5 } = options
  const [batch, tokens, channels] = x.shape as [number, number, number]
  const [high, wide] = sidesOf(merge)
  const [rows, columns] = gridFor(tokens, high, wide)
  return scope('patch_merge', name, () => {
    const [fewerRows, fewerColumns] = [rows / high, columns / wide]
    const apart = tf.reshape(x, [batch, fewerRows, high, fewerColumns, wide, channels])
    const together = tf.transpose(apart, [0, 1, 3, 4, 2, 5]) // [batch, rows, columns, wide, high, channels]
    const merged = tf.reshape(together, [batch, fewerRows * fewerColumns, high * wide * channels])
    currentPass('patchMerge').grid = [fewerRows, fewerColumns]
    return dense(layerNorm(merged, { name: 'norm', eps }), dim, { name: 'reduction', weight, bias: false })
  })
}

/** Rows and columns of so many tokens, of which such patches can be made. */
function gridFor(tokens: number, high: number, wide: number): [rows: number, columns: number] {
  const grid = tokenGridOf(tokens)
  const fail = (what: string) => new MixlabError('option', 'patchMerge', what)
  if (!grid) throw fail(`${tokens} tokens that are no grid of patches, expected those of an image`)
  const [rows, columns] = grid
  if (rows % high === 0 && columns % wide === 0) return grid
  throw fail(`${rows} x ${columns} patches cannot be merged by ${high} x ${wide}`)
}
