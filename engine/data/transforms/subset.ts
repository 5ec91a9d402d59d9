import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { keyOf, permutation } from '../../random.ts'
import { checkIndices } from '../indices.ts'
import type { DataSpec } from '../types.ts'
import { transform, transformed } from './transform.ts'

export const subsetTransform = transform(
  'subset',
  ['data'],
  { examples: z.int().min(1), seed: z.int().min(0).default(0) },
  ([{ name, train }], { examples, seed }) => {
    if (examples > train.size) {
      throw new MixlabError('option', 'subset', `${examples} of '${name}', which has ${train.size} to train on`)
    }
    const members = permutation(keyOf(seed, 'subset'), train.size).slice(0, examples).sort()
    const read: typeof train.read = async (indices, draw) => {
      checkIndices(indices, members.length)
      return train.read(
        Array.from(indices, (index) => members[index] as number),
        draw,
      )
    }
    return { train: { size: members.length, read } }
  },
)

/**
 * A data set with `examples` of its training examples, drawn by `seed`; a smaller number is a part of a larger one. What is
 * validated and tested on stays.
 */
export function subset(data: DataSpec | string, examples: number, options: { seed?: number } = {}): DataSpec {
  return transformed('subset', { ...options, data, examples }, ['data'])
}
