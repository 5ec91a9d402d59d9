import { describe, expect, it } from 'vitest'
import { imageData } from '../../../../engine/data/images/index.ts'
import type { ImageSplit } from '../../../../engine/data/types.ts'
import { memoryFiles } from '../memory-files.ts'
import { nearestMean } from './nearest-mean.ts'

const open = (options: Record<string, unknown> = {}) =>
  imageData.open({ dataset: 'shapes', options: { train: 60, test: 40, ...options } }, memoryFiles({}))
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const everything = (split: ImageSplit) => split.read(upTo(split.size))
const LENGTH = 32 * 32 * 3

describe('shapes', () => {
  it('is an image data set of ten named classes', async () => {
    const data = await open()
    expect(data.classes).toContain('rows-columns')
    const { pixels, labels } = await data.train.read([4, 2])
    expect([pixels.length, labels.length]).toEqual([2 * LENGTH, 2])
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
})
