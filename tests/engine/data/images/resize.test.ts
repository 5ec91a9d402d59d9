import { describe, expect, it } from 'vitest'
import {
  centreCrop,
  type Image,
  resize,
  resizeAndCrop,
  resizedCentre,
  sizeToCover,
} from '../../../../engine/data/images/resize.ts'

const grey = (width: number, height: number, value: (x: number, y: number) => number): Image => ({
  width,
  height,
  channels: 1,
  pixels: Uint8Array.from({ length: width * height }, (_, i) => value(i % width, Math.floor(i / width))),
})
const row = (...values: number[]) => grey(values.length, 1, (x) => values[x] ?? 0)

describe('resize', () => {
  it('interpolates between pixel centres when it grows', () => {
    expect([...resize(row(0, 100), 4, 1).pixels]).toEqual([0, 25, 75, 100])
  })
  it('weighs by a triangle over the area when it shrinks', () => {
    expect([...resize(row(70, 0, 0, 0), 2, 1).pixels]).toEqual([30, 0])
    expect([...resize(row(0, 0, 70, 0), 2, 1).pixels]).toEqual([10, 30])
  })
  it('keeps a plain image plain', () => {
    for (const [width, height] of [
      [3, 17],
      [40, 5],
      [64, 64],
    ] as const) {
      expect(
        new Set(
          resize(
            grey(21, 13, () => 137),
            width,
            height,
          ).pixels,
        ),
      ).toEqual(new Set([137]))
    }
  })
  it('averages fine stripes out and does not alias', () => {
    const stripes = grey(256, 256, (x) => (x % 2 ? 255 : 0))
    const values = resize(stripes, 30, 30).pixels
    expect(Math.min(...values)).toBeGreaterThan(115)
    expect(Math.max(...values)).toBeLessThan(140)
  })
  it('treats rows as columns', () => {
    const image = grey(9, 6, (x, y) => (x * 31 + y * 57) % 256)
    const turned = grey(6, 9, (x, y) => (y * 31 + x * 57) % 256)
    const small = resize(image, 5, 4)
    const smallTurned = resize(turned, 4, 5)
    for (let y = 0; y < 4; y++) {
      for (let x = 0; x < 5; x++) {
        const difference = (small.pixels[y * 5 + x] ?? 0) - (smallTurned.pixels[x * 4 + y] ?? 0)
        expect(Math.abs(difference)).toBeLessThanOrEqual(1)
      }
    }
  })
  it('keeps channels apart', () => {
    const image: Image = { width: 2, height: 1, channels: 3, pixels: new Uint8Array([10, 20, 30, 10, 20, 30]) }
    expect([...resize(image, 3, 1).pixels]).toEqual([10, 20, 30, 10, 20, 30, 10, 20, 30])
  })
})

describe('centreCrop', () => {
  it('cuts the middle out', () => {
    expect([
      ...centreCrop(
        grey(5, 3, (x, y) => 10 * y + x),
        3,
      ).pixels,
    ]).toEqual([1, 2, 3, 11, 12, 13, 21, 22, 23])
  })
})

describe('resizeAndCrop', () => {
  it.each([
    [100, 50],
    [50, 100],
    [7, 8],
    [32, 32],
    [1, 1],
    [1, 300],
    [33, 32],
  ])('makes %ix%i a square of 32', (w, h) => {
    const image = resizeAndCrop(
      grey(w, h, () => 5),
      32,
    )
    expect([image.width, image.height, image.pixels.length]).toEqual([32, 32, 1024])
    expect(new Set(image.pixels)).toEqual(new Set([5]))
  })
  it('keeps the middle of a wide image', () => {
    const image = resizeAndCrop(
      grey(96, 32, (x) => (x >= 32 && x < 64 ? 200 : 0)),
      32,
    )
    expect(new Set(image.pixels)).toEqual(new Set([200]))
  })
  it.each([
    [1, 1_000_000],
    [1_000_000, 1],
    [3, 65_000],
  ])('computes the middle alone of %ix%i pixels, of which all would be billions', (w, h) => {
    const image = resizeAndCrop(
      grey(w, h, (x, y) => (Math.abs(x - w / 2) < 9 && Math.abs(y - h / 2) < 9 ? 200 : 0)),
      224,
    )
    expect(new Set(image.pixels.subarray(0, 224))).toEqual(new Set([200]))
    expect(image.pixels).toHaveLength(224 * 224)
  })
  it.each([
    [40, 31, 16, 16],
    [31, 400, 16, 9],
    [5, 3, 20, 33],
    [1, 50, 7, 7],
    [64, 64, 56, 56],
  ])('has of %ix%i pixels the bits that all have when they are resized', (w, h, height, width) => {
    const image = grey(w, h, (x, y) => (x * x * 31 + y * 57 + ((x * y) % 7) * 20) % 256)
    for (const size of [
      sizeToCover(image, height, width),
      sizeToCover(image, height + 5, width + 8),
      [90, 70] as const,
    ])
      expect(resizedCentre(image, size, height, width)).toEqual(
        centreCrop(resize(image, size[1], size[0]), height, width),
      )
  })
})
