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
    scale(images.pixels, row * length, pixels.subarray(i * length, (i + 1) * length))
    labels[i] = images.labels[row] ?? 0
  }
  return { pixels, labels }
}

/** What each byte is, scaled to 0..1. */
const SCALED = Float32Array.from({ length: 256 }, (_, byte) => byte / 255)

/** Bytes from `from` on, scaled to 0..1. */
export function scale(bytes: Uint8Array, from: number, scaled: Float32Array): void {
  for (let i = 0; i < scaled.length; i++) scaled[i] = SCALED[bytes[from + i] as number] as number
}
