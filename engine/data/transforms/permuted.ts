import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { keyOf, permutation } from '../../random.ts'
import { fieldsText, mapped, mapSplits } from '../form.ts'
import type { DataSpec, Field, FieldBatch } from '../types.ts'
import { transform, transformed } from './transform.ts'

/** How many leading axes of a field are places, e.g. the rows and columns of an image. */
const PLACES: Record<string, number> = { image: 2, tokens: 1, points: 1, values: 1 }

export const permutedTransform = transform(
  'permuted',
  ['data'],
  { seed: z.int().min(0).default(0) },
  ([data], { seed }) => {
    const [name, axes] = Object.entries(PLACES).find(([name]) => data.fields[name]?.shape.length) ?? []
    if (!name || !axes) {
      const what = `has ${fieldsText(data.fields)}; permuted takes ${Object.keys(PLACES).join(', ')}`
      throw new MixlabError('option', `data set '${data.name}'`, what)
    }
    const places = placesOf(data.fields[name] as Field, axes)
    const order = permutation(keyOf(seed, 'permuted'), places)
    // a map of classes goes with the pixels that it is of
    const { target } = data.fields
    const isMap = name === 'image' && target?.shape.length === 2
    const change = (batch: FieldBatch) => ({
      ...batch,
      [name]: reordered(batch, name, data.fields[name] as Field, order),
      ...(isMap && { target: reordered(batch, 'target', target as Field, order) }),
    })
    return mapSplits(data, (split) => mapped(split, change))
  },
)

/**
 * A data set with the pixels of every image, channels together, in one random order; so tokens, points
 * and values. `seed` is another order.
 */
export function permuted(data: DataSpec | string, options: { seed?: number } = {}): DataSpec {
  return transformed('permuted', { ...options, data }, ['data'])
}

const product = (sides: readonly number[]) => sides.reduce((all, side) => all * side, 1)
const placesOf = ({ shape }: Field, axes: number) => product(shape.slice(0, axes))

/** Place `i` of each example gets what was at `order[i]`. */
function reordered(batch: FieldBatch, name: string, { shape }: Field, order: Uint32Array): FieldBatch[string] {
  const values = batch[name] as Float32Array | Int32Array
  const width = product(shape) / order.length
  const result = values.slice()
  const size = width * order.length
  for (let start = 0; start < values.length; start += size) {
    for (let i = 0; i < order.length; i++) {
      const from = start + (order[i] as number) * width
      result.set(values.subarray(from, from + width), start + i * width)
    }
  }
  return result
}
