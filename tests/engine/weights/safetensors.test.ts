import { describe, expect, it } from 'vitest'
import { readSafetensors, writeSafetensors } from '../../../engine/weights/safetensors.ts'

const tensors = [
  { name: 'a.weight', shape: [2, 3], values: Float32Array.from([1, 2, 3, 4, 5, -6.5]) },
  { name: 'steps', shape: [2], values: Int32Array.from([7, -8]) },
  { name: 'scalar', shape: [], values: Float32Array.from([Number.POSITIVE_INFINITY]) },
  { name: 'none', shape: [0, 4], values: new Float32Array() },
]

/** A file with this header and data. */
function file(header: string, data = new Uint8Array(8), length = header.length): Uint8Array {
  const bytes = new Uint8Array(8 + header.length + data.length)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true)
  bytes.set(new TextEncoder().encode(header), 8)
  bytes.set(data, 8 + header.length)
  return bytes
}

describe('safetensors', () => {
  it('reads back what it wrote', () => {
    expect(readSafetensors(writeSafetensors(tensors, { format: 'pt' }))).toEqual({
      tensors,
      metadata: { format: 'pt' },
    })
  })
  it('reads from any place in a larger buffer', () => {
    const bytes = writeSafetensors(tensors)
    const shifted = new Uint8Array(bytes.length + 3)
    shifted.set(bytes, 3)
    expect(readSafetensors(shifted.subarray(3)).tensors).toEqual(tensors)
    expect(readSafetensors(Buffer.from(bytes)).tensors).toEqual(tensors)
  })
  it.each([
    ['F16', [0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00, 0x00, 0x7c], [1, -2, 2 ** -24, Number.POSITIVE_INFINITY]],
    ['BF16', [0x80, 0x3f, 0x00, 0xc0, 0x00, 0x00, 0x80, 0x7f], [1, -2, 0, Number.POSITIVE_INFINITY]],
    ['F64', [0, 0, 0, 0, 0, 0, 0xf8, 0x3f], [1.5]],
    ['I64', [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [-2]],
  ])('reads %s', (dtype, bytes, values) => {
    const header = JSON.stringify({ a: { dtype, shape: [values.length], data_offsets: [0, 8] } })
    const [tensor] = readSafetensors(file(header, Uint8Array.from(bytes))).tensors
    expect([...(tensor?.values ?? [])]).toEqual(values)
  })
  it('starts its data on a multiple of 8', () => {
    const bytes = writeSafetensors(tensors)
    expect(Number(new DataView(bytes.buffer).getBigUint64(0, true)) % 8).toBe(0)
  })
  it.each([
    ['too short', new Uint8Array(4), 'f: 4 bytes, too short for a safetensors header'],
    ['a header beyond the end', file('{}', new Uint8Array(), 99), 'f: header of 99 bytes in a file of 10; not a'],
    ['no JSON', file('{"a":'), 'f: the header is no JSON'],
    [
      'another type',
      file('{"a":{"dtype":"F8_E4M3","shape":[8],"data_offsets":[0,8]}}'),
      "tensor 'a' is 'F8_E4M3', expected one of F32, F16, BF16, F64, I32, I64, I16, I8, U8, BOOL",
    ],
    ['a header of no names', file('null'), 'f: the header names no tensors'],
    ['no offsets', file('{"a":{"dtype":"F32","shape":[2]}}'), "tensor 'a' has no valid shape and offsets"],
    [
      'a negative offset',
      file('{"a":{"dtype":"F32","shape":[2],"data_offsets":[-8,0]}}'),
      'no valid shape and offsets',
    ],
    ['a size that is not its shape', file('{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}'), 'needs 12'],
    [
      'truncated data',
      file('{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}'),
      'ends at byte 16, the data at 8',
    ],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => readSafetensors(bytes, 'f')).toThrow(message)
  })
})
