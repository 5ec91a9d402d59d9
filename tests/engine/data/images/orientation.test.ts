import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeImage } from '../../../../engine/data/images/decode.ts'
import { orientationIn } from '../../../../engine/data/images/file/orientation.ts'
import { imageData } from '../../../../engine/data/images/index.ts'
import type { Image } from '../../../../engine/data/images/resize.ts'
import { keyOf, uniform } from '../../../../engine/random.ts'
import { memoryFiles } from '../memory-files.ts'
import { exifSegment, QUARTERS, SEEN, segment, tiff, withSegments } from './exif.ts'
import { jpegFile } from './jpeg-files.ts'
import { chunk, plainPng, pngOf } from './png-file.ts'

const jpeg = jpegFile('quarters')
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
  const digits = (data: Uint8Array) =>
    (
      Buffer.from(data)
        .toString('hex')
        .match(/.{1,72}/g) ?? []
    ).join('\n')
  const exif = (orientation: number) => Buffer.concat([Buffer.from('Exif\0\0'), tiff({ orientation, order: 'MM' })])
  const raw = (data: Uint8Array, name = 'exif') => `\n${name}\n${String(data.length).padStart(8)}\n${digits(data)}\n`
  const zipped = (text: string) => deflateSync(Buffer.from(text))
  const keyword = (name: string, ...rest: (string | Uint8Array)[]) =>
    Buffer.concat([name, '\0', ...rest].map((part) => Buffer.from(part as string)))
  const own = chunk('eXIf', tiff({ orientation: 3 }))
  const profile = 'Raw profile type exif'
  const zTXt = chunk('zTXt', keyword(profile, '\0', zipped(raw(exif(6)))))
  it.each([
    ['zTXt', [zTXt], 6],
    ['tEXt', [chunk('tEXt', keyword(profile, raw(exif(8))))], 8],
    ['iTXt', [chunk('iTXt', keyword(profile, '\0\0en\0profile\0', raw(exif(5))))], 5],
    ['a compressed iTXt', [chunk('iTXt', keyword(profile, '\x01\0\0\0', zipped(raw(exif(7)))))], 7],
    ['a profile APP1', [chunk('zTXt', keyword('Raw profile type APP1', '\0', zipped(raw(exif(6), 'generic'))))], 6],
    ['a profile without its head', [chunk('tEXt', keyword(profile, raw(tiff({ orientation: 4 }))))], 4],
    ['a text before a chunk of its own, which counts', [zTXt, own], 3],
    ['a chunk of its own before a text', [own, zTXt], 3],
    ['another text', [chunk('zTXt', keyword('Comment', '\0', zipped(raw(exif(6)))))], 1],
    ['digits that are none', [chunk('tEXt', keyword(profile, raw(exif(6)).replace('4d4d', '4dxx')))], 1],
    ['a damaged text', [chunk('zTXt', keyword(profile, '\0', zipped(raw(exif(6))).subarray(9)))], 1],
    ['an empty text', [chunk('tEXt', keyword(profile)), chunk('zTXt', Buffer.alloc(0)), chunk('iTXt', keyword(''))], 1],
  ] as const)('is found in PNG in %s', (_, chunks, orientation) => {
    const file = pngOf([1, 1, 8, 0], [...chunks, chunk('IDAT', deflateSync(Buffer.alloc(2)))])
    expect(orientationIn(file)).toBe(orientation)
    expect(decodeImage(file, 'a').pixels).toHaveLength(1)
    if (orientation > 1) expect(orientationIn(file.subarray(0, 70))).toBeNull()
  })
  it('of a text is inflated no further than EXIF data reach', () => {
    const bomb = chunk('zTXt', keyword(profile, '\0', zipped(`${raw(exif(6))}${' '.repeat(5e7)}`)))
    expect(orientationIn(pngOf([1, 1, 8, 0], [bomb, chunk('IDAT', deflateSync(Buffer.alloc(2)))]))).toBe(6)
  })
  it('is found behind bytes that belong to no segment', () => {
    const junk = Uint8Array.of(1, 2, 0xff, 0xff, 0xff, 0, 9)
    const file = Uint8Array.of(
      ...jpeg.subarray(0, 2),
      ...junk,
      ...exifSegment(tiff({ orientation: 6 })),
      ...jpeg.subarray(2),
    )
    expect(quartersOf(decodeImage(file, 'a'))).toEqual(SEEN[6])
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
  const png = plainPng(5, 6, 9)
  const data = chunk('IDAT', deflateSync(Buffer.alloc(20)))
  const turnedPng = pngOf([3, 2, 8, 2], [chunk('eXIf', tiff({ order: 'MM', orientation: 6 })), data])
  const all = (first: Uint8Array, others: Uint8Array) =>
    Object.fromEntries(
      ['a', 'b'].flatMap((name) => [0, 1, 2].map((i) => [`d/${name}/${i}.png`, name === 'a' && !i ? first : others])),
    )
  /** Two of these are more than a folder may have whose pictures are decoded before anything is trained. */
  const large = (file: Uint8Array) => {
    const padded = new Uint8Array(2 ** 25 + 1)
    padded.set(file)
    return padded
  }
  it('without JPEG files has the hash that it always had', async () => {
    expect((await open(all(png, png))).hash).toBe('2bc837f405d3b2ae3e3dabe0eee56deb789ef192df776bf28b64d56bde71ec20')
    expect((await open(all(turnedPng, png))).hash).toBe(
      '3b2fcbb5c239e62195f092536d88b3eaf97364bcc53ee1369dcd418abfb0578f',
    )
    const files = { ...all(large(png), png), 'd/b/0.png': large(png) }
    expect((await open(files)).hash).toBe('3513b2f581164693b9e7fb100a06369628ff769be874ca347152082a6a2872a4')
  })
  it('has another hash with JPEG files than before libjpeg decoded them, and with each way to turn one', async () => {
    const before = '5a123112eca4259e489b692993b8d1c3b89c06037e3576ca5c519c3ba789a750'
    const plain = 'ba29887832eecba714ac03f3e98644498b71798045b636f3ebb4277d27c560be'
    expect((await open(files(jpeg))).hash).toBe(plain)
    const hashes = await Promise.all(ALL.map(async (orientation) => (await open(files(turned({ orientation })))).hash))
    expect(new Set([...hashes, plain, before]).size).toBe(10)
  })
  it('so in one of more than 64 MB', async () => {
    const far = withSegments(jpeg, segment(0xe0, new Uint8Array(9000)), exifSegment(tiff({ orientation: 6 })))
    const hash = async (file: Uint8Array) =>
      (await open({ ...files(jpeg), 'd/a/0.jpg': large(file), 'd/b/0.jpg': large(jpeg) })).hash
    const before = 'd7dab7bd6a73d545d4c1743416d3c211a354c4771b74e53d52e30569c721ed1e'
    expect(await hash(jpeg)).toBe('ff487e2babe1fadb812e1b0c5c967e7b8d39f77cb944fc3c8cfc3681e072ff28')
    expect(new Set([before, await hash(jpeg), await hash(far)]).size).toBe(3)
  })
})
