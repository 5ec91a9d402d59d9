import { Gunzip, Unzlib } from 'fflate'

/** How much memory reading one file of data may take, in bytes. What says that it needs more is refused before it is read. */
export const MAX_FILE_MEMORY = 2 ** 30

/** Deflate shrinks to a 1,032nd at most. */
export const MAX_DEFLATE_RATIO = 1032

/** Bytes that fflate gets at once; it returns all that they inflate to at once, 4 MiB at most. */
const SLICE = 4096

const FORMATS = { gzip: Gunzip, zlib: Unzlib }

/**
 * Inflates data bit by bit and hands on what comes, until `take` says that it has enough. Throws an Error for damaged
 * data, and for data that end too early.
 */
export function inflate(
  format: keyof typeof FORMATS,
  parts: readonly Uint8Array[],
  take: (part: Uint8Array) => boolean,
) {
  let enough = false
  const stream = new FORMATS[format]((part) => {
    enough ||= take(part)
  })
  for (const [index, part] of parts.entries()) {
    for (let at = 0; at < part.length; at += SLICE) {
      const last = index === parts.length - 1 && at + SLICE >= part.length
      stream.push(part.subarray(at, at + SLICE), last)
      if (enough) return
    }
  }
}

/** How many bytes the inflated data have, counted up to the first beyond `most`; none are kept. */
export function inflatedLength(format: keyof typeof FORMATS, parts: readonly Uint8Array[], most: number): number {
  let length = 0
  inflate(format, parts, (part) => {
    length += part.length
    return length > most
  })
  return length
}

/** The first `length` bytes of the inflated data; fewer where they are shorter. */
export function inflatedStart(format: keyof typeof FORMATS, data: Uint8Array, length: number): Uint8Array {
  const start = new Uint8Array(length)
  let at = 0
  inflate(format, [data], (part) => {
    start.set(part.subarray(0, length - at), at)
    at = Math.min(length, at + part.length)
    return at === length
  })
  return start.subarray(0, at)
}

/** Bytes in words: 3.4 GB. */
export function bytesText(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
