import { MixlabError, quoted } from '../errors.ts'
import type { NamedTensor } from './safetensors.ts'

const MAGIC = '\x93NUMPY'

/** Types of values that are read, by how numpy calls them; all but int32 become float32. */
const READERS: Record<string, (data: DataView, at: number) => number> = {
  '<f2': (data, at) => halfFloat(data.getUint16(at, true)),
  '<f4': (data, at) => data.getFloat32(at, true),
  '<f8': (data, at) => data.getFloat64(at, true),
  '<i4': (data, at) => data.getInt32(at, true),
}

/** The bytes of a .npy file, format 1.0 (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html). */
export function writeNpy({ shape, values }: Pick<NamedTensor, 'shape' | 'values'>): Uint8Array {
  const type = values instanceof Int32Array ? '<i4' : '<f4'
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(', ')
  const header = `{'descr': '${type}', 'fortran_order': False, 'shape': (${tuple}), }`
  const length = Math.ceil((10 + header.length + 1) / 64) * 64 - 10 // the data begin at a multiple of 64
  const file = new Uint8Array(10 + length + values.byteLength)
  file.set(Uint8Array.from(MAGIC, (sign) => sign.charCodeAt(0)))
  file.set([1, 0, length & 255, length >> 8], 6)
  file.set(new TextEncoder().encode(`${header.padEnd(length - 1)}\n`), 10)
  file.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), 10 + length)
  return file
}

/**
 * Reads a .npy file of float16, float32, float64 or int32, also one in the order of Fortran. Throws MixlabError `weights`
 * naming what is wrong; `source` names the file.
 */
export function readNpy(file: Uint8Array, source: string): Omit<NamedTensor, 'name'> {
  const fail = (what: string) => new MixlabError('weights', source, what)
  const { header, from } = headerOf(file, fail)
  const [, descr] = /'descr'\s*:\s*'([^']{1,20})'/.exec(header) ?? []
  const [, order] = /'fortran_order'\s*:\s*(True|False)/.exec(header) ?? []
  const [, lengths] = /'shape'\s*:\s*\(((?:\s*\d{1,16}\s*,?)*)\)/.exec(header) ?? []
  if (descr === undefined || order === undefined || lengths === undefined) {
    throw fail(`its header does not say type, order and shape: ${quoted(header)}`)
  }
  const read = Object.hasOwn(READERS, descr) ? READERS[descr] : undefined
  if (!read) throw fail(`is of type ${quoted(descr)}, expected ${Object.keys(READERS).join(', ')}`)
  const shape = lengths.split(',').flatMap((length) => (length.trim() ? [Number(length)] : []))
  const size = shape.reduce((product, length) => product * length, 1)
  const width = Number(descr.at(-1))
  if (file.length - from !== size * width) {
    throw fail(`has ${file.length - from} bytes of values, shape ${quoted(`[${shape}]`)} needs ${size * width}`)
  }
  const data = new DataView(file.buffer, file.byteOffset + from, size * width)
  const values = descr === '<i4' ? new Int32Array(size) : new Float32Array(size)
  const place = order === 'True' ? fromFortran(shape) : (i: number) => i
  for (let i = 0; i < size; i++) values[place(i)] = read(data, i * width)
  return { shape, values }
}

function headerOf(file: Uint8Array, fail: (what: string) => MixlabError): { header: string; from: number } {
  const version = file[6]
  if (file.length < 12 || String.fromCharCode(...file.subarray(0, 6)) !== MAGIC || !version || version > 3) {
    throw fail('is no .npy file')
  }
  const view = new DataView(file.buffer, file.byteOffset)
  const [begin, length] = version === 1 ? [10, view.getUint16(8, true)] : [12, view.getUint32(8, true)]
  if (begin + length > file.length) throw fail('ends within its header')
  return { header: new TextDecoder().decode(file.subarray(begin, begin + length)), from: begin + length }
}

/** Where value `i` of a file, whose first axis runs fastest, belongs where the last one does. */
function fromFortran(shape: number[]): (i: number) => number {
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, length) => product * length, 1))
  return (i) => {
    let [left, place] = [i, 0]
    for (const [axis, length] of shape.entries()) {
      place += (left % length) * (strides[axis] as number)
      left = Math.floor(left / length)
    }
    return place
  }
}

/** A number of 16 bits (IEEE 754 binary16). */
function halfFloat(bits: number): number {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023]
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024))
}
