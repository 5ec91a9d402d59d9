import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readNpz } from '../../../../engine/weights/files/npz.ts'
import { npy, npz } from './npy.ts'

const bytesOf = (values: { buffer: ArrayBufferLike }) => new Uint8Array(values.buffer as ArrayBuffer)
const one = (array: Uint8Array, name = 'a.npy') => zipSync({ [name]: array })
const read = (array: Uint8Array) => readNpz(one(array), 'f')[0]

describe('an .npz file', () => {
  it('has the arrays that were saved', () => {
    const tensors = [
      { name: 'a/kernel', shape: [2, 3], values: Float32Array.of(1, 2, 3, 4, 5, 6) },
      { name: 'scalar', shape: [], values: Float32Array.of(7) },
      { name: 'list', shape: [2], values: Float32Array.of(8, 9) },
    ]
    expect(readNpz(npz(tensors), 'f')).toEqual(tensors)
  })
  it.each([
    ['<f8', bytesOf(Float64Array.of(1.5, -2)), [1.5, -2]],
    ['<f2', Uint8Array.of(0, 0x3c, 0, 0xc0), [1, -2]],
    ['<i8', bytesOf(BigInt64Array.of(3n, -4n)), [3, -4]],
    ['<i8', bytesOf(BigInt64Array.of(3n, 2n ** 40n)), [3, 2 ** 40]],
    ['<i4', bytesOf(Int32Array.of(3, -4)), [3, -4]],
    ['|V2', Uint8Array.of(0x80, 0x3f, 0, 0xc0), [1, -2]],
    ['>f4', Uint8Array.of(0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0), [1, -2]],
    ['>f2', Uint8Array.of(0x3c, 0, 0xc0, 0), [1, -2]],
    ['>i8', Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 3, ...new Uint8Array(8).fill(255)), [3, -1]],
    ['|b1', Uint8Array.of(1, 0), [1, 0]],
  ])('reads %s', (type, bytes, values) => {
    expect([...(read(npy(type, [2], bytes))?.values ?? [])]).toEqual(values)
  })
  it('turns what lies column by column', () => {
    const bytes = bytesOf(Float32Array.of(1, 4, 2, 5, 3, 6))
    expect(read(npy('<f4', [2, 3], bytes, true))).toEqual({
      ...{ name: 'a', shape: [2, 3] },
      values: Float32Array.of(1, 2, 3, 4, 5, 6),
    })
  })
  const plain = npy('<f4', [2], bytesOf(Float32Array.of(1, 2)))
  it.each([
    ['no zip', strToU8('PK, but no zip'), 'f: is a damaged zip, or one cut short'],
    ['a zip cut short', one(plain).subarray(0, 60), 'f: is a damaged zip, or one cut short'],
    ['another file', one(strToU8('hello')), "f: 'a' is no array of numpy"],
    ['a header cut short', one(plain.subarray(0, 40)), "f: 'a' ends in its header"],
    [
      'too few values',
      one(npy('<f4', [1e9], new Uint8Array(8))),
      "f: 'a' has 8 bytes, shape [1000000000] needs 4000000000",
    ],
  ])('refuses %s', (_, file, message) => {
    expect(() => readNpz(file, 'f')).toThrow(
      expect.objectContaining({ code: 'weights', message: expect.stringContaining(message) }),
    )
  })
  it('is a zip of something else, which it names', () => {
    expect(() => readNpz(one(strToU8('hello'), 'readme.txt'), 'f')).toThrow(
      "f: is a zip of 'readme.txt'; unpack it and name its file of weights",
    )
  })
})
