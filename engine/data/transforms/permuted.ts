import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { keyOf, permutation } from '../../random.ts'
import { fieldsText, mapped, mapSplits } from '../form.ts'
import type { DataSpec, Field, FieldBatch, FieldDataset } from '../types.ts'
import { transform, transformed } from './transform.ts'

/** How many leading axes of a field are places, e.g. the rows and columns of an image. */
const PLACES: Record<string, number> = { image: 2, tokens: 1, points: 1, values: 1 }

export const permutedTransform = transform(
  'permuted',
  ['data'],
  { seed: z.int().min(0).default(0), patch: z.int().min(1).optional() },
  ([data], { seed, patch }) => {
    const [name, axes] = Object.entries(PLACES).find(([name]) => data.fields[name]?.shape.length) ?? []
    if (!name || !axes) {
      const what = `has ${fieldsText(data.fields)}; permuted takes ${Object.keys(PLACES).join(', ')}`
      throw new MixlabError('option', `data set '${data.name}'`, what)
    }
    const order = orderOf(data, name, axes, seed, patch)
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
 * and values. With `patch`, the side of a patch in pixels, the patches of an image are in one random order, and the pixels
 * within each of them in another, the same for all patches (Tolstikhin et al. 2021, section 3.4). `seed` is another order.
 */
export function permuted(data: DataSpec | string, options: { seed?: number; patch?: number } = {}): DataSpec {
  return transformed('permuted', { ...options, data }, ['data'])
}

/** What stands at each place: all places by one draw, or patches and the pixels within them by a draw each. */
function orderOf(data: FieldDataset, name: string, axes: number, seed: number, patch: number | undefined): Uint32Array {
  const [height = 1, width = 1] = (data.fields[name] as Field).shape
  if (patch === undefined) return permutation(keyOf(seed, 'permuted'), axes === 2 ? height * width : height)
  if (axes < 2) throw new MixlabError('option', `data set '${data.name}'`, `has ${name}; only images have patches`)
  if (height % patch > 0 || width % patch > 0) {
    const what = `${patch}; the images have ${height} x ${width} pixels, which are no whole number of such patches`
    throw new MixlabError('option', 'permuted.patch', what)
  }
  const across = width / patch
  const patches = permutation(keyOf(seed, 'permuted/patches'), (height / patch) * across)
  const within = permutation(keyOf(seed, 'permuted/pixels'), patch * patch)
  return Uint32Array.from({ length: height * width }, (_, place) => {
    const [row, column] = [Math.floor(place / width), place % width]
    const own = patches[Math.floor(row / patch) * across + Math.floor(column / patch)] as number
    const pixel = within[(row % patch) * patch + (column % patch)] as number
    const [top, left] = [Math.floor(own / across) * patch, (own % across) * patch]
    return (top + Math.floor(pixel / patch)) * width + left + (pixel % patch)
  })
}

const product = (sides: readonly number[]) => sides.reduce((all, side) => all * side, 1)

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
