import { describe, expect, it } from 'vitest'
import { imageData } from '../../../../engine/data/images/index.ts'
import { dataset } from '../../../../engine/data/index.ts'
import type { MadeDataset } from '../../../../engine/data/own/dataset.ts'
import { pointData } from '../../../../engine/data/points/index.ts'
import { corpora, pairData, spanData, textData } from '../../../../engine/data/text/index.ts'
import { noFiles as files, memoryFiles } from '../memory-files.ts'

const all = { train: 12, validation: 3, test: 4 }

/** Images of two rows, three columns and one channel, whose label is what they are filled with. */
const stripes: MadeDataset = {
  ...all,
  make: (random, index) => {
    const label = index % 2
    return { image: [0, 1].map(() => [0, 1, 2].map(() => [label + 0.1 * random.uniform('noise')])), label }
  },
}
const hashOf = async (options: MadeDataset) => (await imageData.open(dataset('own', options), files)).hash

describe('a data set of a cell', () => {
  it('has the parts, shape and classes that its examples say', async () => {
    const data = await imageData.open(dataset('own', stripes), files)
    expect([data.train.size, data.validation.size, data.test.size]).toEqual([12, 3, 4])
    expect([data.shape, data.classes]).toEqual([
      [2, 3, 1],
      ['0', '1'],
    ])
    const { pixels, labels } = await data.train.read([3, 0])
    expect([pixels.length, ...labels]).toEqual([12, 1, 0])
    expect(Math.floor(pixels[0] as number)).toBe(1)
    await expect(data.train.read([12])).rejects.toThrow('example 12 is outside 0..11')
  })
  it('draws by seed, part, index and name alone', async () => {
    const drawn: number[] = []
    const draw = (order: string[]) => {
      const make: MadeDataset['make'] = (random) => {
        for (const name of order) drawn.push(random.normal(name))
        return { image: [[[random.uniform('a')]]], label: random.integer('class', 2) }
      }
      return hashOf({ ...all, make })
    }
    expect(await draw(['b', 'c'])).toBe(await draw(['c', 'b', 'd']))
    expect(new Set(drawn).size).toBe(3 * 19)
    const images = await imageData.open(dataset('own', stripes), files)
    const [train, test] = [await images.train.read([0]), await images.test.read([0])]
    expect(train.pixels).not.toEqual(test.pixels)
  })
  it('draws in turn what every row of examples has once', async () => {
    const make: MadeDataset['make'] = (random) => ({ image: [[[0]]], label: random.balanced('class', 4) })
    const { train, test } = await imageData.open(dataset('own', { ...all, make }), files)
    const labels = [...(await train.read(Array.from({ length: 12 }, (_, i) => i))).labels]
    const rows = [0, 4, 8].map((from) => labels.slice(from, from + 4))
    for (const row of rows) expect([...row].sort()).toEqual([0, 1, 2, 3])
    expect(new Set([...rows, [...(await test.read([0, 1, 2, 3])).labels]].map(String)).size).toBeGreaterThan(1)
  })
  it('is its values: neither its name nor its code is in the hash, but seed, sizes and classes are', async () => {
    const hash = await hashOf(stripes)
    const { make } = stripes
    expect(
      await hashOf({
        ...stripes,
        make: (random, index) => ({ label: index % 2, image: make(random, index).image as number[] }),
      }),
    ).toBe(hash)
    expect((await imageData.open(dataset('another', stripes), files)).hash).toBe(hash)
    const others = [
      { seed: 1 },
      { train: 13 },
      { classes: ['a', 'b'] },
      { make: ((random, index) => ({ ...make(random, index), label: 1 - (index % 2) })) as MadeDataset['make'] },
    ]
    const hashes = await Promise.all(others.map((each) => hashOf({ ...stripes, ...each })))
    expect(new Set([hash, ...hashes]).size).toBe(5)
  })
  it('takes typed arrays with a shape, bytes as pixels, and labels in words', async () => {
    const make: MadeDataset['make'] = (_, index) => ({
      image: Uint8Array.of(0, 51, 255, 102),
      label: index % 2 ? 'odd' : 'even',
    })
    const data = await imageData.open(dataset('own', { ...all, shape: { image: [2, 2, 1] }, make }), files)
    expect(data.classes).toEqual(['even', 'odd'])
    const { pixels, labels } = await data.train.read([1])
    expect([...pixels].map((each) => each.toFixed(1))).toEqual(['0.0', '0.2', '1.0', '0.4'])
    expect([...labels]).toEqual([1])
  })
  it('takes labels in words that are equal after NFC for one class', async () => {
    const words = ['caf\u00e9', 'b', 'cafe\u0301']
    const make = (names: string[]) =>
      dataset('t', { ...all, make: (_, i) => ({ text: 'a', label: names[i % names.length] as string }) })
    const both = await textData.open(make(words), files)
    expect(both.classes).toEqual(['b', 'caf\u00e9'])
    expect([...(await both.train.read([0, 1, 2])).labels]).toEqual([1, 0, 1])
    expect((await textData.open(make(words.slice(1)), files)).classes).toEqual(['b', 'cafe\u0301'])
  })
  it('is of any sort that a task takes', async () => {
    const text = dataset('t', { ...all, make: (_, i) => ({ text: `word ${i}`, second: 'ü', label: i % 3 }) })
    expect(await (await textData.open(text, files)).test.read([2])).toMatchObject({ first: ['word 2'] })
    expect(await (await pairData.open(text, files)).test.read([2])).toMatchObject({ first: ['word 2'], second: ['ü'] })
    const lines = await corpora.open(text, files)
    expect(await lines.test.read(0, lines.test.bytes)).toBe('word 0\nword 1\nword 2\nword 3')
    const cloud = dataset('p', { ...all, make: (_, i) => ({ points: [0, 1].map(() => [i, 1, 2]), label: i % 2 }) })
    expect(await pointData.open(cloud, files)).toMatchObject({ points: 2, classes: ['0', '1'] })
    await expect(imageData.open(text, files)).rejects.toThrow(
      "data set 't': has text (a text), second (a text), label; the task takes image (3 axes), label (a number)",
    )
    await expect(async () => spanData.open(text, files)).rejects.toThrow(
      "task.data: 't' is of a cell, expected one of world, squad",
    )
  })
  it('reads files, and keeps a share of the training examples to validate on', async () => {
    const stored = memoryFiles({ 'a.csv': '0.5,a\n0.25,b\n0.5,a\n0.25,b\n1,a\n2,b', 'b.csv': '0.5,b' })
    const source = dataset('csv', {
      read: async (files) => {
        const rows = async (path: string) =>
          (await files.text(path)).split('\n').map((line) => {
            const [value, label = ''] = line.split(',')
            return { image: [[[Number(value)]]], label }
          })
        return { train: await rows('a.csv'), test: await rows('b.csv') }
      },
    })
    const data = await imageData.open(source, stored)
    expect([data.train.size, data.validation.size, data.test.size, data.classes]).toEqual([5, 1, 1, ['a', 'b']])
  })
  const image = [[[0]]]
  let count = 0
  it.each<[string, Partial<MadeDataset>, string]>([
    [
      'its own state',
      { make: () => ({ image: [[[count++]]], label: 0 }) },
      'example 0 of train: image is another the second time; take all random numbers from random, and keep no state',
    ],
    [
      'another shape',
      { make: (_, i) => ({ image: i < 5 ? image : [[[0, 0]]], label: i % 2 }) },
      'example 5 of train: image is [1, 1, 2], expected [1, 1, 1] as in the first example',
    ],
    [
      'a field more',
      { make: (r, i) => ({ image, label: i % 2, ...(r.part === 'test' && { more: 1 }) }) },
      "example 0 of test: has 'more', expected image, label as in the first example",
    ],
    [
      'a field less',
      { make: (_, i) => (i < 1 ? { image, label: 0 } : { image }) },
      'example 1 of train: label is missing, expected [] as in the first example',
    ],
    [
      'no number',
      { make: (_, i) => ({ image: [[[i - 1 ? 0 : Number.NaN]]], label: 0 }) },
      'example 1 of train: image has NaN, expected finite numbers',
    ],
    [
      'a class in between',
      { make: () => ({ image, label: 0.5 }) },
      'example 0 of train: label has 0.5, expected whole numbers',
    ],
    [
      'an unknown class',
      { classes: ['a', 'b'], make: (_, i) => ({ image, label: i }) },
      'label of train has 2, expected a class from 0 to 1',
    ],
    [
      'an unknown word',
      { classes: ['a', 'b'], make: () => ({ image, label: 'c' }) },
      "example 0 of train: label is 'c', expected one of a, b",
    ],
    [
      'a promise',
      { make: (async () => ({ image, label: 0 })) as unknown as MadeDataset['make'] },
      'example 0 of train: is a promise, expected values by name, at once',
    ],
    [
      'another size than its shape',
      { shape: { image: [2, 2, 1] }, make: () => ({ image: new Float32Array(3), label: 0 }) },
      'example 0 of train: image is [3], expected as many numbers as the shape [2, 2, 1] has',
    ],
  ])('refuses %s', async (_, options, problem) => {
    await expect(hashOf({ ...stripes, ...options })).rejects.toThrow(`data set 'own': ${problem}`)
  })
  it('refuses options that it has not', () => {
    expect(() => dataset('', stripes)).toThrow('dataset: expected a name as first argument')
    expect(() => dataset('own', { ...stripes, sizes: 2 } as never)).toThrow("data set 'own': unknown option 'sizes'")
    expect(() => dataset('own', { ...stripes, make: 3 } as never)).toThrow(
      "data set 'own'.make: 3, expected a function make(random, index) => example",
    )
  })
})
