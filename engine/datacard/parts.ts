import { base64, bytesOfBase64 } from '../data/base64.ts'
import { sizeOf } from '../data/own/example.ts'
import type { Field, FieldBatch } from '../data/types.ts'
import type { PartOf, Sample, SamplePart } from './schema.ts'

/** Longer sides of pictures, and longer texts, clouds and series, are thinned or cut. */
const MAX_SIDE = 96
const MAX_CHARACTERS = 2000
const MAX_POINTS = 512
const MAX_STEPS = 512
const MAX_CHANNELS = 8
const MAX_VALUES = 16
const MAX_CLASSES = 256

/** Example `i` of a batch, part by part. */
export function sampleOf(title: string, batch: FieldBatch, fields: Readonly<Record<string, Field>>, i: number): Sample {
  const parts = Object.entries(fields).map(([name, field]) => {
    const values = batch[name] as FieldBatch[string]
    const size = sizeOf(field.shape)
    const own = Array.isArray(values) ? (values[i] as string) : values.subarray(i * size, (i + 1) * size)
    return { name, part: partOf(name, own, field) }
  })
  return { title, parts }
}

/** A value of a field as it is drawn: what it is follows from its name, shape and classes. */
export function partOf(name: string, value: string | ArrayLike<number>, { shape, dtype, classes }: Field): SamplePart {
  if (typeof value === 'string') return { type: 'text', text: cut(value, MAX_CHARACTERS) }
  const [first = 0, second = 0, channels = 0] = shape
  if (classes && shape.length === 0) return classPart(classes, value[0] ?? 0)
  if (classes && shape.length === 1 && dtype === 'float32' && first === classes.length)
    return sharesPart(classes, value)
  if (classes && shape.length === 2) return maskPart(value, [first, second], classes)
  if (shape.length === 3 && (channels === 1 || channels === 3)) return imagePart(value, [first, second, channels])
  if (shape.length === 2 && second === 3 && name === 'points') return pointsPart(value)
  if (shape.length === 2 && dtype === 'float32' && first > 1) return seriesPart(value, second, null)
  return {
    type: 'values',
    values: Array.from({ length: Math.min(value.length, MAX_VALUES) }, (_, i) => short(value[i])),
    of: value.length,
  }
}

/** A class by its number. */
export function classPart(classes: readonly string[], label: number): PartOf<'class'> {
  return { type: 'class', shares: [{ name: classes[label] ?? `class ${label}`, share: 1 }] }
}

/** A distribution over classes: those that have a share, the largest first. */
export function sharesPart(classes: readonly string[], shares: ArrayLike<number>): PartOf<'class'> {
  const all = Array.from(shares, (share, i) => ({ name: classes[i] ?? `class ${i}`, share: short(share) }))
  return {
    type: 'class',
    shares: all
      .filter(({ share }) => share > 0)
      .sort((a, b) => b.share - a.share)
      .slice(0, MAX_CLASSES),
  }
}

/** A picture of `[height, width, channels]`: values of 0..1 as they are, others from their smallest to their largest. */
export function imagePart(values: ArrayLike<number>, [height, width, channels]: readonly number[]): PartOf<'image'> {
  const [rows, columns] = [height ?? 1, width ?? 1]
  const [low, high] = rangeOf(values)
  const bytes = thinned(rows, columns, channels ?? 1, (at) => (255 * ((values[at] ?? 0) - low)) / (high - low || 1))
  return { type: 'image', ...bytes, channels: channels === 3 ? 3 : 1 }
}

/** The class of each pixel of `[height, width]`. */
export function maskPart(
  values: ArrayLike<number>,
  [height, width]: readonly number[],
  classes: readonly string[],
): PartOf<'mask'> {
  return {
    type: 'mask',
    ...thinned(height ?? 1, width ?? 1, 1, (at) => values[at] ?? 0),
    classes: classes.slice(0, MAX_CLASSES),
  }
}

/** A cloud `[points, 3]`; of a large one every so many points. */
export function pointsPart(values: ArrayLike<number>): PartOf<'points'> {
  const count = values.length / 3
  const shown = Math.min(count, MAX_POINTS)
  const largest = Array.from(values).reduce((most, value) => Math.max(most, Math.abs(value)), 1)
  const at = (i: number) => 3 * Math.floor((Math.floor(i / 3) * count) / shown) + (i % 3)
  return { type: 'points', points: Array.from({ length: 3 * shown }, (_, i) => short((values[at(i)] ?? 0) / largest)) }
}

/** A series `[steps, channels]`, of which the steps from `from` on are forecast. */
export function seriesPart(values: ArrayLike<number>, channels: number, from: number | null): PartOf<'series'> {
  const steps = values.length / Math.max(1, channels)
  const every = Math.max(1, Math.ceil(steps / MAX_STEPS))
  const rows = Array.from({ length: Math.min(channels, MAX_CHANNELS) }, (_, channel) =>
    Array.from({ length: Math.ceil(steps / every) }, (_, i) => short(values[i * every * channels + channel])),
  )
  return { type: 'series', channels: rows, from: from === null ? null : Math.floor(from / every) }
}

/** Bytes of `[height, width, channels]` values, every so many rows and columns of large ones. */
function thinned(height: number, width: number, channels: number, byteAt: (at: number) => number) {
  const every = Math.max(1, Math.max(height, width) / MAX_SIDE)
  const [rows, columns] = [Math.max(1, Math.floor(height / every)), Math.max(1, Math.floor(width / every))]
  const bytes = new Uint8ClampedArray(rows * columns * channels)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const from = (Math.floor(row * every) * width + Math.floor(column * every)) * channels
      for (let c = 0; c < channels; c++) bytes[(row * columns + column) * channels + c] = byteAt(from + c)
    }
  }
  return { width: columns, height: rows, pixels: base64(bytes) }
}

function rangeOf(values: ArrayLike<number>): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < values.length; i++) {
    low = Math.min(low, values[i] ?? 0)
    high = Math.max(high, values[i] ?? 0)
  }
  return low >= 0 && high <= 1 ? [0, 1] : [low, high]
}

/** The beginning of a long text. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}...` : text
}

/** Three digits are enough to be drawn. */
const short = (value: number | undefined) => Number((value ?? 0).toPrecision(3))

/** The bytes of a picture or mask. */
export function bytesOf({ pixels }: Pick<PartOf<'image'>, 'pixels'>): Uint8Array {
  return bytesOfBase64(pixels)
}
