import { describe, expect, it } from 'vitest'
import { colorJitter } from '../../../../engine/data/augment/colorJitter.ts'
import { randomCrop } from '../../../../engine/data/augment/crop.ts'
import { drawsOf } from '../../../../engine/data/augment/draws.ts'
import { randomErase } from '../../../../engine/data/augment/erase.ts'
import { randomFlip } from '../../../../engine/data/augment/flip.ts'
import { inRange, picture, yes } from './pictures.ts'

const streams = Array.from({ length: 80 }, (_, i) => `stream/${i}`)

describe('random crop', () => {
  it('shows the image moved by at most the padding, and black around it', () => {
    const image = picture([5, 4, 1], (y, x) => (1 + y * 4 + x) / 32)
    const seen = new Set<string>()
    for (const stream of streams) {
      const { pixels } = randomCrop(image, 2, drawsOf(1, stream))
      const moves = [-2, -1, 0, 1, 2].flatMap((dy) => [-2, -1, 0, 1, 2].map((dx) => [dy, dx] as const))
      const fits = moves.filter(([dy, dx]) => {
        const at = (y: number, x: number) =>
          y + dy < 0 || y + dy >= 5 || x + dx < 0 || x + dx >= 4 ? 0 : image.pixels[(y + dy) * 4 + x + dx]
        return pixels.every((value, i) => value === at(Math.floor(i / 4), i % 4))
      })
      expect(fits).toHaveLength(1)
      seen.add(String(fits[0]))
    }
    expect(seen.size).toBeGreaterThan(20)
  })
  it('may leave nothing of a small image', () => {
    for (const stream of streams) expect(inRange(randomCrop(picture([2, 2, 3]), 4, drawsOf(1, stream)))).toBe(true)
  })
})

describe('random flip', () => {
  it('exchanges left and right, twice gives the image back', () => {
    const image = picture([2, 3, 2])
    const flipped = randomFlip(image, 1, yes())
    expect([...flipped.pixels.subarray(0, 2)]).toEqual([...image.pixels.subarray(4, 6)])
    expect(randomFlip(flipped, 1, yes()).pixels).toEqual(image.pixels)
  })
  it('happens as often as asked', () => {
    const image = picture()
    const count = streams.filter((stream) => randomFlip(image, 0.5, drawsOf(1, stream)) !== image).length
    expect(count).toBeGreaterThan(25)
    expect(count).toBeLessThan(55)
  })
})

describe('colour jitter', () => {
  it('stays in range, and changes nothing at strength 0', () => {
    for (const stream of streams) expect(inRange(colorJitter(picture(), 1, drawsOf(1, stream)))).toBe(true)
    const same = colorJitter(picture(), 0, drawsOf(1, 'none')).pixels
    for (const [i, value] of picture().pixels.entries()) expect(same[i]).toBeCloseTo(value, 5)
  })
})

describe('random erasing', () => {
  it('replaces one rectangle of 2% to a third of the image by noise in range', () => {
    const image = picture([16, 16, 3], () => 0.123)
    for (const stream of streams) {
      const { pixels } = randomErase(image, 1, yes(stream))
      const changed = [...pixels.entries()].filter(([at, value]) => value !== image.pixels[at]).map(([at]) => at)
      const rows = changed.map((at) => Math.floor(at / 48))
      const columns = changed.map((at) => Math.floor(at / 3) % 16)
      const area = (Math.max(...rows) - Math.min(...rows) + 1) * (Math.max(...columns) - Math.min(...columns) + 1)
      expect(changed).toHaveLength(area * 3)
      expect(area).toBeGreaterThanOrEqual(4)
      expect(area).toBeLessThanOrEqual(256 / 3 + 12)
      expect(inRange({ ...image, pixels })).toBe(true)
    }
  })
  it('leaves alone what is too small for a rectangle, and all at probability 0', () => {
    const dot = picture([1, 1, 3])
    expect(randomErase(dot, 1, yes()).pixels).toEqual(dot.pixels)
    expect(randomErase(picture(), 0, yes()).pixels).toEqual(picture().pixels)
  })
})
