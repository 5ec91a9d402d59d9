import { encode as encodePng } from 'fast-png'
import { describe, expect, it } from 'vitest'
import { decodeImage, withChannels } from '../../../../engine/data/images/decode.ts'
import { jpegFile } from './jpeg-files.ts'
import { plainPng, pngFile } from './png-file.ts'

const pixelsOf = (bytes: Uint8Array) => [...decodeImage(bytes, 'a').pixels]

describe('decodeImage', () => {
  it('reads RGB, also where it comes with a suggested palette', () => {
    const rows = [[1, 2, 3, 250, 251, 252]]
    expect(pixelsOf(pngFile({ width: 2, height: 1, colour: 2, rows }))).toEqual([1, 2, 3, 250, 251, 252])
    expect(pixelsOf(pngFile({ width: 2, height: 1, colour: 2, rows, palette: [9, 9, 9] }))).toEqual(rows[0])
  })
  it('takes the transparent colour of a grey or RGB file for white', () => {
    expect(pixelsOf(pngFile({ width: 2, height: 1, colour: 0, rows: [[7, 8]], transparency: [0, 7] }))).toEqual([
      255, 8,
    ])
    const rows = [[1, 2, 3, 1, 2, 4, 0, 0, 0]]
    const rgb = pngFile({ width: 3, height: 1, colour: 2, rows, transparency: [0, 1, 0, 2, 0, 3] })
    expect(pixelsOf(rgb)).toEqual([255, 255, 255, 1, 2, 4, 0, 0, 0])
  })
  it('reads what another encoder writes, interlaced too', () => {
    const data = Uint8Array.from({ length: 9 * 7 * 3 }, (_, i) => (i * 37) % 256)
    for (const interlace of ['null', 'Adam7'] as const) {
      const file = encodePng({ width: 9, height: 7, data, channels: 3 }, { interlace })
      expect(pixelsOf(file)).toEqual([...data])
    }
  })
  it('reads a view into a larger buffer', () => {
    const file = plainPng(2, 2, 9)
    const buffer = new Uint8Array(file.length + 30)
    buffer.set(file, 11)
    expect(pixelsOf(buffer.subarray(11, 11 + file.length))).toEqual([9, 9, 9, 9])
    const jpeg = jpegFile('quarters')
    const larger = new Uint8Array(jpeg.length + 30)
    larger.set(jpeg, 11)
    expect(pixelsOf(larger.subarray(11, 11 + jpeg.length))).toEqual(pixelsOf(jpeg))
  })

  const png = plainPng(8, 8, 9)
  const damaged = png.slice()
  damaged[png.length - 20] = (damaged[png.length - 20] ?? 0) ^ 0xff
  const huge = png.slice()
  huge.set([0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff], 16)
  const palette = [1, 2, 3]
  it.each([
    ['nothing', new Uint8Array(), 'a: empty file'],
    ['text', new TextEncoder().encode('hello'), 'a: neither a PNG nor a JPEG file'],
    ['half a PNG', png.subarray(0, png.length >> 1), 'a: cannot be decoded: '],
    ['a PNG signature', png.subarray(0, 8), 'a: cannot be decoded: '],
    ['a PNG cut in its tail', png.subarray(0, png.length - 14), 'a: cannot be decoded: '],
    ['a damaged PNG', damaged, 'a: cannot be decoded: '],
    ['a PNG that claims to be huge', huge, 'a: cannot be decoded: 2147483647x2147483647 pixels'],
    ['too few rows', pngFile({ width: 2, height: 3, colour: 0, rows: [[1, 2]] }), 'a: cannot be decoded: '],
    ['a palette index that is not there', pngFile({ width: 1, height: 1, colour: 3, rows: [[1]], palette }), 'index 1'],
    ['a JPEG signature', new Uint8Array([0xff, 0xd8]), 'a: cannot be decoded: '],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => decodeImage(bytes, 'a')).toThrow(message)
    expect(() => decodeImage(bytes, 'a')).toThrow(expect.objectContaining({ code: 'data', path: 'a' }))
  })
})

describe('withChannels', () => {
  const grey = { width: 2, height: 1, channels: 1, pixels: new Uint8Array([0, 200]) } as const
  it('repeats grey', () => {
    expect([...withChannels(grey, 3).pixels]).toEqual([0, 0, 0, 200, 200, 200])
  })
  it('takes the luma of RGB', () => {
    const rgb = { width: 3, height: 1, channels: 3, pixels: new Uint8Array([255, 0, 0, 0, 255, 0, 0, 0, 255]) } as const
    expect([...withChannels(rgb, 1).pixels]).toEqual([76, 150, 29])
  })
  it('leaves an image that fits alone', () => {
    expect(withChannels(grey, 1)).toBe(grey)
  })
})
