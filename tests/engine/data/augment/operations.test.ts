import { describe, expect, it } from 'vitest'
import { autoAugment } from '../../../../engine/data/augment/autoAugment.ts'
import { drawsOf } from '../../../../engine/data/augment/draws.ts'
import { brightness, color, contrast, sharpness } from '../../../../engine/data/augment/enhance.ts'
import { type ImageOperation, operations } from '../../../../engine/data/augment/operations.ts'
import { IMAGENET } from '../../../../engine/data/augment/picture.ts'
import { randAugment } from '../../../../engine/data/augment/randAugment.ts'
import * as tones from '../../../../engine/data/augment/tones.ts'
import { rotate, warp } from '../../../../engine/data/augment/warp.ts'
import { inRange, picture, yes } from './pictures.ts'

const close = (a: Float32Array, b: ArrayLike<number>) => {
  for (let i = 0; i < a.length; i++) expect(a[i]).toBeCloseTo(b[i] as number, 5)
}
const grey = (...values: number[]) => picture([1, values.length, 1], (_, x) => values[x] as number)

describe.each(Object.entries(operations) as [string, ImageOperation][])('%s', (name, operation) => {
  it.each([
    [8, 6, 3],
    [1, 1, 1],
    [5, 5, 1],
    [3, 16, 4],
  ] as [number, number, number][])('keeps pixels of [%d, %d, %d] in 0..1 at every strength', (...shape) => {
    const image = picture(shape)
    const before = image.pixels.slice()
    for (const level of [0, 0.3, 0.9, 1, 1.5]) {
      const changed = operation(image, level, drawsOf(1, `${name}/${level}`))
      expect(changed.pixels).toHaveLength(image.pixels.length)
      expect(inRange(changed), `${name} at ${level}`).toBe(true)
    }
    expect(image.pixels).toEqual(before)
  })
})

describe('an operation that gets stronger changes nothing at 0', () => {
  const names = Object.keys(operations).filter((name) => /Increasing|Rotate|Shear|Translate|Add/.test(name))
  it.each(names.filter((name) => !name.startsWith('Posterize')))('%s', (name) => {
    const image = picture()
    close(operations[name as keyof typeof operations](image, 0, yes()).pixels, image.pixels)
  })
})

describe('tones', () => {
  it('stretch each channel by itself', () => {
    const image = picture([1, 3, 2], (_, x, channel) => (channel === 0 ? 0.2 + 0.2 * x : 0.5))
    close(tones.autoContrast(image).pixels, [0, 0.5, 0.5, 0.5, 1, 0.5])
  })
  it('spread a histogram as PIL does', () => {
    const ramp = picture([16, 64, 1], (y, x) => (64 * y + x) / 1024 / 2)
    const values = tones.equalize(ramp).pixels
    expect(values[0]).toBe(0)
    expect(Math.max(...values)).toBeGreaterThan(0.98)
    const even = picture([16, 16, 1], () => 0.3)
    expect(tones.equalize(even).pixels).toEqual(even.pixels)
  })
  it('keep bits, invert above a threshold, and brighten the lower half', () => {
    close(tones.posterize(grey(0, 100 / 255, 1), 1).pixels, [0, 0, 128 / 255])
    close(tones.posterize(grey(0.3, 1), 0).pixels, [0, 0])
    close(tones.posterize(grey(100 / 255), 8).pixels, [100 / 255])
    close(tones.solarize(grey(0.2, 0.8), 128).pixels, [0.2, 0.2])
    close(tones.solarizeAdd(grey(0.2, 0.8), 51).pixels, [0.4, 0.8])
    close(tones.invert(grey(0.2, 1)).pixels, [0.8, 0])
  })
})

describe('enhancements', () => {
  it('change nothing at 1', () => {
    for (const enhance of [brightness, contrast, color, sharpness])
      close(enhance(picture(), 1).pixels, picture().pixels)
  })
  it('take away what they enhance at 0', () => {
    close(brightness(grey(0.2, 0.6), 0).pixels, [0, 0])
    close(contrast(grey(0.2, 0.6), 0).pixels, [0.4, 0.4])
    close(
      color(
        picture([1, 1, 3], (_, __, channel) => [1, 0, 0][channel] as number),
        0,
      ).pixels,
      [0.299, 0.299, 0.299],
    )
    const dot = picture([3, 3, 1], (y, x) => Number(y === 1 && x === 1))
    expect(sharpness(dot, 0).pixels[4]).toBeCloseTo(5 / 13, 6)
    expect(sharpness(dot, 0).pixels[0]).toBe(0)
  })
})

describe('warp', () => {
  it('moves by whole pixels without a trace of interpolation, and fills with the mean colour', () => {
    const image = picture([4, 4, 3])
    const { pixels } = warp(image, [1, 0, 1, 0, 1, 0])
    close(pixels.subarray(0, 9), image.pixels.subarray(3, 12))
    close(pixels.subarray(9, 12), IMAGENET.channels)
  })
  it('turns by 90 degrees counter-clockwise, as PIL', () => {
    const image = picture([3, 3, 1])
    const at = (y: number, x: number) => image.pixels[3 * y + x] as number
    close(rotate(image, 90).pixels, [
      at(0, 2),
      at(1, 2),
      at(2, 2),
      at(0, 1),
      at(1, 1),
      at(2, 1),
      at(0, 0),
      at(1, 0),
      at(2, 0),
    ])
  })
  it('keeps an even colour under any map that stays inside', () => {
    const even = picture([8, 8, 3], () => 0.25)
    close(warp(even, [0.5, 0.1, 1, -0.1, 0.5, 2]).pixels, even.pixels)
  })
})

describe('policies', () => {
  const options = { n: 2, m: 9, mstd: 0.5, mmax: 10, inc: true }
  it('keep pixels in range and depend on the stream alone', () => {
    for (let i = 0; i < 60; i++) {
      const draws = () => drawsOf(3, `policy/${i}`)
      for (const policy of [randAugment(picture(), options, draws()), autoAugment(picture(), draws())]) {
        expect(inRange(policy)).toBe(true)
      }
      expect(randAugment(picture(), options, draws())).toEqual(randAugment(picture(), options, draws()))
      expect(autoAugment(picture(), draws())).toEqual(autoAugment(picture(), draws()))
    }
  })
  it('leave about a quarter of images alone, with two operations at probability 1/2', () => {
    const image = picture()
    const same = Array.from({ length: 400 }, (_, i) => randAugment(image, options, drawsOf(1, `same/${i}`)) === image)
    expect(same.filter(Boolean).length / 400).toBeGreaterThan(0.18)
    expect(same.filter(Boolean).length / 400).toBeLessThan(0.32)
  })
})
