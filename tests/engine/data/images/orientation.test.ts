import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeImage } from '../../../../engine/data/images/decode.ts'
import { orientationIn } from '../../../../engine/data/images/file/orientation.ts'
import { imageData } from '../../../../engine/data/images/index.ts'
import type { Image } from '../../../../engine/data/images/resize.ts'
import { keyOf, uniform } from '../../../../engine/random.ts'
import { memoryFiles } from '../memory-files.ts'
import { exifSegment, QUARTERS, quartersJpeg, SEEN, segment, tiff, withSegments } from './exif.ts'
import { chunk, pngOf } from './png-file.ts'

const jpeg = quartersJpeg()
const turned = (...data: Parameters<typeof tiff>) => withSegments(jpeg, exifSegment(tiff(...data)))

/** Which quarters are seen, from the middle of each. */
function quartersOf({ width, height, channels, pixels }: Image): number[] {
  return [0, 1, 2, 3].map((place) => {
    const [x, y] = [((place & 1) * 2 + 1) * (width / 4), ((place >> 1) * 2 + 1) * (height / 4)]
    const at = (Math.floor(y) * width + Math.floor(x)) * channels
    const off = (colour: readonly number[]) =>
      colour.reduce((sum, v, c) => sum + Math.abs(v - (pixels[at + c] ?? 0)), 0)
    return QUARTERS.findIndex((colour) => off(colour) < 60)
  })
}

const ALL = [1, 2, 3, 4, 5, 6, 7, 8] as const
const CASES = ALL.flatMap((orientation) => (['II', 'MM'] as const).map((order) => [orientation, order] as const))

describe('a picture with EXIF data', () => {
  it.each(CASES)('of orientation %i is seen upright, in byte order %s', (orientation, order) => {
    const image = decodeImage(turned({ orientation, order }), 'a')
    expect([image.width, image.height]).toEqual(orientation < 5 ? [32, 16] : [16, 32])
    expect(quartersOf(image)).toEqual(SEEN[orientation])
  })
  it('has that of its picture, whatever its thumbnail, other segments and the place of the directory', () => {
    const other = segment(0xe1, new TextEncoder().encode('http://ns.adobe.com/xap/1.0/\0<x/>'))
    const jfif = segment(0xe0, new Uint8Array(5000))
    for (const order of ['II', 'MM'] as const) {
      const exif = exifSegment(tiff({ order, orientation: 6, thumbnail: 3, space: 40 }))
      for (const file of [
        withSegments(jpeg, exif),
        withSegments(jpeg, jfif, other, exif, exifSegment(tiff({ orientation: 3 }))),
      ])
        expect(quartersOf(decodeImage(file, 'a'))).toEqual(SEEN[6])
      expect(orientationIn(turned({ order, orientation: 1, thumbnail: 6 }))).toBe(1)
      expect(orientationIn(turned({ order, orientation: 8, type: 4 }))).toBe(8)
    }
  })
  it('is read from PNG, too, pixel by pixel', () => {
    const pixels = Array.from({ length: 18 }, (_, i) => i * 10) // 3 x 2 of RGB
    const data = chunk('IDAT', deflateSync(Buffer.from([0, ...pixels.slice(0, 9), 0, ...pixels.slice(9)])))
    const file = (orientation: number) => pngOf([3, 2, 8, 2], [chunk('eXIf', tiff({ order: 'MM', orientation })), data])
    const order = (orientation: number) => {
      const { width, height, pixels: seen } = decodeImage(file(orientation), 'a')
      return [width, height, ...[0, 1, 2, 3, 4, 5].map((i) => (seen[3 * i] ?? 0) / 30)]
    }
    expect(order(1)).toEqual([3, 2, 0, 1, 2, 3, 4, 5])
    expect(order(6)).toEqual([2, 3, 3, 0, 4, 1, 5, 2])
    expect(order(7)).toEqual([2, 3, 5, 2, 4, 1, 3, 0])
    expect([...decodeImage(file(8), 'a').pixels.subarray(0, 3)]).toEqual([60, 70, 80]) // channels stay in order
  })
  it.each([
    ['an orientation of 0', tiff({ orientation: 0 })],
    ['an orientation of 9', tiff({ orientation: 9 })],
    ['two orientations', tiff({ orientation: 6, count: 2 })],
    ['an orientation in text', tiff({ orientation: 6, type: 2 })],
    ['another byte order', Uint8Array.of(0x49, 0x4d, ...tiff({ orientation: 6 }).subarray(2))],
    ['another number than 42', tiff({ orientation: 6 }).with(2, 43)],
    ['a directory far away', tiff({ orientation: 6 }).with(7, 0x7f)],
    ['a directory cut off', tiff({ orientation: 6 }).subarray(0, 20)],
    ['nothing', new Uint8Array()],
  ])('of %s is as it lies', (_, data) => {
    expect(quartersOf(decodeImage(withSegments(jpeg, exifSegment(data)), 'a'))).toEqual(SEEN[1])
  })
  it('is read without an error or an end, however damaged', () => {
    const whole = turned({ orientation: 6, thumbnail: 3 }).subarray(0, 400)
    const draw = (i: number) => uniform(keyOf(1, 'damage'), i)
    for (let i = 0; i < 20_000; i++) {
      const file = whole.slice(0, Math.floor(draw(9 * i) * whole.length))
      for (let j = 1; j < 5; j++) file[Math.floor(draw(9 * i + j) * 80)] = Math.floor(256 * draw(9 * i + j + 4))
      const found = orientationIn(file)
      if (found !== null) expect(found).toSatisfy((value: number) => value >= 1 && value <= 8)
    }
    expect(orientationIn(new Uint8Array(2 ** 20).fill(0xff).with(1, 0xd8))).toBeNull()
  })
})

describe('a folder of pictures', () => {
  const open = (files: Record<string, Uint8Array>, options: object = {}) =>
    imageData.open({ dataset: 'folder', options: { path: 'd', size: 16, ...options } }, memoryFiles(files))
  const files = (first: Uint8Array) =>
    Object.fromEntries(
      ['a', 'b'].flatMap((name) =>
        [0, 1, 2].map((i) => [`d/${name}/${i}.jpg`, name === 'a' && i === 0 ? first : jpeg]),
      ),
    )

  it('has them upright', async () => {
    const { train, validation, test, shape } = await open(files(turned({ orientation: 7 })))
    const found: string[] = []
    for (const part of [train, validation, test]) {
      const { pixels } = await part.read([...Array(part.size).keys()])
      for (let i = 0; i < part.size; i++) {
        const own = Uint8Array.from(pixels.subarray(i * 768, (i + 1) * 768), (value) => Math.round(value * 255))
        found.push(quartersOf({ width: 16, height: 16, channels: 3, pixels: own }).join())
      }
    }
    expect(shape).toEqual([16, 16, 3])
    expect(found.filter((seen) => seen === SEEN[7]?.join())).toHaveLength(1)
  })
  it('has another hash with a turned file than before EXIF data were read, and without one the same', async () => {
    // as they were before
    const plain = '1b2ea08cc8bab7cb4398db3874f493602bb668d6a6756e8a3cfc55bf81b73198'
    const upright = '1e1f38c8445df1ce39bc76afe99d0331e085d6eaa3f36629a118151a9125670e'
    expect((await open(files(jpeg))).hash).toBe(plain)
    expect((await open(files(turned({ orientation: 1 })))).hash).toBe(upright)
    const hashes = await Promise.all(ALL.map(async (orientation) => (await open(files(turned({ orientation })))).hash))
    expect(new Set([...hashes, plain]).size).toBe(9)
    expect(hashes).not.toContain('b26e1b9ec3fd299946e856369caba1428e12c6630b611c1fa5dcd41c58fca183')
  })
  it('so in a large one, of which little is read', async () => {
    const large = (file: Uint8Array) => {
      const padded = new Uint8Array(2 ** 25 + 1) // two of them are above 64 MB
      padded.set(file)
      return padded
    }
    const far = withSegments(jpeg, segment(0xe0, new Uint8Array(9000)), exifSegment(tiff({ orientation: 6 })))
    const hash = async (file: Uint8Array) =>
      (await open({ ...files(jpeg), 'd/a/0.jpg': large(file), 'd/b/0.jpg': large(jpeg) })).hash
    expect(await hash(jpeg)).toBe('9599dbfa2259aa0c90673ee4ea4a1872e03cef9ffa43a273efebb3f4bf0543d3')
    expect(await hash(far)).not.toBe('4678c6db125f8e09ed3d70b22053415cfc34fe530c7f0250ce3c7beb94441251')
  })
})
