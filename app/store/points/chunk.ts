import type { Database } from '../database.ts'

/** Points of one series that share a row. All chunks of a series but the last are full. */
export const chunkSize = 1024

/** The points of one metric as they are read. */
export interface PackedPoints {
  steps: Float64Array
  values: Float64Array
}

/**
 * The points of a chunk as they are stored: float64, little-endian like every machine this runs on. Of three steps or more
 * at even distances there are the first one and the distance, of others all.
 */
export interface StoredChunk {
  step_data: Uint8Array
  value_data: Uint8Array
}

/** The points of a series from index `from` to before `to`, fewer where it ends before. */
export function readPoints(
  database: Database,
  run: number,
  metric: number,
  from = 0,
  to = Number.MAX_SAFE_INTEGER,
): PackedPoints {
  const first = Math.floor(from / chunkSize)
  const chunks = database.all<StoredChunk>(
    `select step_data, value_data from metric_chunk where run = ? and metric = ? and number between ? and ?
     order by number`,
    ...[run, metric, first, Math.floor((to - 1) / chunkSize)],
  )
  const values = fromBlobs(chunks.map((chunk) => chunk.value_data))
  const steps = new Float64Array(values.length)
  for (const [i, chunk] of chunks.entries()) steps.set(unpackChunk(chunk).steps, i * chunkSize)
  const cut = (numbers: Float64Array) => numbers.subarray(from - first * chunkSize, to - first * chunkSize)
  return { steps: cut(steps), values: cut(values) }
}

/** The points of one chunk. */
export function unpackChunk({ step_data, value_data }: StoredChunk): PackedPoints {
  const values = fromBlobs([value_data])
  return { steps: unpackSteps(step_data, values.length), values }
}

/** The steps of a chunk as they are stored. */
export function packSteps(steps: Float64Array): Uint8Array {
  const [first = 0, second = 0] = steps
  const even = steps.length > 2 && steps.every((step, i) => step === first + i * (second - first))
  return toBlob(even ? Float64Array.of(first, second - first) : steps)
}

/** The steps of a chunk of so many points. */
export function unpackSteps(data: Uint8Array, count: number): Float64Array {
  const stored = fromBlobs([data])
  if (stored.length === count) return stored
  const [first = 0, distance = 0] = stored
  const steps = new Float64Array(count)
  for (let i = 0; i < count; i++) steps[i] = first + i * distance
  return steps
}

/** The bytes of numbers, which they share. */
export function toBlob(numbers: Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/** The numbers of some blobs, one after the other, with room for `more`; of one blob those bytes themselves where they can be. */
export function fromBlobs(blobs: Uint8Array[], more = 0): Float64Array {
  const [only] = blobs
  if (only && blobs.length === 1 && more === 0 && only.byteOffset % 8 === 0)
    return new Float64Array(only.buffer, only.byteOffset, only.length / 8)
  // A copy, because the bytes need not be aligned.
  const bytes = new Uint8Array(blobs.reduce((sum, { length }) => sum + length, more * 8))
  let end = 0
  for (const blob of blobs) {
    bytes.set(blob, end)
    end += blob.length
  }
  return new Float64Array(bytes.buffer)
}
