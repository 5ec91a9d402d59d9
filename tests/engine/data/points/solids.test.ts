import { describe, expect, it } from 'vitest'
import { pointData, solids } from '../../../../engine/data/points/index.ts'
import { SOLIDS, solidSurface } from '../../../../engine/data/points/solids-surface.ts'
import type { PointBatch, Split } from '../../../../engine/data/types.ts'
import { keyOf, uniform } from '../../../../engine/random.ts'
import { nearestMean } from '../images/nearest-mean.ts'
import { memoryFiles } from '../memory-files.ts'

type SolidsOptions = NonNullable<Parameters<typeof solids>[0]>

const open = (options: SolidsOptions = {}) =>
  pointData.open(solids({ train: 60, test: 40, ...options }), memoryFiles({}))
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const everything = (split: Split<PointBatch>) => split.read(upTo(split.size))
const pointsOf = ({ points }: PointBatch) =>
  Array.from({ length: points.length / 3 }, (_, i) => [...points.subarray(3 * i, 3 * i + 3)])

describe('solids', () => {
  it('is a data set of ten named classes, centred in the unit ball', async () => {
    const data = await open()
    expect(data.classes).toContain('tetrahedron')
    const cloud = pointsOf(await data.train.read([7]))
    expect(cloud).toHaveLength(128)
    expect(Math.max(...cloud.map((point) => Math.hypot(...point)))).toBeCloseTo(1)
    for (const axis of [0, 1, 2]) expect(cloud.reduce((sum, point) => sum + (point[axis] ?? 0), 0) / 128).toBeCloseTo(0)
  })

  it('gets harder with difficulty, but not empty', async () => {
    const extents = (cloud: Float32Array) =>
      [0, 1, 2].flatMap((axis) => {
        const values = cloud.filter((_, i) => i % 3 === axis)
        const mean = values.reduce((sum, value) => sum + Math.abs(value), 0) / values.length
        return [Math.max(...values), Math.min(...values), mean]
      })
    const accuracy = async (difficulty: number) => {
      const data = await open({ difficulty, train: 400, test: 200 })
      const [train, test] = [await everything(data.train), await everything(data.test)]
      const [a, b] = [train, test].map(({ points, labels }) => ({ pixels: points, labels }))
      return a && b ? nearestMean(extents, 10, a, b) : 0
    }
    const [easy, usual, hard] = [await accuracy(0), await accuracy(0.5), await accuracy(1)]
    expect(easy).toBeGreaterThan(0.5)
    expect(usual).toBeLessThan(0.35)
    expect(hard).toBeLessThan(0.25)
  })
})

describe('solidSurface', () => {
  /** 4,000 points of a solid whose proportions are in the middle of their ranges. */
  function pointsOn(name: string): number[][] {
    const surface = solidSurface(name, (low, high) => (low + high) / 2)
    let counter = 0
    return Array.from({ length: 4000 }, () => surface(() => uniform(keyOf(1, name), counter++)))
  }
  const share = (points: number[][], is: (x: number, y: number, z: number) => boolean) =>
    points.filter(([x = 0, y = 0, z = 0]) => is(x, y, z)).length / points.length

  it.each(SOLIDS)('stays about within two units: %s', (name) => {
    for (const point of pointsOn(name)) expect(Math.max(...point.map(Math.abs))).toBeLessThan(2)
  })

  it('puts as many points on a part as it has area', () => {
    const near = (value: number, expected: number) => expect(Math.abs(value - expected)).toBeLessThan(0.02)
    // A ball: the cap above half its radius has a quarter.
    near(
      share(pointsOn('ellipsoid'), (_x, _y, z) => z > 0.5),
      0.25,
    )
    // A cylinder of radius 1 and height 2: each base has a sixth, and within half the radius a quarter of that.
    near(
      share(pointsOn('cylinder'), (_x, _y, z) => z > 0.999),
      1 / 6,
    )
    near(
      share(pointsOn('cylinder'), (x, y, z) => z > 0.999 && Math.hypot(x, y) < 0.5),
      1 / 24,
    )
    // A cube: each side has a sixth.
    near(
      share(pointsOn('cuboid'), (x) => x > 0.999),
      1 / 6,
    )
    // A torus of tube 0.35: the outer half has 1/2 + tube / pi.
    near(
      share(pointsOn('torus'), (x, y) => Math.hypot(x, y) > 1),
      0.5 + 0.35 / Math.PI,
    )
  })

  it('names a solid that is not there', () => {
    expect(() => solidSurface('sphere', () => 0)).toThrow("no solid 'sphere'")
  })
})
