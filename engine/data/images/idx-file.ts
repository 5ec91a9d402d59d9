import { gunzipSync } from 'fflate'
import { MixlabError, messageOf } from '../../errors.ts'

/** The contents of an IDX file of unsigned bytes: its dimensions and its values, flat. */
export interface IdxArray {
  shape: number[]
  values: Uint8Array
}

/**
 * Reads an IDX file, gzipped or not, of unsigned bytes in `dimensions` dimensions (3 for images, 1 for labels).
 * The header is big-endian: magic 0x000008 and the number of dimensions, then each dimension, 4 bytes each.
 * Throws MixlabError `data` with `path`, the name of the file, and the offset.
 */
export function parseIdx(file: Uint8Array, dimensions: number, path: string): IdxArray {
  const fail = (message: string) => new MixlabError('data', path, message)
  const bytes = file[0] === 0x1f && file[1] === 0x8b ? gunzip(file, path) : file
  const header = 4 + 4 * dimensions
  if (bytes.length < 4) throw fail(`offset 0: have ${bytes.length} bytes, need ${header} for the header`)

  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const magic = view.getUint32(0)
  const expected = 0x0800 + dimensions
  if (magic !== expected) {
    throw fail(`offset 0: magic ${hex(magic)}, expected ${hex(expected)} (unsigned bytes, ${dimensions}-dimensional)`)
  }
  if (bytes.length < header) throw fail(`offset 4: truncated, have ${bytes.length - 4} bytes, need ${header - 4}`)

  const shape = Array.from({ length: dimensions }, (_, i) => view.getUint32(4 + 4 * i))
  if (shape[0] === 0) throw fail('offset 4: empty, expected at least 1 example')
  const flat = shape.indexOf(0)
  if (flat > 0) throw fail(`offset ${4 + 4 * flat}: images of ${shape.slice(1).join('x')}, expected at least 1x1`)

  const have = bytes.length - header
  const need = shape.reduce((product, length) => product * length, 1)
  if (have < need) throw fail(`offset ${header}: truncated, have ${have} bytes, need ${need} (${shape.join(' x ')})`)
  if (have > need) throw fail(`offset ${header}: have ${have} bytes, expected ${need} (${shape.join(' x ')})`)
  return { shape, values: bytes.subarray(header) }
}

function gunzip(file: Uint8Array, path: string): Uint8Array {
  try {
    // The last 4 bytes say how much comes out. Deflate shrinks at most to a 1,032nd: more is a cut or damaged file,
    // and must not become a huge allocation.
    const length = new DataView(file.buffer, file.byteOffset, file.byteLength).getUint32(file.length - 4, true)
    if (length > file.length * 1032) throw new Error('unexpected end')
    return gunzipSync(file)
  } catch (error) {
    throw new MixlabError('data', path, `truncated or damaged gzip file: ${messageOf(error)}`)
  }
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`
}
