import { expect, it } from 'vitest'
import { decode, encode, many, one } from '../../../../../engine/export/formats/onnx/protobuf.ts'

const Inner = { label: one(1, 'string'), sizes: many(2, 'int64') }
const Outer = {
  count: one(1, 'int32'),
  share: one(2, 'float'),
  raw: one(3, 'bytes'),
  inner: one(4, Inner),
  list: many(5, Inner),
}

it('reads what it wrote, fields that are not there left out', () => {
  const message = {
    count: -3,
    share: 0.5,
    raw: new Uint8Array([1, 2]),
    inner: { sizes: [2n ** 40n, -1n] },
    list: [{ label: 'é' }, {}],
  }
  expect(decode(Outer, encode(Outer, message))).toEqual(message)
  expect(decode(Outer, encode(Outer, {}))).toEqual({})
})

it('writes by number and type, as protobuf says', () => {
  expect([...encode(Outer, { count: 1, inner: { label: 'ab' } })]).toEqual([8, 1, 34, 4, 10, 2, 97, 98])
})

it('reads lists of numbers packed into one field, the last of values and messages that come twice, and skips others', () => {
  expect(decode(Inner, new Uint8Array([18, 2, 5, 6, 16, 7]))).toEqual({ sizes: [5n, 6n, 7n] })
  expect(decode(Outer, new Uint8Array([8, 1, 8, 2]))).toEqual({ count: 2 })
  const twice = [34, 3, 10, 1, 97, 34, 2, 16, 4]
  expect(decode(Outer, new Uint8Array([...twice, 0x78, 9]))).toEqual({ inner: { label: 'a', sizes: [4n] } })
})

it.each([
  ['ends within a number', [8, 128]],
  ['ends within a text', [34, 4, 10, 9, 97, 98]],
  ['has a field with number 0', [0, 1]],
  ['has a type of value that is none', [0x0f, 1]],
])('refuses what %s', (_, bytes) => {
  expect(() => decode(Outer, new Uint8Array(bytes))).toThrow()
})
