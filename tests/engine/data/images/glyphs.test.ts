import { describe, expect, it } from 'vitest'
import { digest } from '../../../../engine/data/digest.ts'
import { imageData } from '../../../../engine/data/images/index.ts'
import type { ImageBatch, ImageSplit } from '../../../../engine/data/types.ts'
import { memoryFiles } from '../memory-files.ts'
import { histogram, nearestMean } from './nearest-mean.ts'

const open = (options: Record<string, unknown> = {}) =>
  imageData.open({ dataset: 'glyphs', options: { train: 60, test: 40, ...options } }, memoryFiles({}))
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const everything = (split: ImageSplit) => split.read(upTo(split.size))
const bytesOf = (batch: ImageBatch) => Uint8Array.from(batch.pixels, (value) => Math.round(value * 255))
const AREA = 28 * 28

describe('glyphs', () => {
  it('is an image data set of the letters', async () => {
    const data = await open()
    expect(data).toMatchObject({ name: 'glyphs', shape: [28, 28, 1] })
    expect(data.classes.join('')).toBe('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
    const { pixels, labels } = await data.train.read([4, 2])
    expect([pixels.length, labels.length]).toEqual([2 * AREA, 2])
  })
  it('has as many classes as asked for, digits last', async () => {
    expect((await open({ classes: 3 })).classes).toEqual(['A', 'B', 'C'])
    const data = await open({ classes: 36, train: 36 })
    expect(data.classes.slice(26).join('')).toBe('0123456789')
    expect([...(await everything(data.train)).labels].sort((a, b) => a - b)).toEqual(upTo(36))
  })
  it('draws the images it always drew', async () => {
    const data = await open({ classes: 36 })
    const drawn = [await data.train.read(upTo(36)), await data.test.read(upTo(36))]
    expect(drawn.map((batch) => digest(bytesOf(batch)).slice(0, 16))).toEqual(['69dfe8d78ddbd14c', 'ca2ca7fa6e52dbcb'])
  })
  it('gives an example whatever was read before it, and whatever the number of examples', async () => {
    const whole = await everything((await open()).train)
    const { pixels } = await (await open({ train: 13 })).train.read([9, 7])
    expect(pixels.slice(AREA)).toEqual(whole.pixels.slice(7 * AREA, 8 * AREA))
  })
  it('has every class once in as many examples as there are classes', async () => {
    const { labels } = await everything((await open({ train: 104 })).train)
    for (let start = 0; start < 104; start += 26) {
      expect([...labels.slice(start, start + 26)].sort((a, b) => a - b)).toEqual(upTo(26))
    }
  })
  it('shares no image between train and test, nor between seeds', async () => {
    const [zero, one] = [await open(), await open({ seed: 1 })]
    const batches = await Promise.all([zero.train, zero.test, one.train, one.test].map(everything))
    const images = batches.flatMap((batch) => {
      const bytes = bytesOf(batch)
      return [...batch.labels].map((_, i) => digest(bytes.subarray(i * AREA, (i + 1) * AREA)))
    })
    expect(new Set(images).size).toBe(200)
  })
  it('has one hash for one set of examples', async () => {
    const { hash } = await open()
    expect((await open({ difficulty: 0.5, classes: 26 })).hash).toBe(hash)
    for (const options of [
      { seed: 1 },
      { difficulty: 0.6 },
      { size: 16 },
      { train: 61 },
      { test: 41 },
      { classes: 9 },
    ]) {
      expect((await open(options)).hash).not.toBe(hash)
    }
  })
  it.each([16, 56])('draws the same scenes at size %i', async (size) => {
    const data = await open({ size, difficulty: 0 })
    expect(data.shape).toEqual([size, size, 1])
    const [large, usual] = [await data.test.read([0]), await (await open({ difficulty: 0 })).test.read([0])]
    const mean = (pixels: Float32Array) => pixels.reduce((sum, value) => sum + value, 0) / pixels.length
    expect(mean(large.pixels)).toBeCloseTo(mean(usual.pixels), 1)
  })
  it('can be told from pixels, not from their histogram', async () => {
    const data = await open({ train: 1040, test: 260 })
    const [train, test] = [await everything(data.train), await everything(data.test)]
    expect(nearestMean((image) => [...image], 26, train, test)).toBeGreaterThan(0.25)
    expect(nearestMean(histogram, 26, train, test)).toBeLessThan(0.09)
  })

  it.each([
    [{ difficulty: 1.5 }, 'task.data.difficulty: 1.5, expected at most 1'],
    [{ size: 8 }, 'task.data.size: 8, expected at least 16'],
    [{ classes: 1 }, 'task.data.classes: 1, expected at least 2'],
    [{ classes: 37 }, 'task.data.classes: 37, expected at most 36'],
    [{ classes: 'ABC' }, "task.data.classes: 'ABC', expected a number"],
    [{ test: 2.5 }, 'task.data.test: 2.5, expected a whole number'],
    [{ class: 3 }, "unknown option 'class' (did you mean 'classes'?)"],
  ])('refuses %j', async (options, message) => {
    await expect(open(options)).rejects.toThrow(message)
  })
  it.each([[-1], [60], [0.5]])('refuses to read example %d of 60', async (index) => {
    await expect((await open()).train.read([0, index])).rejects.toThrow(`example ${index} is outside 0..59`)
  })
})
