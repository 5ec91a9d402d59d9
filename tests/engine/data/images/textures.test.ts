import { describe, expect, it } from 'vitest'
import { digest } from '../../../../engine/data/digest.ts'
import { imageData } from '../../../../engine/data/images/index.ts'
import type { ImageBatch, ImageSplit } from '../../../../engine/data/types.ts'
import { memoryFiles } from '../memory-files.ts'
import { nearestMean } from './nearest-mean.ts'

const open = (options: Record<string, unknown> = {}) =>
  imageData.open({ dataset: 'textures', options: { train: 60, test: 40, ...options } }, memoryFiles({}))
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const everything = (split: ImageSplit) => split.read(upTo(split.size))
const bytesOf = (batch: ImageBatch) => Uint8Array.from(batch.pixels, (value) => Math.round(value * 255))
const AREA = 32 * 32

/** Mean products of pixels some steps apart, those of a row and of a column and of both diagonals. */
function autocovariance(image: Float32Array): number[] {
  const size = Math.sqrt(image.length)
  return [1, 2, 3, 4].flatMap((step) =>
    [
      [step, 0],
      [0, step],
      [step, step],
      [step, -step],
    ].map(([dx = 0, dy = 0]) => {
      let [sum, count] = [0, 0]
      for (let y = Math.max(0, -dy); y < size - Math.max(0, dy); y++) {
        for (let x = 0; x < size - dx; x++) {
          sum += ((image[y * size + x] ?? 0) - 0.5) * ((image[(y + dy) * size + x + dx] ?? 0) - 0.5)
          count += 1
        }
      }
      return sum / count
    }),
  )
}

describe('textures', () => {
  it('is an image data set of ten named classes', async () => {
    const data = await open()
    expect(data).toMatchObject({ name: 'textures', shape: [32, 32, 1] })
    expect(new Set(data.classes).size).toBe(10)
    expect(data.classes).toContain('fine-rows')
    const { pixels, labels } = await data.train.read([4, 2])
    expect([pixels.length, labels.length]).toEqual([2 * AREA, 2])
  })
  it('draws the images it always drew', async () => {
    const data = await open()
    const drawn = [await data.train.read(upTo(10)), await data.test.read(upTo(10))]
    expect(drawn.map((batch) => digest(bytesOf(batch)).slice(0, 16))).toEqual(['03302104b38ee095', '2031132367188fe5'])
  })
  it('gives an example whatever was read before it, and whatever the number of examples', async () => {
    const whole = await everything((await open()).train)
    const { pixels } = await (await open({ train: 13 })).train.read([9, 7])
    expect(pixels.slice(AREA)).toEqual(whole.pixels.slice(7 * AREA, 8 * AREA))
  })
  it('has every class once in ten examples', async () => {
    const { labels } = await everything((await open({ train: 50 })).train)
    for (let start = 0; start < 50; start += 10) {
      expect([...labels.slice(start, start + 10)].sort()).toEqual(upTo(10))
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
    expect((await open({ difficulty: 0.5, seed: 0 })).hash).toBe(hash)
    for (const options of [{ seed: 1 }, { difficulty: 0.6 }, { size: 16 }, { train: 61 }, { test: 41 }]) {
      expect((await open(options)).hash).not.toBe(hash)
    }
  })

  it.each([16, 32, 48])('has the same values in every image, at size %i', async (size) => {
    const { pixels } = await everything((await open({ size, train: 20 })).train)
    const sorted = upTo(20).map((i) => pixels.slice(i * size * size, (i + 1) * size * size).sort())
    for (const values of sorted) expect(values).toEqual(sorted[0])
    expect(sorted[0]?.reduce((sum, value) => sum + value, 0)).toBeCloseTo((size * size) / 2, 0)
  })
  it('can be told from autocovariance, not from mean pixels', async () => {
    const data = await open({ train: 600, test: 300 })
    const [train, test] = [await everything(data.train), await everything(data.test)]
    expect(nearestMean((image) => [...image], 10, train, test)).toBeLessThan(0.2)
    expect(nearestMean(autocovariance, 10, train, test)).toBeGreaterThan(0.6)
  })
  it('varies least along the stripes of its class', async () => {
    const data = await open({ difficulty: 0 })
    const { pixels, labels } = await everything(data.train)
    const along = { columns: 1, rows: 0, falling: 2, rising: 3 }
    for (const [i, label] of labels.entries()) {
      const direction = data.classes[label]?.split('-')[1] ?? ''
      const [first = 0, second = 0, third = 0, fourth = 0] = autocovariance(pixels.slice(i * AREA, (i + 1) * AREA))
      const steps = [first, second, third, fourth]
      if (direction in along) {
        expect(steps.indexOf(Math.max(...steps)), direction).toBe(along[direction as keyof typeof along])
      }
    }
  })
  it('gets noisier with difficulty, the labels staying the same', async () => {
    const [easy, hard] = [await open({ difficulty: 0 }), await open({ difficulty: 1 })]
    const [a, b] = [await easy.train.read([0]), await hard.train.read([0])]
    expect(a.labels).toEqual(b.labels)
    expect(a.pixels).not.toEqual(b.pixels)
  })

  it.each([
    [{ difficulty: -1 }, 'task.data.difficulty: -1, expected at least 0'],
    [{ size: 8 }, 'task.data.size: 8, expected at least 16'],
    [{ train: 0 }, 'task.data.train: 0, expected at least 1'],
    [{ seed: '1' }, "task.data.seed: '1', expected a number"],
    [{ classes: 3 }, "unknown option 'classes' (known: difficulty,"],
  ])('refuses %j', async (options, message) => {
    await expect(open(options)).rejects.toThrow(message)
  })
  it.each([[-1], [60], [0.5]])('refuses to read example %d of 60', async (index) => {
    await expect((await open()).train.read([0, index])).rejects.toThrow(`example ${index} is outside 0..59`)
  })
})
