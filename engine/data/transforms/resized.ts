import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { fieldsText, floats, mapped, mapSplits, whole } from '../form.ts'
import { resampleWeights } from '../images/resize.ts'
import type { DataSpec, FieldBatch } from '../types.ts'
import { transform, transformed } from './transform.ts'

const side = z.int().min(1).max(4096)

export const resizedTransform = transform(
  'resized',
  ['data'],
  { size: z.union([side, z.tuple([side, side])]) },
  ([data], { size }) => {
    const { image, target } = data.fields
    if (image?.shape.length !== 3) {
      const what = `has ${fieldsText(data.fields)}; resized takes image [height, width, channels]`
      throw new MixlabError('option', `data set '${data.name}'`, what)
    }
    const [height, width] = typeof size === 'number' ? [size, size] : size
    const [fromHeight = 0, fromWidth = 0, channels = 0] = image.shape
    const from: Sides = [fromHeight, fromWidth]
    const isMap = target?.dtype === 'int32' && target.shape.join() === from.join()
    const change = (batch: FieldBatch): FieldBatch => ({
      ...batch,
      image: resample(floats(batch, 'image'), from, [height, width], channels),
      ...(isMap && { target: nearest(whole(batch, 'target'), from, [height, width]) }),
    })
    return {
      ...mapSplits(data, (split) => mapped(split, change)),
      fields: {
        ...data.fields,
        image: { ...image, shape: [height, width, channels] },
        ...(isMap && { target: { ...target, shape: [height, width] } }),
      },
    }
  },
)

/**
 * Images of another size, `size` or `[height, width]` pixels: bilinear, with a wider filter where they shrink, as `folder`
 * resizes; a map of classes takes the class of the nearest pixel.
 */
export function resized(data: DataSpec | string, size: number | [height: number, width: number]): DataSpec {
  return transformed('resized', { data, size }, ['data'])
}

type Sides = [height: number, width: number]

/** `[count, height, width, channels]` to other sides. */
function resample(images: Float32Array, [height, width]: Sides, [down, across]: Sides, channels: number): Float32Array {
  const count = images.length / (height * width * channels)
  const rows = along(images, count * height, width, across, channels)
  return along(rows, count, height, down, across * channels)
}

/** Resamples the middle axis of `[outer, from, inner]` to `to` places. */
function along(values: Float32Array, outer: number, from: number, to: number, inner: number): Float32Array {
  const taps = resampleWeights(from, to)
  const result = new Float32Array(outer * to * inner)
  for (let o = 0; o < outer; o++) {
    for (const [at, { first, weights }] of taps.entries()) {
      for (const [k, weight] of weights.entries()) {
        const source = (o * from + first + k) * inner
        const place = (o * to + at) * inner
        for (let i = 0; i < inner; i++)
          result[place + i] = (result[place + i] as number) + weight * (values[source + i] as number)
      }
    }
  }
  return result
}

function nearest(maps: Int32Array, [height, width]: Sides, [down, across]: Sides): Int32Array {
  const count = maps.length / (height * width)
  const result = new Int32Array(count * down * across)
  const place = (at: number, from: number, to: number) => Math.min(from - 1, Math.floor(((at + 0.5) * from) / to))
  for (let i = 0; i < result.length; i++) {
    const [x, y, example] = [i % across, Math.floor(i / across) % down, Math.floor(i / (across * down))]
    result[i] = maps[(example * height + place(y, height, down)) * width + place(x, width, across)] as number
  }
  return result
}
