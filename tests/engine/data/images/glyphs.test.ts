import { describe, expect, it } from 'vitest'
import { imageData } from '../../../../engine/data/images/index.ts'
import type { ImageSplit } from '../../../../engine/data/types.ts'
import { memoryFiles } from '../memory-files.ts'
import { histogram, nearestMean } from './nearest-mean.ts'

const open = (options: Record<string, unknown> = {}) =>
  imageData.open({ dataset: 'glyphs', options: { train: 60, test: 40, ...options } }, memoryFiles({}))
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const everything = (split: ImageSplit) => split.read(upTo(split.size))
const AREA = 28 * 28

describe('glyphs', () => {
  it('is an image data set of the letters', async () => {
    const data = await open()
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
})
