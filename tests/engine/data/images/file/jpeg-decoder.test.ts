import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decodeImage, withChannels } from '../../../../../engine/data/images/decode.ts'
import { jpegMarkers } from '../../../../../engine/data/images/file/jpeg-file.ts'
import { keyOf, uniform } from '../../../../../engine/random.ts'
import { segment, withSegments } from '../exif.ts'
import { JPEGS, jpegFile } from '../jpeg-files.ts'

const rgbOf = (file: Uint8Array) => withChannels(decodeImage(file, 'a'), 3).pixels
const digestOf = (file: Uint8Array) => createHash('sha256').update(rgbOf(file)).digest('hex')
const inserted = (file: Uint8Array, at: number, ...bytes: number[]) =>
  Uint8Array.of(...file.subarray(0, at), ...bytes, ...file.subarray(at))

/** Where the markers of a file are, the last first. */
const places = (file: Uint8Array) => [...jpegMarkers(file)].map(({ at }) => at).reverse()

describe('the pixels of a JPEG file', () => {
  it.each(Object.entries(JPEGS))('are those of Pillow: %s', (name, { size, sha256 }) => {
    const { width, height, channels } = decodeImage(jpegFile(name), 'a')
    expect([width, height]).toEqual(size)
    expect(channels).toBe(name.endsWith('grey') ? 1 : 3)
    expect(digestOf(jpegFile(name))).toBe(sha256)
  })
  it('of RGB are no YCbCr', () => {
    const [red = 0, green = 0, blue = 0] = rgbOf(jpegFile('plain'))
    expect(Math.max(Math.abs(red - 200), Math.abs(green - 100), Math.abs(blue - 50))).toBeLessThan(4)
  })
})

const SOUND = [
  '420',
  '444 with restarts',
  'progressive 422',
  'progressive 420 with restarts',
  'grey',
  'CMYK',
  'RGB',
] as const

describe.each(SOUND)('a file with what libjpeg passes over, %s', (name) => {
  const file = jpegFile(name)
  const right = digestOf(file)

  it('before each marker and all of them', () => {
    let all = file
    for (const at of places(file)) {
      expect(digestOf(inserted(file, at, 1, 2, 3, 4))).toBe(right)
      expect(digestOf(inserted(file, at, 0xff, 0xff))).toBe(right)
      expect(digestOf(inserted(file, at, 0xff, 0, 7))).toBe(right)
      all = inserted(all, at, 5, 6, 7)
    }
    expect(digestOf(all)).toBe(right)
  })
  it('behind its end, another picture too', () => {
    expect(digestOf(inserted(file, file.length, ...new Uint8Array(3000).fill(7)))).toBe(right)
    expect(digestOf(inserted(file, file.length, ...jpegFile('quarters')))).toBe(right)
  })
  it('in segments of others', () => {
    const thumbnail = segment(0xe2, jpegFile('quarters'))
    const profile = segment(0xe2, new TextEncoder().encode('ICC_PROFILE\0\x01\x01nothing'))
    const broken = segment(0xe2, new TextEncoder().encode('ICC_PROFILE\0\x03\x01nothing'))
    const comment = segment(0xfe, Uint8Array.of(0xff, 0xd8, 0xff, 0xc0, 0xff, 0xd9))
    expect(digestOf(withSegments(file, thumbnail, profile, broken, comment))).toBe(right)
  })
})

describe('a file with missing or damaged data', () => {
  it.each(['420', 'grey', '444 with restarts', 'CMYK'])('is read without its last marker, %s', (name) => {
    const file = jpegFile(name)
    expect(digestOf(file.subarray(0, -2))).toBe(digestOf(file))
    expect(digestOf(file.subarray(0, -1))).toBe(digestOf(file))
  })
  it.each([
    ...['420', '444', '422 with restarts', 'grey', 'CMYK', 'RGB', 'progressive 420', 'progressive grey'],
    'progressive 444 with restarts',
  ])('is refused where it ends earlier, %s', (name) => {
    const file = jpegFile(name)
    const scan = places(file).findLast((at) => file[at + 1] === 0xda) as number
    for (const length of [file.length - 8, (file.length + scan) >> 1, scan + 14])
      expect(() => decodeImage(file.subarray(0, length), 'a')).toThrow('a: cannot be decoded: ends within its pixels')
    for (const length of [3, 50, scan >> 1, scan])
      expect(() => decodeImage(file.subarray(0, length), 'a')).toThrow('a: cannot be decoded: ')
  })
  it('is refused with a restart missing, or data between', () => {
    const file = jpegFile('444 with restarts')
    const restart = places(file).filter((at) => (file[at + 1] ?? 0) >= 0xd0 && (file[at + 1] ?? 0) < 0xd8)[2] as number
    const missing = Uint8Array.of(...file.subarray(0, restart), ...file.subarray(restart + 2))
    const data = Uint8Array.of(...file.subarray(0, restart - 6), ...file.subarray(restart))
    for (const bytes of [missing, data])
      expect(() => decodeImage(bytes, 'a')).toThrow('a: cannot be decoded: damaged JPEG data')
  })
  it('leaves the decoder as it was, whatever it holds', () => {
    const names = ['420', 'progressive 444 with restarts', 'CMYK']
    const draw = (i: number) => uniform(keyOf(1, 'damage'), i)
    const said = new Set<string>()
    for (let i = 0; i < 3000; i++) {
      const file = jpegFile(names[i % 3] as string)
      for (let j = 0; j < 4; j++)
        file[2 + Math.floor(draw(9 * i + j) * (file.length - 2))] = Math.floor(256 * draw(9 * i + j + 4))
      try {
        decodeImage(file, 'a')
      } catch (error) {
        said.add((error as Error).message.replaceAll(/\d+/g, 'N'))
      }
      if (i % 100 === 0) expect(digestOf(jpegFile('420'))).toBe(JPEGS['420']?.sha256)
    }
    expect([...said].filter((message) => !SAID.test(message))).toEqual([])
  })
})

/** What is said of damaged files. */
const SAID =
  /^a: cannot be decoded: (damaged JPEG data|ends (within|before) its pixels|more than one image|no header of .*|NxN pixels( take .*|, expected .*)|N (bits|components).*|(arithmetic coding|lossless JPEG|hierarchical JPEG), expected .*|truncated in its header|more than N scans)$/
