import { expect, it } from 'vitest'
import { z } from 'zod'
import { examplesFrom } from '../../../engine/data/drawn.ts'
import { fieldForm } from '../../../engine/data/fields/form.ts'
import { difficulty, generated, generatedOptions, lazySplit } from '../../../engine/data/generated.ts'
import { shapes } from '../../../engine/data/images/shapes.ts'
import type { Draw, ImageDataset } from '../../../engine/data/types.ts'
import * as mixlab from '../../../engine/index.ts'
import { uniform } from '../../../engine/random.ts'
import { memoryFiles } from './memory-files.ts'

const options = z.strictObject({ difficulty, ...generatedOptions({ train: 6, test: 2 }) })

/** Pixels of a class each, the second of which is the first draw of a stream. */
const dots = generated({ name: 'dots', version: 1, form: fieldForm }, options, ({ difficulty }) => ({
  classes: ['low', 'high', 'none'],
  shape: { image: [1, 2] },
  make: (random) => {
    const label = random.balanced('labels', 3)
    return { image: Uint8Array.of(255 * difficulty, 255 * uniform(random.key(), 0)), label, part: random.part }
  },
}))

const open = (given: object = {}) => dots.kind.open({ ...given }, memoryFiles({}))

it('makes examples of named parts, with classes where they are whole numbers', async () => {
  const data = await open({ difficulty: 1 })
  expect(data.fields).toEqual({
    image: { dtype: 'float32', shape: [1, 2] },
    label: { dtype: 'int32', shape: [], classes: ['low', 'high', 'none'] },
    part: { dtype: 'text', shape: [] },
  })
  const { image, label, part } = await data.train.read([0, 1, 2])
  expect([image?.[0], image?.length, new Set(label as Int32Array).size]).toEqual([1, 6, 3])
  expect(part).toEqual(['train', 'train', 'train'])
  expect([data.train.size, data.validation.size, data.test.size]).toEqual([6, 1, 2])
})

it('makes the same again, others for another part or seed, and has its options in the hash', async () => {
  const [first, again, other] = [await open(), await open(), await open({ seed: 1 })]
  const imageOf = async ({ train }: typeof first) => (await train.read([4, 1])).image
  expect(await imageOf(again)).toEqual(await imageOf(first))
  expect(await imageOf(other)).not.toEqual(await imageOf(first))
  expect((await first.test.read([1])).image).not.toEqual((await first.train.read([1])).image)
  expect([again.hash === first.hash, other.hash === first.hash]).toEqual([true, false])
})

it('makes each example once, and those beyond the limit each time', async () => {
  const read = async (limit?: number) => {
    const made: number[] = []
    const make = (index: number) => {
      made.push(index)
      return { image: Float32Array.of(index, 7) }
    }
    const split = lazySplit(3, make, [['image', { dtype: 'float32', shape: [2] }]], {
      ...(limit !== undefined && { limit }),
    })
    for (let epoch = 0; epoch < 3; epoch++) {
      const { image } = await split.read([2, 0, 1])
      expect(image).toEqual(Float32Array.of(2, 7, 0, 7, 1, 7))
      ;(image as Float32Array).fill(0) // is the reader's
    }
    await expect(split.read([3])).rejects.toThrow('example 3 is outside 0..2')
    return made
  }
  expect(await read()).toEqual([2, 0, 1])
  expect(await read(16)).toEqual([2, 0, 1, 1, 1])
})

it('has examples made elsewhere, those that it does not keep, and makes them where that ends or is not there', async () => {
  const [data, here] = (await Promise.all(
    [0, 1].map(() => shapes.kind.open({ size: 16, train: 16 }, memoryFiles({}))),
  )) as [ImageDataset, ImageDataset]
  const asked: (readonly number[])[] = []
  const draw: Draw = (from, indices) => {
    asked.push(indices)
    const count = Math.min(2, indices.length) // the others are made by who reads
    return { count, made: Promise.resolve(examplesFrom(structuredClone(from), indices.slice(0, count))) }
  }
  for (const indices of [
    [3, 1, 3],
    [1, 2],
    [7, 8, 9, 2],
  ]) {
    expect(await data.train.read(indices, draw)).toEqual(await here.train.read(indices))
  }
  expect(asked).toEqual([[3, 1], [2], [7, 8, 9]])
  const broken: Draw = () => ({ count: 2, made: Promise.reject(new Error('it ended')) })
  for (const each of [broken, () => null]) {
    expect(await data.train.read([5, 6], each)).toEqual(await here.train.read([5, 6]))
  }
})

it('knows how every generated data set of the table is made elsewhere', () => {
  const kinds = Object.values(mixlab).flatMap((value) =>
    typeof value === 'function' && 'examplesOf' in value ? [(value as unknown as typeof shapes).kind] : [],
  )
  expect(kinds.length).toBeGreaterThan(5)
  for (const kind of kinds) {
    const from = { dataset: kind.name, options: { ...kind.resolve({}), validation: 8 }, part: 'train' }
    expect(examplesFrom(from, [0, 1])).toHaveLength(2)
  }
})
