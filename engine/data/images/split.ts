import { checkIndices } from '../indices.ts'
import type { ImageBatch, Pool } from '../types.ts'

/** Examples in memory: `pixels` is `[count, height, width, channels]` in 0..255, flat. */
export interface ByteImages {
  pixels: Uint8Array
  labels: ArrayLike<number>
}

/** The examples `members` of `images`; `length` is the bytes of one example. */
export function splitOf(images: ByteImages, length: number, members: ArrayLike<number>): Pool<ImageBatch> {
  const read = async (indices: ArrayLike<number>) => {
    checkIndices(indices, members.length)
    const rows = Array.from(indices, (index) => members[index] ?? 0)
    return gather(images, length, rows)
  }
  return { size: members.length, read, labels: Array.from(members, (row) => images.labels[row] ?? 0) }
}

/** Copies examples into a batch, scaled to 0..1. */
export function gather(images: ByteImages, length: number, rows: ArrayLike<number>): ImageBatch {
  const pixels = new Float32Array(rows.length * length)
  const labels = new Int32Array(rows.length)
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0
    pixels.set(images.pixels.subarray(row * length, (row + 1) * length), i * length)
    labels[i] = images.labels[row] ?? 0
  }
  for (let i = 0; i < pixels.length; i++) pixels[i] = (pixels[i] ?? 0) / 255
  return { pixels, labels }
}
