import { MixlabError, messageOf } from '../../errors.ts'
import { bytesText, inflate, inflatedStart, MAX_DEFLATE_RATIO, MAX_FILE_MEMORY } from '../inflate.ts'

/** The contents of an IDX file of unsigned bytes: its dimensions and its values, flat. */
export interface IdxArray {
  shape: number[]
  values: Uint8Array
}

/**
 * Reads an IDX file, gzipped or not, of unsigned bytes in `dimensions` dimensions (3 for images, 1 for labels).
 * The header is big-endian: magic 0x000008 and the number of dimensions, then each dimension, 4 bytes each.
 * Throws MixlabError `data` with `path`, the name of the file, and the offset. No more is unzipped than the header says.
 */
export function parseIdx(file: Uint8Array, dimensions: number, path: string): IdxArray {
  const fail = (message: string) => new MixlabError('data', path, message)
  const zipped = file[0] === 0x1f && file[1] === 0x8b
  const header = 4 + 4 * dimensions
  const bytes = zipped ? unzipped(path, () => startOf(file, header)) : file
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

  const need = shape.reduce((product, length) => product * length, 1)
  if (need > MAX_FILE_MEMORY)
    throw fail(`${shape.join(' x ')} bytes are ${bytesText(need)}, expected at most ${bytesText(MAX_FILE_MEMORY)}`)
  const values = zipped ? unzipped(path, () => valuesOf(file, header, need)) : bytes.subarray(header)
  const have = values.length
  if (have < need) throw fail(`offset ${header}: truncated, have ${have} bytes, need ${need} (${shape.join(' x ')})`)
  if (have > need) {
    const told = zipped ? 'more bytes' : `${have} bytes`
    throw fail(`offset ${header}: have ${told}, expected ${need} (${shape.join(' x ')})`)
  }
  return { shape, values }
}

function startOf(file: Uint8Array, header: number): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  // the last 4 bytes say how much comes out: what they cannot mean is a cut or damaged file
  if (file.length < 18 || view.getUint32(file.length - 4, true) > file.length * MAX_DEFLATE_RATIO) {
    throw new Error('unexpected end')
  }
  return inflatedStart('gzip', file, header)
}

/** The values behind the header, and one more where more come. */
function valuesOf(file: Uint8Array, header: number, need: number): Uint8Array {
  // more than that cannot come of it, and must not become a huge allocation
  if (need > file.length * MAX_DEFLATE_RATIO) throw new Error('unexpected end')
  const values = new Uint8Array(need + 1)
  let at = -header
  inflate('gzip', [file], (part) => {
    const own = part.subarray(Math.max(0, -at))
    values.set(own.subarray(0, values.length - Math.max(0, at)), Math.max(0, at))
    at += part.length
    return at > need
  })
  return values.subarray(0, Math.max(0, at))
}

function unzipped(path: string, read: () => Uint8Array): Uint8Array {
  try {
    return read()
  } catch (error) {
    throw new MixlabError('data', path, `truncated or damaged gzip file: ${messageOf(error)}`)
  }
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`
}
