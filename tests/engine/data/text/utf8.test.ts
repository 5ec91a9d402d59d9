import { utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { decodeText, withoutCutEnd, withoutCutStart } from '../../../../engine/data/text/utf8.ts'

const decode = (...bytes: number[]) => decodeText(Uint8Array.from(bytes), 'f', (offset) => `offset ${offset}`)

describe('decodeText', () => {
  it('decodes all of Unicode, without a byte order mark', () => {
    expect(decode(...utf8ToBytes('\ufeffa\té中😀\n'))).toBe('a\té中😀\n')
  })

  it.each([
    ['a continuation alone', [97, 0x80], 'offset 1: byte 0x80, expected UTF-8'],
    ['a character cut short', [97, 0xe4, 0xb8, 97], 'offset 1: byte 0xe4, expected UTF-8'],
    ['a character cut at the end', [97, 0xf0, 0x9f, 0x98], 'offset 1: byte 0xf0, expected UTF-8'],
    ['too long a form', [0xc3, 0xa9, 0xc0, 0xaf], 'offset 2: byte 0xc0, expected UTF-8'],
    ['half a surrogate pair', [0xed, 0xa0, 0x80], 'offset 0: byte 0xed, expected UTF-8'],
    ['beyond Unicode', [0xf5, 0x80, 0x80, 0x80], 'offset 0: byte 0xf5, expected UTF-8'],
    ['UTF-16 in big endian', [0xfe, 0xff, 0, 97], 'offset 0: byte 0xfe, expected UTF-8 (this looks like UTF-16)'],
    ['NUL', [97, 0, 97], 'offset 1: NUL byte, expected text'],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => decode(...bytes)).toThrow(`f: ${message}`)
  })
})

describe('withoutCutStart and withoutCutEnd', () => {
  it.each(['a', 'é', '中', '😀'])('cut %s off wherever it is not whole', (character) => {
    const bytes = utf8ToBytes(character)
    for (let at = 1; at < bytes.length; at++) {
      expect(withoutCutStart(bytes.subarray(at))).toHaveLength(0)
      expect(withoutCutEnd(bytes.subarray(0, at))).toHaveLength(0)
    }
    expect(withoutCutStart(bytes)).toEqual(bytes)
    expect(withoutCutEnd(bytes)).toEqual(bytes)
  })
  it('leave nothing of nothing', () => {
    expect(withoutCutEnd(withoutCutStart(new Uint8Array()))).toHaveLength(0)
  })
})
