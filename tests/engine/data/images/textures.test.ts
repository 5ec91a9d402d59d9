import { describe, expect, it } from 'vitest'
import { imageData } from '../../../../engine/data/images/index.ts'
import type { ImageSplit } from '../../../../engine/data/types.ts'
import { memoryFiles } from '../memory-files.ts'
import { nearestMean } from './nearest-mean.ts'

const open = (options: Record<string, unknown> = {}) =>
  imageData.open({ dataset: 'textures', options: { train: 60, test: 40, ...options } }, memoryFiles({}))
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const everything = (split: ImageSplit) => split.read(upTo(split.size))
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
    expect(data.classes).toContain('fine-rows')
    const { pixels, labels } = await data.train.read([4, 2])
    expect([pixels.length, labels.length]).toEqual([2 * AREA, 2])
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
})
