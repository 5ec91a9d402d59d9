import { describe, expect, it } from 'vitest'
import { type PointOrder, sortPoints } from '../../../../engine/data/points/order.ts'
import { keyOf, permutation, uniform } from '../../../../engine/random.ts'

const cloudOf = (points: number[][]) => Float32Array.from(points.flat())
const pointsOf = (cloud: Float32Array) =>
  Array.from({ length: cloud.length / 3 }, (_, i) => [...cloud.subarray(3 * i, 3 * i + 3)])
function sorted(points: number[][], order: PointOrder): number[][] {
  const cloud = cloudOf(points)
  sortPoints(cloud, order)
  return pointsOf(cloud)
}

const random = Array.from({ length: 60 }, (_, i) =>
  [0, 1, 2].map((axis) => Math.fround(uniform(keyOf(1, 'p'), 3 * i + axis) * 2 - 1)),
)
const shuffled = Array.from(permutation(keyOf(2, 'p'), 60), (i) => random[i] ?? [])

describe('sortPoints', () => {
  it.each(['hilbert', 'height'] as const)('makes the same of the same points in another order: %s', (order) => {
    expect(sorted(shuffled, order)).toEqual(sorted(random, order))
    expect(sorted(random, order)).not.toEqual(random)
    expect([...sorted(random, order)].map(String).sort()).toEqual(random.map(String).sort())
  })

  it('leaves them as they came for none', () => {
    expect(sorted(shuffled, 'none')).toEqual(shuffled)
  })

  it('goes by z, then y, then x', () => {
    const points = [
      [0.5, 0, 0],
      [0, 0.5, 0],
      [0, 0, 0],
      [0, 0, -0.5],
    ]
    expect(sorted(points, 'height')).toEqual([
      [0, 0, -0.5],
      [0, 0, 0],
      [0.5, 0, 0],
      [0, 0.5, 0],
    ])
  })

  it('goes through a grid in steps to a neighbour, each place once', () => {
    const places = [-0.875, -0.625, -0.375, -0.125, 0.125, 0.375, 0.625, 0.875]
    const grid = places.flatMap((x) => places.flatMap((y) => places.map((z) => [x, y, z])))
    const walk = sorted(grid, 'hilbert')
    const steps = walk
      .slice(1)
      .map((point, i) => Math.hypot(...point.map((value, axis) => value - (walk[i]?.[axis] ?? 0))))
    expect(new Set(walk.map(String)).size).toBe(512)
    expect(new Set(steps)).toEqual(new Set([0.25]))
  })

  it('takes points at the very edge of the ball', () => {
    const edge = [
      [1, 0, 0],
      [-1, 0, 0],
      [0, 1.0000001, 0],
      [0, 0, -1.0000001],
    ]
    expect(sorted(edge, 'hilbert')).toHaveLength(4)
  })
})
