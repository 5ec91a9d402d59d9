import { describe, expect, it } from 'vitest'
import { digest } from '../../../../engine/data/digest.ts'
import { imageData } from '../../../../engine/data/images/index.ts'
import type { ImageBatch, ImageSplit } from '../../../../engine/data/types.ts'
import { memoryFiles } from '../memory-files.ts'
import { nearestMean } from './nearest-mean.ts'

const open = (options: Record<string, unknown> = {}) =>
  imageData.open({ dataset: 'shapes', options: { train: 60, test: 40, ...options } }, memoryFiles({}))
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const everything = (split: ImageSplit) => split.read(upTo(split.size))
const LENGTH = 32 * 32 * 3

const bytesOf = (batch: ImageBatch) => Uint8Array.from(batch.pixels, (value) => Math.round(value * 255))

describe('shapes', () => {
  it('is an image data set of ten named classes', async () => {
    const data = await open()
    expect(data).toMatchObject({ name: 'shapes', shape: [32, 32, 3] })
    expect(data.classes).toHaveLength(10)
    expect(new Set(data.classes).size).toBe(10)
    expect(data.classes).toContain('rows-columns')
    expect([data.train.size, data.test.size]).toEqual([60, 40])
    const { pixels, labels } = await data.train.read([4, 2])
    expect([pixels.length, labels.length]).toEqual([2 * LENGTH, 2])
    expect(Math.min(...pixels)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...pixels)).toBeLessThanOrEqual(1)
  })
  it('draws the images it always drew', async () => {
    const data = await open()
    const drawn = [await data.train.read(upTo(10)), await data.test.read(upTo(10))]
    expect(drawn.map((batch) => digest(bytesOf(batch)).slice(0, 16))).toEqual(['584fe8a3a79d8ac1', '0df48c0b4cc3aefc'])
  })
  it('gives an example whatever was read before it, and again', async () => {
    const [one, other] = [await open(), await open()]
    const whole = await everything(one.train)
    expect(await one.train.read([7])).toEqual(await other.train.read([7]))
    expect((await other.train.read([9, 7])).pixels.slice(LENGTH)).toEqual(whole.pixels.slice(7 * LENGTH, 8 * LENGTH))
    expect(await everything(other.train)).toEqual(whole)
  })
  it('gives the same examples whatever their number', async () => {
    const few = await everything((await open({ train: 13 })).train)
    const many = await (await open({ train: 90 })).train.read(upTo(13))
    expect(few).toEqual(many)
  })
  it('has every class once in ten examples', async () => {
    const data = await open({ train: 100 })
    const { labels } = await everything(data.train)
    for (let start = 0; start < 100; start += 10) {
      expect([...labels.slice(start, start + 10)].sort()).toEqual(upTo(10))
    }
    expect([...labels.slice(0, 10)]).not.toEqual([...labels.slice(10, 20)])
  })
  it('shares no image between train and test, nor between seeds', async () => {
    const [zero, one] = [await open(), await open({ seed: 1 })]
    const batches = await Promise.all([zero.train, zero.test, one.train, one.test].map(everything))
    const images = batches.flatMap((batch) => {
      const bytes = bytesOf(batch)
      return [...batch.labels].map((_, i) => digest(bytes.subarray(i * LENGTH, (i + 1) * LENGTH)))
    })
    expect(new Set(images).size).toBe(200)
  })
  it('has one hash for one set of examples', async () => {
    const { hash } = await open()
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect((await open({ difficulty: 0.5, seed: 0 })).hash).toBe(hash)
    for (const options of [{ seed: 1 }, { difficulty: 0.6 }, { size: 16 }, { train: 61 }, { test: 41 }]) {
      expect((await open(options)).hash).not.toBe(hash)
    }
  })
  it.each([16, 48])('draws at size %i', async (size) => {
    const data = await open({ size })
    expect(data.shape).toEqual([size, size, 3])
    expect((await data.test.read([0])).pixels).toHaveLength(size * size * 3)
  })

  it('puts the first texture of a class on the left and the second on the right', async () => {
    const data = await open({ difficulty: 0, train: 200 })
    const { pixels, labels } = await everything(data.train)
    const steepness = (name: string, first: number) => {
      let [across, down] = [0, 0]
      for (const [i, label] of labels.entries()) {
        if (data.classes[label] !== name) continue
        for (let y = 0; y < 31; y++) {
          for (let x = first; x < first + 12; x++) {
            const at = i * LENGTH + (y * 32 + x) * 3
            across += Math.abs((pixels[at] ?? 0) - (pixels[at + 3] ?? 0))
            down += Math.abs((pixels[at] ?? 0) - (pixels[at + 96] ?? 0))
          }
        }
      }
      return down / across
    }
    expect(steepness('rows-columns', 0)).toBeGreaterThan(1.5)
    expect(steepness('rows-columns', 18)).toBeLessThan(0.67)
    expect(steepness('columns-rows', 0)).toBeLessThan(0.67)
    expect(steepness('columns-rows', 18)).toBeGreaterThan(1.5)
  })
  it('cannot be told from mean pixels or from colours', async () => {
    const data = await open({ train: 600, test: 300 })
    const [train, test] = [await everything(data.train), await everything(data.test)]
    const histogram = (image: Float32Array) => {
      const counts = Array<number>(48).fill(0)
      for (const [i, value] of image.entries()) {
        const bin = 16 * (i % 3) + Math.min(15, Math.floor(value * 16))
        counts[bin] = (counts[bin] ?? 0) + 1
      }
      return counts
    }
    expect(nearestMean((image) => [...image], 10, train, test)).toBeLessThan(0.2)
    expect(nearestMean(histogram, 10, train, test)).toBeLessThan(0.2)
  })
  it('gets fainter and noisier with difficulty, the scene staying the same', async () => {
    const [easy, hard] = [await open({ difficulty: 0 }), await open({ difficulty: 1 })]
    const [a, b] = [await easy.train.read([0]), await hard.train.read([0])]
    expect(a.labels).toEqual(b.labels)
    expect(a.pixels).not.toEqual(b.pixels)
  })

  it.each([
    [{ difficulty: 1.5 }, 'task.data.difficulty: 1.5, expected at most 1'],
    [{ difficulty: -1 }, 'task.data.difficulty: -1, expected at least 0'],
    [{ size: 8 }, 'task.data.size: 8, expected at least 16'],
    [{ train: 0 }, 'task.data.train: 0, expected at least 1'],
    [{ test: 2.5 }, 'task.data.test: 2.5, expected a whole number'],
    [{ seed: '1' }, "task.data.seed: '1', expected a number"],
    [{ dificulty: 1 }, "unknown option 'dificulty' (did you mean 'difficulty'?)"],
  ])('refuses %j', async (options, message) => {
    await expect(open(options)).rejects.toThrow(message)
  })
  it.each([[-1], [60], [0.5], [Number.NaN]])('refuses to read example %d of 60', async (index) => {
    const { train } = await open()
    await expect(train.read([0, index])).rejects.toThrow(`example ${index} is outside 0..59`)
  })
})
