import { describe, expect, it } from 'vitest'
import { sequentialBatches } from '../../../engine/data/dataLoader.ts'
import { imageData } from '../../../engine/data/images/index.ts'
import { drawingStyleOf, renderDrawing } from '../../../engine/predict/drawing.ts'
import { memoryFiles } from '../data/memory-files.ts'
import { byHand, digitFiles, strokesOf } from './digits.ts'

const SIDE = 28
const files = Object.entries(digitFiles(SIDE, 300)).map(([name, bytes]) => [`digits/${name}`, bytes] as const)

/** The training pictures of a data set with their labels. */
async function examplesOf(name: string, options: Record<string, unknown>, count: number) {
  const { train, shape } = await imageData.open({ dataset: name, options }, memoryFiles(Object.fromEntries(files)))
  for await (const batch of sequentialBatches({ ...train, size: count }, count)) return { ...batch, shape }
  throw new Error('no examples')
}
const digits = () => examplesOf('idx', { path: 'digits' }, 200)

/** The label whose examples a picture is nearest to, in the mean. */
function nearest(picture: ArrayLike<number>, pixels: Float32Array, labels: Int32Array): number {
  const size = picture.length
  const distances = Array.from({ length: 10 }, (_, label) => {
    const own = [...labels.keys()].filter((i) => labels[i] === label)
    const mean = (at: number) => own.reduce((sum, i) => sum + (pixels[i * size + at] ?? 0) / own.length, 0)
    return Array.from(picture).reduce((sum, value, at) => sum + (value / 255 - mean(at)) ** 2, 0)
  })
  return distances.indexOf(Math.min(...distances))
}

describe('how pictures are drawn', () => {
  it('is told of digits in the middle of a dark ground', async () => {
    const { pixels, shape } = await digits()
    const { ground, ink, length, thickness } = drawingStyleOf(pixels, shape)
    expect([ground, ink]).toEqual([0, 1])
    expect(Math.abs(length - 20)).toBeLessThan(2)
    expect(Math.abs(thickness - SIDE / 12)).toBeLessThan(0.7)
  })
  it('is told of glyphs among scraps of others, which stand 15 pixels high', async () => {
    const { pixels, shape } = await examplesOf('glyphs', { classes: 36, difficulty: 0 }, 64)
    const { ground, ink, length, thickness } = drawingStyleOf(pixels, shape)
    expect(ground).toBeGreaterThan(0.1)
    expect(ink).toBeGreaterThan(0.7)
    expect(Math.abs(length - 18)).toBeLessThan(3)
    expect(Math.abs(thickness - 2)).toBeLessThan(0.7)
  })
  it('is told where they are dark on light', async () => {
    const { pixels, shape } = await digits()
    const { ground, ink } = drawingStyleOf(
      pixels.map((value) => 1 - value),
      shape,
    )
    expect([ground, ink]).toEqual([1, 0])
  })
  it('is as in MNIST where there is nothing to see', () => {
    expect(drawingStyleOf(new Float32Array(28 * 28), [28, 28, 1])).toMatchObject({ length: 20, thickness: 2 })
    expect(drawingStyleOf(new Float32Array(0), [28, 28, 1])).toMatchObject({ length: 20 })
  })
})

describe('a drawing', () => {
  it('is nearest to the examples of what it is, wherever and in whatever size it was drawn', async () => {
    const { pixels, labels, shape } = await digits()
    for (const turned of [false, true]) {
      const values = turned ? pixels.map((value) => 1 - value) : pixels
      const hand = drawingStyleOf(values, shape)
      const wrong = Array.from({ length: 60 }, (_, i) => i).filter((i) => {
        const { pixels } = renderDrawing(hand, byHand(i % 10, `test/${i}`), shape)
        return nearest(pixels, values, labels) !== i % 10
      })
      expect(wrong.length).toBeLessThan(4)
    }
  })
  it('may be a dot, or nothing, on pictures of any shape', () => {
    const hand = { ground: 0, ink: 1, length: 10, thickness: 3, centred: 'box' } as const
    const dot = renderDrawing(hand, [[5, 5]], [16, 24, 3])
    expect(dot).toMatchObject({ height: 16, width: 24, channels: 3 })
    expect(dot.pixels).toHaveLength(16 * 24 * 3)
    expect(dot.pixels.some((value) => value === 255)).toBe(true)
    expect(renderDrawing(hand, [], [8, 8, 1]).pixels.every((value) => value === 0)).toBe(true)
    const { pixels } = renderDrawing({ ...hand, centred: 'mass' }, strokesOf(7), [28, 28, 1])
    expect(pixels.some((value) => value === 255)).toBe(true)
  })
})
