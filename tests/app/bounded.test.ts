import { ExtensionCodec, encode } from '@msgpack/msgpack'
import { expect, it } from 'vitest'
import { checkValues } from '../../app/bounded.ts'

const extensionCodec = new ExtensionCodec()
extensionCodec.register({
  type: 0,
  encode: (value) => (value instanceof Float64Array ? new Uint8Array(value.buffer) : null),
  decode: () => null,
})

const many = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value)

/** Whatever length their heads have: what they hold counts, and is followed by what comes next. */
it.each<[string, unknown, number]>([
  ['numbers', [1, -1, 200, -200, 70_000, -70_000, 5e9, 0.5, null, true], 11],
  ['bytes', many(3, [new Uint8Array(9), new Uint8Array(300), new Uint8Array(70_000)]), 13],
  ['texts', ['a'.repeat(16), 'a'.repeat(32), 'a'.repeat(320), 'a'.repeat(70_400)], 4 + 1.5 + 10 + 2200 + 1],
  ['arrays', [many(9, 1), many(300, 1), many(70_000, 1)], 4 + 70_309],
  ['objects', many(20, { a: 1, b: { c: 2 } }), 20 * (1 + 2 * 2 + 2) + 1 + 20 * (3 / 32)],
  ['an object of many', Object.fromEntries(many(300, 0).map((_, i) => [`${i}`, i])), 1 + 600 + 790 / 32],
  ['arrays of numbers', [new Float64Array(3), new Float64Array(60), new Float64Array(9000)], 4 + 9063],
])('counts %s', (_, value, count) => {
  const message = encode(value, { extensionCodec })
  const last = encode([value, 1], { extensionCodec })
  expect(() => checkValues(message, Math.ceil(count))).not.toThrow()
  expect(() => checkValues(last, Math.ceil(count) + 1)).toThrow(`more than ${Math.ceil(count) + 1} values`)
})

it('reads no further than what it may', () => {
  const endless = new Uint8Array(5 * (2 ** 21 + 1)).fill(0xdd) // an array in an array, each of as many as there can be
  expect(() => checkValues(endless)).toThrow('a message with more than 100 lists within each other')
  const wide = new Uint8Array(2 ** 21 + 5)
  wide.set([0xdd, 0, 0x20, 0, 1]) // a list of 2^21 + 1 zeros
  expect(() => checkValues(wide)).toThrow('a message of more than 2097152 values')
  const deep = new Uint8Array(2 ** 20).fill(0x91) // a list in a list
  expect(() => checkValues(deep)).toThrow('a message with more than 100 lists within each other')
  checkValues(deep.subarray(0, 99))
  for (const cut of [[0xdb, 0xff], [0xc6], [0x93, 0xdf]]) expect(() => checkValues(Uint8Array.from(cut))).toThrow()
  checkValues(new Uint8Array())
})
