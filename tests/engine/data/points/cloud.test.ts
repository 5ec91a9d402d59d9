import { describe, expect, it } from 'vitest'
import { decodeCloud } from '../../../../engine/data/points/cloud.ts'
import { meshSampler } from '../../../../engine/data/points/mesh.ts'
import { toUnitBall } from '../../../../engine/data/points/unit-ball.ts'
import { keyOf } from '../../../../engine/random.ts'

const key = keyOf(1, 'cloud')
const decode = (text: string, path: string, points: number, of = key) =>
  decodeCloud(new TextEncoder().encode(text), path, points, of)
const rows = (cloud: Float32Array) =>
  Array.from({ length: cloud.length / 3 }, (_, i) => [...cloud.subarray(3 * i, 3 * i + 3)])

/** A cuboid of 2 x 2 x 6 far from the origin, of squares. */
const CUBOID = `OFF
8 6 12
100 100 100\n102 100 100\n102 102 100\n100 102 100\n100 100 106\n102 100 106\n102 102 106\n100 102 106
4 0 3 2 1\n4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n`

describe('decodeCloud of a mesh', () => {
  it('takes points uniform over its area, in the unit ball', () => {
    const cloud = rows(decode(CUBOID, 'a.OFF', 4000))
    for (const axis of [0, 1, 2])
      expect(cloud.reduce((sum, point) => sum + (point[axis] ?? 0), 0) / 4000).toBeCloseTo(0)
    expect(Math.max(...cloud.map((point) => Math.hypot(...point)))).toBeCloseTo(1)
    const top = Math.max(...cloud.map(([, , z = 0]) => z))
    const share = cloud.filter(([, , z = 0]) => top - z < 1e-6).length / 4000
    expect(share).toBeGreaterThan(4 / 56 - 0.02)
    expect(share).toBeLessThan(4 / 56 + 0.02)
  })

  it('takes the same points by the same key, and others by another', () => {
    expect(decode(CUBOID, 'a.off', 20)).toEqual(decode(CUBOID, 'a.off', 20))
    expect(decode(CUBOID, 'a.off', 20, keyOf(2, 'cloud'))).not.toEqual(decode(CUBOID, 'a.off', 20))
  })

  it.each([
    ['has no faces', 'OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n'],
    ['is flat as a line', 'OFF\n3 1 0\n0 0 0\n1 0 0\n2 0 0\n3 0 1 2\n'],
    ['is too large', 'OFF\n3 1 0\n0 0 0\n1e200 0 0\n0 1e200 0\n3 0 1 2\n'],
  ])('refuses one that %s', (_, text) => {
    expect(() => decode(text, 'a.off', 8)).toThrow('a.off: the area of its faces is 0, or too large')
  })
})

describe('decodeCloud of points', () => {
  const line = (from: number, to: number, offset = 0) =>
    Array.from({ length: to - from }, (_, i) => `${offset + from + i} 0 0 0.6 0.8 0`).join('\n')

  it('takes a random choice of different ones', () => {
    const found = rows(decode(line(0, 100), 'a.xyz', 30)).map(([x = 0]) => x)
    expect(new Set(found).size).toBe(30)
    expect(decode(line(0, 100), 'a.xyz', 30)).toEqual(decode(line(0, 100), 'a.xyz', 30))
    expect(decode(line(0, 100), 'a.xyz', 30, keyOf(2, 'cloud'))).not.toEqual(decode(line(0, 100), 'a.xyz', 30))
  })

  it('takes every one where there are as many, and some again where there are fewer', () => {
    expect(rows(decode('3 4 0\n5 4 0\n', 'a.xyz', 4))).toEqual([
      [-1, 0, 0],
      [1, 0, 0],
      [-1, 0, 0],
      [1, 0, 0],
    ])
    expect(new Set(rows(decode(line(0, 9), 'a.xyz', 9)).map(([x]) => x)).size).toBe(9)
  })

  it('keeps the shape of a small thing far away, as in a survey', () => {
    const near = rows(decode(line(0, 9), 'a.xyz', 9))
    for (const [i, [x = 0]] of rows(decode(line(0, 9, 4e8), 'a.xyz', 9)).entries())
      expect(x).toBeCloseTo(near[i]?.[0] ?? 9)
  })

  it.each([
    ['are all the same', '1 2 3\n1 2 3\n'],
    ['are too far apart', '0 0 0\n1.7e308 0 0\n-1.7e308 0 0\n'],
  ])('refuses those that %s', (_, text) => {
    expect(() => decode(text, 'a.xyz', 8)).toThrow('a.xyz: all points are the same, or too far apart')
  })
})

describe('meshSampler', () => {
  it('gives the corners and the inside of a triangle by the draws', () => {
    const sample = meshSampler({ vertices: [0, 0, 0, 3, 0, 0, 0, 3, 0], triangles: [0, 1, 2] })
    const at = (...draws: number[]) => sample?.(() => draws.shift() ?? 0)
    expect(at(0.5, 0, 0.5)).toEqual([0, 0, 0])
    expect(at(0.5, 1, 0)).toEqual([3, 0, 0])
    expect(at(0.5, 1, 1)).toEqual([0, 3, 0])
    expect(at(0.5, 0.25, 0.5)).toEqual([0.75, 0.75, 0])
  })
})

describe('toUnitBall', () => {
  it('only moves a single place', () => {
    const cloud = Float32Array.of(5, 6, 7, 5, 6, 7)
    expect(toUnitBall(cloud)).toBe(false)
    expect([...cloud]).toEqual([0, 0, 0, 0, 0, 0])
  })
})
