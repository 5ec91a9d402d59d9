import { base64 } from '../../engine/data/base64.ts'
import type { ImagesBody } from '../protocol/body.ts'
import type { TensorLike } from './tensorBody.ts'

/** A smaller picture is easier read as numbers. */
const SMALLEST = 8
const MAX_IMAGES = 24
/** Pixels along the longer side: of one picture, and of each of several. */
const SIDE_OF_ONE = 384
const SIDE_OF_MANY = 64

/** A tensor of the shape [h, w, 1 or 3] or [n, h, w, 1 or 3] as pictures, or null for others. Its size has a bound. */
export function imagesBody({ shape }: Pick<TensorLike, 'shape'>, values: ArrayLike<number>): ImagesBody | null {
  const [count = 0, height = 0, width = 0, channels = 0] = shape.length === 3 ? [1, ...shape] : shape
  if ((shape.length !== 3 && shape.length !== 4) || count === 0) return null
  if (height < SMALLEST || width < SMALLEST || (channels !== 1 && channels !== 3)) return null
  const shown = Math.min(count, MAX_IMAGES)
  const shrunk = Math.max(1, Math.max(height, width) / (count === 1 ? SIDE_OF_ONE : SIDE_OF_MANY))
  const [rows, columns] = [Math.max(1, Math.floor(height / shrunk)), Math.max(1, Math.floor(width / shrunk))]
  const size = height * width * channels
  const { scale, offset, note } = brightness(values, shown * size)
  const images = Array.from({ length: shown }, (_, image) => {
    const bytes = new Uint8ClampedArray(rows * columns * channels)
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const from = (Math.floor(row * shrunk) * width + Math.floor(column * shrunk)) * channels
        for (let channel = 0; channel < channels; channel++) {
          const value = values[image * size + from + channel] ?? 0
          bytes[(row * columns + column) * channels + channel] = (value - offset) * scale
        }
      }
    }
    return base64(bytes)
  })
  const notes = [shown < count && `${shown} of ${count}`, shrunk > 1 && `${height} × ${width} made smaller`, note]
  return {
    type: 'images',
    width: columns,
    height: rows,
    channels,
    images,
    note: notes.filter(Boolean).join(', ') || null,
  }
}

/** How values become bytes: those from 0 to 1 and from 0 to 255 as they are, others from their smallest to largest. */
function brightness(values: ArrayLike<number>, count: number): { scale: number; offset: number; note: string | null } {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < count; i++) {
    const value = values[i] ?? 0
    if (value < min) min = value
    if (value > max) max = value
  }
  if (min >= 0 && max <= 1) return { scale: 255, offset: 0, note: null }
  if (min >= 0 && max <= 255) return { scale: 1, offset: 0, note: null }
  const short = (value: number) => String(Number(value.toPrecision(3)))
  return { scale: 255 / (max - min || 1), offset: min, note: `black is ${short(min)}, white is ${short(max)}` }
}
