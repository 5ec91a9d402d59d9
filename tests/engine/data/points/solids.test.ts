import { describe, expect, it } from 'vitest'
import { digest } from '../../../../engine/data/digest.ts'
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
    expect(data).toMatchObject({ name: 'solids', points: 128 })
    expect(new Set(data.classes).size).toBe(10)
    expect(data.classes).toContain('tetrahedron')
    expect([data.train.size, data.test.size]).toEqual([60, 40])
    const cloud = pointsOf(await data.train.read([7]))
    expect(cloud).toHaveLength(128)
    expect(Math.max(...cloud.map((point) => Math.hypot(...point)))).toBeCloseTo(1)
    for (const axis of [0, 1, 2]) expect(cloud.reduce((sum, point) => sum + (point[axis] ?? 0), 0) / 128).toBeCloseTo(0)
  })

  it('draws the clouds it always drew', async () => {
    const data = await open()
    // In 1/1000, for sines and cosines may differ in their last bits from one machine to another.
    const thousandths = ({ points }: PointBatch) =>
      new Int16Array(Float32Array.from(points, (v) => Math.round(v * 1000)))
    const drawn = [await data.train.read(upTo(10)), await data.test.read(upTo(10))].map(thousandths)
    expect(drawn.map(({ buffer }) => digest(new Uint8Array(buffer)).slice(0, 16))).toEqual([
      'baa1ce2a9176f08f',
      '7d37602378a77a56',
    ])
  })

  it('draws an example alike in any order, and for any number of examples', async () => {
    const [one, other] = [await open(), await open({ train: 200 })]
    await other.train.read([9, 3])
    expect(await other.train.read([4])).toEqual(await one.train.read([4]))
    expect(await one.test.read([4])).not.toEqual(await one.train.read([4]))
  })

  it('holds every class once in ten examples in a row', async () => {
    const { labels } = await everything((await open({ train: 25 })).train)
    expect(new Set(labels.slice(0, 10)).size).toBe(10)
    expect(new Set(labels.slice(10, 20)).size).toBe(10)
    expect(new Set(labels.slice(20)).size).toBe(5)
  })

  it('has a hash of all options', async () => {
    const { hash } = await open()
    expect((await open()).hash).toBe(hash)
    const others: SolidsOptions[] = [{ difficulty: 0.4 }, { points: 64 }, { train: 61 }, { test: 41 }, { seed: 1 }]
    for (const options of others) expect((await open(options)).hash).not.toBe(hash)
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

  it.each([
    [{ difficulty: 1.5 }, 'task.data.difficulty: 1.5, expected at most 1'],
    [{ points: 4 }, 'task.data.points: 4, expected at least 8'],
    [{ points: 5000 }, 'task.data.points: 5000, expected at most 4096'],
    [{ train: 0 }, 'task.data.train: 0, expected at least 1'],
    [{ seed: 0.5 }, 'task.data.seed: 0.5, expected a whole number'],
    [{ dificulty: 1 }, "unknown option 'dificulty' (did you mean 'difficulty'?)"],
  ])('refuses %j', async (options, message) => {
    await expect(open(options as SolidsOptions)).rejects.toThrow(message)
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
