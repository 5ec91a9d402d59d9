import { gzipSync, zlibSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { decodeImage } from '../../../../engine/data/images/decode.ts'
import { parseIdx } from '../../../../engine/data/images/idx-file.ts'
import { inflate, inflatedLength, inflatedStart, MAX_FILE_MEMORY } from '../../../../engine/data/inflate.ts'
import { chunk, plainPng, pngOf } from './png-file.ts'

const MILLION = 1_000_000
/** Deflates to 50 kB. */
const zeros = new Uint8Array(50 * MILLION)
const [zlib, gzip] = [zlibSync(zeros), gzipSync(zeros)]

describe('inflation stops where more comes than was asked for', () => {
  it.each(['zlib', 'gzip'] as const)('of %s, after a slice or two', (format) => {
    const data = { zlib, gzip }[format]
    expect(inflatedLength(format, [data], 1000)).toBeLessThan(10 * MILLION)
    expect(inflatedStart(format, data, 16)).toEqual(new Uint8Array(16))
    let handed = 0
    inflate(format, [data], ({ length }) => {
      handed += length
      return true
    })
    expect(handed).toBeLessThan(10 * MILLION)
  })
})

describe('PNG', () => {
  const header = (width: number, height: number, depth = 8, colour = 2) => [width, height, depth, colour] as const

  it('refuses data that come to more than the header says', () => {
    const bomb = pngOf(header(2, 2), [chunk('IDAT', zlib)])
    expect(bomb.length).toBeLessThan(MILLION)
    expect(() => decodeImage(bomb, 'a')).toThrow('a: cannot be decoded: more than the 14 bytes of 2x2 pixels')
  })

  it('never inflates a profile or a text', () => {
    const profile = new Uint8Array([97, 0, 0, ...zlib])
    const file = pngOf(header(1, 1), [
      chunk('iCCP', profile),
      chunk('zTXt', profile),
      chunk('IDAT', zlibSync(new Uint8Array(4))),
    ])
    expect(decodeImage(file, 'a').pixels).toEqual(new Uint8Array(3))
  })

  it.each([
    { size: header(20_000, 20_000, 16, 6), message: '20000x20000 pixels take 4.4 GB, expected at most 1.1 GB' },
    { size: header(2 ** 31 - 1, 2 ** 31 - 1, 8, 0), message: 'expected at most 1.1 GB' },
    { size: header(1, 2 ** 31 - 1, 8, 0), message: 'expected at most 1.1 GB' },
    { size: header(0, 5), message: '0x5 pixels, expected at least 1x1' },
    { size: header(1, 1, 8, 5), message: 'colour type 5, expected 0, 2, 3, 4 or 6' },
  ])('refuses $size by its header', ({ size, message }) => {
    expect(() => decodeImage(pngOf(size, [chunk('IDAT', zlibSync(new Uint8Array(9)))]), 'a')).toThrow(message)
  })

  it('says where a file ends too early', () => {
    const file = plainPng(3, 3, 1)
    for (const length of [9, 30, 40, file.length - 20, file.length - 5]) {
      expect(() => decodeImage(file.slice(0, length), 'a')).toThrow('a: cannot be decoded: truncated')
    }
  })
})

describe('JPEG', () => {
  const frame = (width: number, height: number, { marker = 0xc0, bits = 8, factors = [0x11, 0x11, 0x11] } = {}) => {
    const components = factors.flatMap((own, i) => [i + 1, own, 0])
    const bytes = [bits, height >> 8, height & 255, width >> 8, width & 255, factors.length, ...components]
    return [0xff, marker, 0, bytes.length + 2, ...bytes]
  }
  const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]
  const file = (...parts: number[][]) => new Uint8Array([0xff, 0xd8, ...parts.flat(), 0xff, 0xd9])
  const scans = (count: number) => Array.from({ length: count }, () => scan)

  it.each([
    [file(frame(65_535, 65_535), scan), '65535x65535 pixels take 25.8 GB, expected at most 1.1 GB'],
    [file(frame(15_000, 15_000), scan), 'expected at most 1.1 GB'],
    [file(frame(10_000, 10_000, { marker: 0xc2 }), scan), '10000x10000 pixels take 1.2 GB, expected at most 1.1 GB'],
    [
      file(frame(8_000, 8_000, { factors: [0x22, 0x11, 0x11] }), scan),
      '8000x8000 pixels take at least 375000 bytes, the file has 33',
    ],
    [file(frame(8_000, 8_000, { marker: 0xc2 }), scan), '8000x8000 pixels take at least 375000 bytes, the file has 33'],
    [file(frame(1, 65_000, { factors: [0x11] }), scan), '1x65000 pixels take at least 2032 bytes, the file has 27'],
    [file(frame(0, 9), scan), '0x9 pixels, expected at least 1x1'],
    [file(frame(8, 8), frame(9_000, 9_000), scan), 'more than one image'],
    [file(frame(8, 8), [0xff, 0xd8], scan), 'more than one image'],
    [file(frame(8, 8), ...scans(101)), 'more than 100 scans'],
    [file([]), 'no header of a baseline or progressive image'],
    [file(frame(8, 8)), 'ends before its pixels'],
    [file(frame(8, 8), scan), 'damaged JPEG data'],
    [file(frame(8, 8, { factors: [0x11, 0x11] }), scan), '2 components, expected 1, 3 or 4'],
    [file(frame(8, 8, { bits: 12 }), scan), '12 bits a sample, expected 8'],
    [file(frame(8, 8, { factors: [0, 0, 0] }), scan), 'damaged JPEG data'],
    [
      file(frame(8, 8, { marker: 0xc9 }), scan),
      'arithmetic coding, expected baseline or progressive JPEG with Huffman coding',
    ],
    [file(frame(8, 8, { marker: 0xc3 }), scan), 'lossless JPEG, expected baseline'],
    [file(frame(8, 8, { marker: 0xc5 }), scan), 'hierarchical JPEG, expected baseline'],
    [file([0xff, 0xc0, 0, 9, 8, 0, 8, 0, 8, 3, 1], scan), 'truncated in its header'],
  ])('refuses by its header, case %#', (bytes, message) => {
    expect(() => decodeImage(bytes, 'a')).toThrow(`a: cannot be decoded: `)
    expect(() => decodeImage(bytes, 'a')).toThrow(message)
  })
})

describe('IDX', () => {
  const headed = (shape: number[], values: Uint8Array) => {
    const header = new DataView(new ArrayBuffer(4 + 4 * shape.length))
    for (const [i, value] of [0x0800 + shape.length, ...shape].entries()) header.setUint32(4 * i, value)
    const all = new Uint8Array(header.byteLength + values.length)
    all.set(new Uint8Array(header.buffer))
    all.set(values, header.byteLength)
    return gzipSync(all)
  }

  it('unzips no more than the header says', () => {
    expect(() => parseIdx(headed([1, 2, 2], zeros), 3, 'a')).toThrow(
      'a: offset 16: have more bytes, expected 4 (1 x 2 x 2)',
    )
    expect(() => parseIdx(gzip, 3, 'a')).toThrow('a: offset 0: magic 0x00000000')
  })

  it('refuses a header that says more than fits, or than can come', () => {
    const large = 2 ** 31
    expect(() => parseIdx(headed([large, 9, 9], new Uint8Array(9)), 3, 'a')).toThrow('expected at most 1.1 GB')
    expect(() => parseIdx(headed([MAX_FILE_MEMORY / 16, 4, 4], new Uint8Array(9)), 3, 'a')).toThrow('unexpected end')
  })
})
