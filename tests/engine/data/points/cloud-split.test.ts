import { describe, expect, it } from 'vitest'
import { cloudSplit } from '../../../../engine/data/points/cloud-split.ts'

/** Three clouds of one point; cloud i is at (i, i, i). */
function clouds(limit?: number) {
  const made: number[] = []
  const cloud = (index: number) => {
    made.push(index)
    return new Float32Array(3).fill(index)
  }
  return { made, split: cloudSplit([7, 8, 9], 1, cloud, limit) }
}

describe('cloudSplit', () => {
  it('reads clouds and labels in the order asked', async () => {
    const { split } = clouds()
    expect(split.size).toBe(3)
    expect(await split.read([2, 0, 2])).toEqual({
      points: Float32Array.of(2, 2, 2, 0, 0, 0, 2, 2, 2),
      labels: Int32Array.of(9, 7, 9),
    })
  })

  it('makes each cloud once, and those beyond the limit each time', async () => {
    const unlimited = clouds()
    for (let epoch = 0; epoch < 3; epoch++) await unlimited.split.read([0, 1, 2])
    expect(unlimited.made).toEqual([0, 1, 2])
    const limited = clouds(2 * 12)
    for (let epoch = 0; epoch < 3; epoch++) await limited.split.read([0, 1, 2])
    expect(limited.made).toEqual([0, 1, 2, 2, 2])
  })

  it('does not give away what it keeps', async () => {
    const { split } = clouds()
    const first = await split.read([1])
    first.points.fill(0)
    expect([...(await split.read([1])).points]).toEqual([1, 1, 1])
  })

  it.each([[-1], [3], [0.5], [Number.NaN]])('refuses to read example %d of 3', async (index) => {
    await expect(clouds().split.read([index])).rejects.toThrow(`example ${index} is outside 0..2`)
  })
})
