import { describe, expect, it } from 'vitest'
import { imageData } from '../../../../engine/data/images/index.ts'
import {
  dataset,
  mixed,
  noisyLabels,
  permuted,
  resized,
  shapes,
  solids,
  subset,
  world,
} from '../../../../engine/data/index.ts'
import { pointData } from '../../../../engine/data/points/index.ts'
import { corpora, pairData, textData } from '../../../../engine/data/text/index.ts'
import type { DataSpec } from '../../../../engine/data/types.ts'
import { image, resolveTask, taskKind } from '../../../../engine/tasks/index.ts'
import { noFiles as files } from '../memory-files.ts'

const open = (data: DataSpec) => imageData.open(data, files)
const drawn = shapes({ train: 20, test: 10, size: 16 })
/** Pixels 0, 1, 2, ... of a cell. */
const counted = dataset('counted', {
  ...{ train: 8, test: 8, validation: 8, shape: { image: [2, 4, 1] } },
  make: (_, index) => ({ image: Float32Array.from({ length: 8 }, (_, i) => i), label: index % 4 }),
})
const every = (size: number) => Array.from({ length: size }, (_, i) => i)

describe('transforms of data sets', () => {
  it('permute the pixels of all images alike', async () => {
    const { train, test } = await open(permuted(counted))
    const { pixels } = await train.read([0, 1])
    expect([...pixels.subarray(0, 8)].sort()).toEqual(every(8))
    expect(pixels.subarray(0, 8)).not.toEqual(Float32Array.from(every(8)))
    expect(pixels.subarray(8)).toEqual(pixels.subarray(0, 8))
    expect((await test.read([3])).pixels).toEqual(pixels.subarray(0, 8))
    const [before, after] = [
      await (await open(drawn)).train.read([2]),
      await (await open(permuted(drawn))).train.read([2]),
    ]
    const colours = ({ pixels }: { pixels: Float32Array }) =>
      every(256)
        .map((i) => pixels.slice(3 * i, 3 * i + 3).join())
        .sort()
    expect(colours(after)).toEqual(colours(before))
    expect(after.labels).toEqual(before.labels)
  })
  it('take a part of the training examples, the smaller one a part of the larger', async () => {
    const labelled = dataset('l', { ...{ train: 50, test: 2 }, make: (_, i) => ({ image: [[[i]]], label: i % 2 }) })
    const valuesOf = async (n: number) => [...(await (await open(subset(labelled, n))).train.read(every(n))).pixels]
    const [few, many] = [await valuesOf(5), await valuesOf(20)]
    expect(many).toEqual(expect.arrayContaining(few))
    expect((await open(subset(labelled, 5))).test.size).toBe(2)
    await expect(open(subset(labelled, 51))).rejects.toThrow("subset: 51 of 'l', which has 50 to train on")
  })
  it('change so many training labels to others, by index', async () => {
    const { train, test } = await open(
      noisyLabels(
        dataset('l', { ...{ train: 400, test: 40 }, make: (_, i) => ({ image: [[[0]]], label: i % 4 }) }),
        0.3,
      ),
    )
    const { labels } = await train.read(every(400))
    const changed = every(400).filter((i) => labels[i] !== i % 4)
    expect(changed.length / 400).toBeCloseTo(0.3, 1)
    expect((await train.read([changed[0] as number])).labels[0]).toBe(labels[changed[0] as number])
    expect([...(await test.read(every(40))).labels]).toEqual(every(40).map((i) => i % 4))
  })
  it('put two data sets behind each other', async () => {
    const both = await open(mixed(counted, permuted(counted)))
    expect([both.train.size, both.test.size]).toEqual([16, 16])
    const { pixels, labels } = await both.train.read([9, 1])
    expect([...pixels.subarray(8)]).toEqual(every(8))
    expect([...pixels.subarray(0, 8)]).not.toEqual(every(8))
    expect([...labels]).toEqual([1, 1])
    await expect(open(mixed(counted, drawn))).rejects.toThrow(
      "mixed: 'counted' has image [2, 4, 1], label, 4 classes; 'shapes' has image [16, 16, 3], label, 10 classes: they have to be alike",
    )
  })
  it('resize images', async () => {
    const { shape, train } = await open(resized(counted, [2, 2]))
    expect(shape).toEqual([2, 2, 1])
    const [a = 0, b = 0, c = 0, d = 0] = (await train.read([0])).pixels
    expect(b - a).toBeCloseTo(d - c)
    expect(a + b + c + d).toBeCloseTo(14, 5)
    expect((await open(resized(drawn, 8))).shape).toEqual([8, 8, 3])
  })
  it('go on top of each other, each with its options in the hash', async () => {
    const all = [
      drawn,
      permuted(drawn),
      permuted(drawn, { seed: 1 }),
      subset(drawn, 9),
      subset(drawn, 10),
      noisyLabels(drawn, 0.2),
      permuted(subset(drawn, 9)),
      resized(permuted(drawn), 8),
    ]
    const hashes = await Promise.all(all.map(async (data) => (await open(data)).hash))
    expect(new Set(hashes).size).toBe(all.length)
    expect((await open(permuted(drawn, { seed: 0 }))).hash).toBe(hashes[1])
    const { options } = resolveTask(image({ data: permuted(subset(counted, 4)) }))
    expect((await taskKind('image').open(options, files)).classes).toHaveLength(4)
    expect(JSON.stringify(options)).toBe(
      '{"data":{"dataset":"permuted","options":{"data":{"dataset":"subset","options":{"data":{"dataset":"counted","options":{}},"examples":4,"seed":0}},"seed":0}}}',
    )
  })
  it('change data sets of every sort', async () => {
    const clouds = await pointData.open(permuted(solids({ train: 20, test: 5, points: 8 })), files)
    expect(clouds.points).toBe(8)
    const texts = world({ train: 20, test: 5 })
    expect((await textData.open(noisyLabels(subset(texts, 10), 0.5), files)).train.size).toBe(10)
    const pairs = await pairData.open(mixed(texts, texts), files)
    expect([pairs.train.size, pairs.others?.mismatched?.size]).toEqual([40, 5])
    await expect(textData.open(permuted(texts), files)).rejects.toThrow(
      "data set 'world': has text (a text), label; permuted takes image, tokens, points, values",
    )
    await expect(corpora.open(subset(texts, 3), files)).rejects.toThrow(
      "task.data: 'world' is running text, expected examples, which can be changed",
    )
  })
  it('refuse what is no data set, and options that they have not', async () => {
    expect(() => permuted(3 as never)).toThrow('permuted: expected a data set first, e.g. shapes() or its name')
    await expect(async () => open(subset(drawn, 0))).rejects.toThrow(
      'task.data, subset.examples: 0, expected at least 1',
    )
    await expect(async () => open(permuted(drawn, { seeds: 1 } as never))).rejects.toThrow(
      "unknown option 'seeds' (did you mean 'seed'?)",
    )
  })
})
