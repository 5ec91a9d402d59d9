import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { integer, keyOf, uniform } from '../../random.ts'
import { fieldsText, whole } from '../form.ts'
import type { DataSpec } from '../types.ts'
import { transform, transformed } from './transform.ts'

export const noisyLabelsTransform = transform(
  'noisyLabels',
  ['data'],
  { rate: z.number().min(0).max(1), seed: z.int().min(0).default(0) },
  ([{ name, train, fields }], { rate, seed }) => {
    const { classes = [] } = fields.label ?? {}
    if (classes.length < 2) {
      const what = `has ${fieldsText(fields)}; noisyLabels takes a label of 2 classes or more`
      throw new MixlabError('option', `data set '${name}'`, what)
    }
    const key = keyOf(seed, 'noisyLabels')
    const noisy = (label: number, index: number) =>
      uniform(key, 2 * index) < rate
        ? (label + 1 + integer(key, 2 * index + 1, classes.length - 1)) % classes.length
        : label
    const read: typeof train.read = async (indices, draw) => {
      const batch = await train.read(indices, draw)
      return { ...batch, label: whole(batch, 'label').map((label, i) => noisy(label, indices[i] as number)) }
    }
    return { train: { size: train.size, read } }
  },
)

/**
 * A data set of which each training label is, with probability `rate`, one of the other classes, drawn by `seed` (symmetric
 * label noise). What is validated and tested on keeps its labels.
 */
export function noisyLabels(data: DataSpec | string, rate: number, options: { seed?: number } = {}): DataSpec {
  return transformed('noisyLabels', { ...options, data, rate }, ['data'])
}
