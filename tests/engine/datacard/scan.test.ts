import { expect, it } from 'vitest'
import { noticesOf } from '../../../engine/datacard/notices.ts'
import { type ScannedSplit, scanSplit } from '../../../engine/datacard/scan.ts'
import { MixlabError } from '../../../engine/errors.ts'

const fields = {
  image: { dtype: 'float32', shape: [2] },
  label: { dtype: 'int32', shape: [], classes: ['a', 'b'] },
} as const

/** A split whose example i has the values i and 1; `broken` cannot be read. */
function split(size: number, broken: number[] = []) {
  const read = async (indices: ArrayLike<number>) => {
    const all = Array.from(indices)
    const bad = all.find((i) => broken.includes(i))
    if (bad !== undefined) throw new MixlabError('data', `pictures/${bad}.png`, 'no PNG')
    return { image: Float32Array.from(all.flatMap((i) => [i, 1])), label: Int32Array.from(all, (i) => i % 2) }
  }
  return { name: 'train', size, read }
}

it('reads a large split no further than there is time, in a random order, and says so', async () => {
  const found = await scanSplit(split(60_000), fields, 0)
  expect(found).toMatchObject({ size: 60_000, looked: 256, whole: false })
  const middle = [...found.contents.values()].sort((a, b) => a - b)[128] as number
  expect(middle).toBeGreaterThan(20_000)
  expect(middle).toBeLessThan(40_000)
})
it('counts the classes that the source knows without reading them', async () => {
  const labels = Uint8Array.from({ length: 60_000 }, (_, i) => Number(i < 50_000))
  const { counts } = await scanSplit({ ...split(60_000), labels }, fields, 0)
  expect(counts).toEqual([10_000, 50_000])
})
it('names what cannot be read, and reads the others', async () => {
  const found = await scanSplit(split(300, [7, 200]), fields, Number.POSITIVE_INFINITY)
  expect(found.looked).toBe(298)
  expect(noticesOf([found], ['a', 'b'], 'examples')).toEqual([
    '2 examples of train cannot be read: train 7: pictures/7.png: no PNG; train 200: pictures/200.png: no PNG.',
  ])
})
it('throws what is no fault of the data', async () => {
  const wrong = { ...split(3), read: () => Promise.reject(new RangeError('a fault of ours')) }
  await expect(scanSplit(wrong, fields, 0)).rejects.toThrow('a fault of ours')
})
it('tells contents apart that differ in one bit, and finds equal ones', async () => {
  const values = (last: number) => Float32Array.from({ length: 784 }, (_, i) => (i === 783 ? last : i / 784))
  const own = { image: { dtype: 'float32', shape: [784] } } as const
  const of = (all: number[]) => ({
    ...split(all.length),
    read: async (indices: ArrayLike<number>) => ({
      image: Float32Array.from(Array.from(indices, (i) => [...values(all[i] as number)]).flat()),
    }),
  })
  const contents = async (...all: number[]) => (await scanSplit(of(all), own, 0)).contents
  expect((await contents(0.5, 0.5000001, 0.5)).size).toBe(2)
  const twice = await scanSplit(of([0.3, 0.1, 0.3, 0.2, 0.3]), own, 0)
  expect(noticesOf([twice], [], 'examples')).toEqual([
    '2 of 5 train examples are copies of others: train 2 is train 0, train 4 is train 0.',
  ])
  const train: ScannedSplit = { ...(await scanSplit(of([0.1, 0.2, 0.3]), own, 0)) }
  const test: ScannedSplit = { ...(await scanSplit(of([0.9, 0.3]), own, 0)), name: 'test' }
  expect(noticesOf([train, test], [], 'examples')).toEqual([
    '1 of 2 test examples is also in train: test 1 is train 2.',
  ])
  const copied: ScannedSplit = { ...(await scanSplit(of([0.3, 0.9, 0.3, 0.3]), own, 0)), name: 'test' }
  expect(noticesOf([train, copied], [], 'examples').at(-1)).toBe(
    '3 of 4 test examples are also in train: test 0 is train 2, test 2 is train 2, test 3 is train 2.',
  )
})
it('names five of many duplicates and counts the others', async () => {
  const [train, test] = [await scanSplit(split(50), fields, 0), await scanSplit(split(40), fields, 0)]
  expect(noticesOf([train, { ...test, name: 'test' }], ['a', 'b'], 'examples')).toEqual([
    '40 of 40 test examples are also in train: test 0 is train 0, test 1 is train 1, test 2 is train 2, test 3 is train 3, test 4 is train 4 and 35 more.',
  ])
})
