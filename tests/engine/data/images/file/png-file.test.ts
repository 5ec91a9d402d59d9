import { zlibSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { decodeImage } from '../../../../../engine/data/images/decode.ts'
import { keyOf, uniform } from '../../../../../engine/random.ts'
import { chunk, plainPng, pngOf } from '../png-file.ts'

/** Colour types, the samples of a pixel, and the bits that each may have. */
const FORMS = [
  ...([1, 2, 4, 8, 16] as const).map((depth) => ['grey', 0, 1, depth] as const),
  ...([8, 16] as const).map((depth) => ['RGB', 2, 3, depth] as const),
  ...([1, 2, 4, 8] as const).map((depth) => ['palette', 3, 1, depth] as const),
  ...([8, 16] as const).map((depth) => ['grey and alpha', 4, 2, depth] as const),
  ...([8, 16] as const).map((depth) => ['RGBA', 6, 4, depth] as const),
]

/** First column and row of each pass of an interlaced file, and the steps between. */
const PASSES = ['0088', '4088', '0448', '2044', '0224', '1022', '0112'].map((pass) => [...pass].map(Number))

/** The data of an image whose sample `s` at a place is `sample(x, y, s)`; the rows have all filters in turn. */
function dataOf(size: [number, number], samples: number, depth: number, sample: Sample, interlaced: boolean) {
  const [width, height] = size
  const step = Math.max(1, (samples * depth) >> 3)
  const out: number[] = []
  let filter = 0
  for (const [x0 = 0, y0 = 0, dx = 1, dy = 1] of interlaced ? PASSES : [[0, 0, 1, 1]]) {
    let above: number[] = []
    for (let y = y0; y < height && x0 < width; y += dy) {
      let bits = ''
      for (let x = x0; x < width; x += dx)
        for (let s = 0; s < samples; s++) bits += sample(x, y, s).toString(2).padStart(depth, '0')
      const row = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2))
      out.push(filter, ...row.map((value, i) => (value - guess(filter, row, above, i, step)) & 255))
      filter = (filter + 1) % 5
      above = row
    }
  }
  return new Uint8Array(out)
}

type Sample = (x: number, y: number, s: number) => number

function guess(filter: number, row: number[], above: number[], i: number, step: number): number {
  const [left = 0, up = 0, corner = 0] = [row[i - step], above[i], above[i - step]]
  const nearest = [left, up, corner].sort((p, q) => Math.abs(left + up - corner - p) - Math.abs(left + up - corner - q))
  return [0, left, up, (left + up) >> 1, nearest[0] ?? 0][filter] ?? 0
}

const SIZES = [[1, 1] as const, [3, 2] as const, [5, 9] as const, [17, 11] as const]
const CASES = FORMS.flatMap((form) => [false, true].map((interlaced) => [...form, interlaced] as const))

describe('the pixels of a PNG file', () => {
  it.each(CASES)('are those that were written: %s (%i), %i samples of %i bits, interlaced %s', (...of) => {
    const [, colour, samples, depth, interlaced] = of
    for (const [width, height] of SIZES) {
      const draw = (i: number) => Math.floor(2 ** depth * uniform(keyOf(width, `png/${colour}/${depth}`), i))
      const sample = (x: number, y: number, s: number) => draw((y * width + x) * 4 + s)
      const palette = Uint8Array.from({ length: 3 * 2 ** depth }, (_, i) => (i * 37) % 256)
      const alphas = [0, 128]
      const file = pngOf(
        [width, height, depth, colour],
        [
          ...(colour === 3 ? [chunk('PLTE', palette), chunk('tRNS', Uint8Array.from(alphas))] : []),
          chunk('IDAT', zlibSync(dataOf([width, height], samples, depth, sample, interlaced))),
        ],
        interlaced,
      )
      const { pixels, channels } = decodeImage(file, 'a')
      expect(channels).toBe(colour === 0 || colour === 4 ? 1 : 3)
      const most = 2 ** depth - 1
      const right = Array.from(pixels, (_, i) => {
        const [pixel, c] = [Math.floor(i / channels), i % channels]
        const at = (s: number) => sample(pixel % width, Math.floor(pixel / width), s)
        const value = colour === 3 ? (palette[3 * at(0) + c] ?? 0) / 255 : at(c) / most
        const opacity = colour === 3 ? (alphas[at(0)] ?? 255) / 255 : colour >= 4 ? at(samples - 1) / most : 1
        return Math.round(255 * (value * opacity + 1 - opacity))
      })
      expect([...pixels]).toEqual(right)
    }
  })
  it('has a transparent colour of one pixel', () => {
    const file = (samples: number[]) =>
      pngOf(
        [1, 1, 8, 2],
        [chunk('tRNS', Uint8Array.of(0, 1, 0, 2, 0, 3)), chunk('IDAT', zlibSync(Uint8Array.of(0, ...samples)))],
      )
    expect([...decodeImage(file([1, 2, 3]), 'a').pixels]).toEqual([255, 255, 255])
    expect([...decodeImage(file([1, 2, 4]), 'a').pixels]).toEqual([1, 2, 4])
  })
  it('takes its data from several chunks', () => {
    const data = zlibSync(Uint8Array.of(0, 7, 8, 9))
    const parts = [data.subarray(0, 3), data.subarray(3, 3), data.subarray(3)].map((part) => chunk('IDAT', part))
    expect([...decodeImage(pngOf([3, 1, 8, 0], parts), 'a').pixels]).toEqual([7, 8, 9])
  })
})

describe('a PNG file', () => {
  const data = (bytes: number[]) => chunk('IDAT', zlibSync(Uint8Array.from(bytes)))
  it.each([
    [pngOf([1, 1, 3, 0], [data([0, 1])]), '3 bits a sample, expected 1, 2, 4, 8, 16'],
    [pngOf([1, 1, 16, 3], [data([0, 1, 1])]), '16 bits a sample, expected 1, 2, 4, 8'],
    [pngOf([1, 1, 4, 6], [data([0, 1, 1])]), '4 bits a sample, expected 8, 16'],
    [pngOf([1, 1, 8, 3], [data([0, 1])]), 'palette index 1, expected below 0'],
    [pngOf([1, 1, 8, 0], [data([5, 1])]), 'filter 5, expected 0 to 4'],
    [pngOf([2, 2, 8, 0], [data([0, 1, 1, 0, 1])]), 'ends within its pixels'],
    [pngOf([2, 2, 8, 0], []), '2x2 pixels take at least 1 bytes of data, the file has 0'],
    [
      pngOf([9000, 9000, 8, 2], [data([0, 1, 1])]),
      '9000x9000 pixels take at least 235474 bytes of data, the file has 11',
    ],
    [
      pngOf([1, 1_000_000, 1, 0], [data([0, 1, 1])]),
      '1x1000000 pixels take at least 1938 bytes of data, the file has 11',
    ],
    [plainPng(3, 3, 1).with(45, 9), 'damaged chunk IDAT'],
    [plainPng(3, 3, 1).with(31, 9), 'damaged chunk IHDR'],
    [plainPng(3, 3, 1).with(26, 2), 'an unknown compression, filter or order'],
  ])('is refused, case %#', (file, message) => {
    expect(() => decodeImage(file, 'a')).toThrow(`a: cannot be decoded: ${message}`)
  })
})
