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
      file('{"a":{"dtype":"F16","shape":[4],"data_offsets":[0,8]}}'),
      "tensor 'a' is 'F16', expected F32 or I32",
    ],
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
