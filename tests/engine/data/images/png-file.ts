import { crc32, deflateSync } from 'node:zlib'

interface PngParts {
  width: number
  height: number
  /** 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA. */
  colour: 0 | 2 | 3 | 4 | 6
  depth?: number
  /** The bytes of each row as they are in the file, before filtering. */
  rows: number[][]
  palette?: number[]
  transparency?: number[]
  interlaced?: boolean
}

/** A PNG file put together by hand. */
export function pngFile({ width, height, colour, depth = 8, rows, palette, transparency, interlaced }: PngParts) {
  const data = deflateSync(Buffer.from(rows.flatMap((row) => [0, ...row])))
  const chunks = [
    ...(palette ? [chunk('PLTE', Buffer.from(palette))] : []),
    ...(transparency ? [chunk('tRNS', Buffer.from(transparency))] : []),
    chunk('IDAT', data),
  ]
  return pngOf([width, height, depth, colour], chunks, interlaced)
}

/** A PNG file of a header, which need not be true, and chunks. */
export function pngOf(
  [width, height, depth, colour]: readonly [number, number, number, number],
  chunks: Uint8Array[],
  interlaced = false,
): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return new Uint8Array(Buffer.concat([signature, chunk('IHDR', header), ...chunks, chunk('IEND', Buffer.alloc(0))]))
}

/** A grey PNG of one value. */
export function plainPng(width: number, height: number, value: number): Uint8Array {
  const rows = Array.from({ length: height }, () => Array.from({ length: width }, () => value))
  return pngFile({ width, height, colour: 0, rows })
}

/** A chunk with its checksum. */
export function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  out.set(body, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}
