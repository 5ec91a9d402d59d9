import { describe, expect, it } from 'vitest'
import { splitOf } from '../../../../engine/data/images/split.ts'

const images = { pixels: new Uint8Array([0, 51, 102, 153, 204, 255]), labels: [5, 6, 7] }

describe('splitOf', () => {
  it('reads members in the order asked for, scaled to 0..1', async () => {
    const split = splitOf(images, 2, [2, 0])
    expect(split.size).toBe(2)
    const { pixels, labels } = await split.read([1, 0, 1])
    expect([...labels]).toEqual([5, 7, 5])
    expect(pixels).toEqual(Float32Array.of(0, 0.2, 0.8, 1, 0, 0.2))
  })
  it('reads nothing', async () => {
    expect((await splitOf(images, 2, [0]).read([])).pixels).toHaveLength(0)
  })
  it.each([-1, 2, 0.5])('refuses example %d of 2', async (index) => {
    await expect(splitOf(images, 2, [2, 0]).read([index])).rejects.toThrow(`example ${index} is outside 0..1`)
  })
})
