import { gzipSync } from 'fflate'
import { describe, expect, it, vi } from 'vitest'
import { imageData } from '../../../../engine/data/images/index.ts'
import { memoryFiles } from '../memory-files.ts'
import { idxImages, idxLabels } from './idx-bytes.ts'

// what a loader reads is looked at before it is divided, which splits.test.ts looks at
vi.mock(import('../../../../engine/data/splits.ts'), async (original) => ({
  ...(await original()),
  splitThreeWays: ({ train, validation = train }) => ({ train, validation }),
}))

const labels = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0]
const train = {
  'd/train-images-idx3-ubyte': idxImages(10),
  'd/train-labels-idx1-ubyte': idxLabels(labels),
}
const test = {
  'd/t10k-images-idx3-ubyte': idxImages(4),
  'd/t10k-labels-idx1-ubyte': idxLabels([2, 1, 0, 2]),
}
const open = (files: Record<string, Uint8Array>, options: Record<string, unknown> = {}) =>
  imageData.open({ dataset: 'idx', options: { path: 'd', ...options } }, memoryFiles(files))

describe('idx', () => {
  it('reads a training and a test pair', async () => {
    const data = await open({ ...train, ...test })
    expect(data).toMatchObject({ name: 'idx', classes: ['0', '1', '2'], shape: [2, 3, 1] })
    expect([data.train.size, data.test.size]).toEqual([10, 4])
    const batch = await data.train.read([5, 3])
    expect([...batch.labels]).toEqual([2, 0])
    expect([...batch.pixels.slice(0, 6)]).toEqual(Array(6).fill(Math.fround(5 / 255)))
    expect([...(await data.test.read([0])).labels]).toEqual([2])
    await expect(data.test.read([4])).rejects.toThrow('example 4 is outside 0..3')
  })
  it('finds gzipped files and names with a dot, with the same hash', async () => {
    const packed = {
      'd/train-images.idx3-ubyte.gz': gzipSync(idxImages(10)),
      'd/train-labels.idx1-ubyte': idxLabels(labels),
    }
    expect((await open(packed)).hash).toBe((await open(train)).hash)
  })
  it('takes explicit names in the folder', async () => {
    const data = await open(
      { 'd/a': idxImages(10), 'd/b': idxLabels(labels) },
      { trainImages: 'a', trainLabels: 'b', holdout: 0.3 },
    )
    expect([data.train.size, data.test.size]).toEqual([7, 3])
  })
  it('holds a seeded share out where there is no test pair', async () => {
    const values = async (seed: number) => {
      const data = await open(train, { seed })
      const read = async (split: typeof data.train) => {
        const { pixels } = await split.read(Array.from({ length: split.size }, (_, i) => i))
        return [...pixels].filter((_, i) => i % 6 === 0).map((value) => Math.round(value * 255))
      }
      return { kept: await read(data.train), held: await read(data.test), hash: data.hash }
    }
    const first = await values(0)
    expect(first.held).toHaveLength(2)
    expect([...first.kept, ...first.held].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await values(0)).toEqual(first)
    const others = await Promise.all([1, 2, 3, 4].map(values))
    expect(others.some(({ held }) => String(held) !== String(first.held))).toBe(true)
    expect(others.every(({ hash }) => hash !== first.hash)).toBe(true)
  })
  it('names classes', async () => {
    expect((await open(train, { classes: ['hat', 'shoe', 'bag'] })).classes).toEqual(['hat', 'shoe', 'bag'])
  })
  it('has the hash of the contents, not of the place', async () => {
    const elsewhere = Object.fromEntries(
      Object.entries(train).map(([name, bytes]) => [name.replace('d/', 'e/'), bytes]),
    )
    const moved = await open(elsewhere, { path: 'e' })
    expect(moved.hash).toBe((await open(train)).hash)
    const changed = await open({ ...train, 'd/train-labels-idx1-ubyte': idxLabels([1, ...labels.slice(1)]) })
    expect(changed.hash).not.toBe(moved.hash)
  })

  it.each([
    [
      'no training images',
      { 'd/readme': new Uint8Array(1) },
      {},
      'd: no file for trainImages, looked for train-images-idx3-ubyte, train-images-idx3-ubyte.gz, train-images.idx3-ubyte, train-images.idx3-ubyte.gz',
    ],
    [
      'test images without labels',
      { ...train, 'd/t10k-images-idx3-ubyte': idxImages(4) },
      {},
      'd: no file for testLabels, looked for t10k-labels-idx1-ubyte',
    ],
    ['an explicit file that is missing', train, { trainImages: 'nope' }, 'd/nope: no such file'],
    ['a folder that is missing', train, { path: 'x' }, 'x: no such folder'],
    [
      'more labels than images',
      { ...train, 'd/train-labels-idx1-ubyte': idxLabels([...labels, 0]) },
      {},
      'd/train-labels-idx1-ubyte: offset 4: 11 labels, expected 10 as in d/train-images-idx3-ubyte',
    ],
    [
      'a test label that no training label reaches',
      { ...train, ...test, 'd/t10k-labels-idx1-ubyte': idxLabels([0, 0, 3, 0]) },
      {},
      'd/t10k-labels-idx1-ubyte: offset 10: label 3, expected 0..2',
    ],
    [
      'a label without a name',
      train,
      { classes: ['a', 'b'] },
      'd/train-labels-idx1-ubyte: offset 10: label 2, expected 0..1',
    ],
    [
      'a single class',
      { ...train, 'd/train-labels-idx1-ubyte': idxLabels(Array(10).fill(0)) },
      {},
      'd/train-labels-idx1-ubyte: offset 8: all labels are 0',
    ],
    [
      'test images of another size',
      { ...train, ...test, 'd/t10k-images-idx3-ubyte': idxImages(4, 3, 3) },
      {},
      'd/t10k-images-idx3-ubyte: offset 8: images of 3x3, expected 2x3 as in training',
    ],
    [
      'one example and nothing to test on',
      { 'd/train-images-idx3-ubyte': idxImages(1), 'd/train-labels-idx1-ubyte': idxLabels([1]) },
      {},
      'd/train-images-idx3-ubyte: 1 example, expected 2',
    ],
    [
      'a truncated file',
      { ...train, 'd/train-images-idx3-ubyte': idxImages(10).subarray(0, 40) },
      {},
      'd/train-images-idx3-ubyte: offset 16: truncated, have 24 bytes, need 60',
    ],
    ['a missing path', train, { path: undefined }, 'task.data.path: missing, expected a string'],
    ['holding everything out', train, { holdout: 1 }, 'task.data.holdout: 1, expected less than 1'],
    ['a misspelt option', train, { trainImage: 'a' }, "unknown option 'trainImage' (did you mean 'trainImages'?)"],
  ])('refuses %s', async (_, files, options, message) => {
    await expect(open(files, options)).rejects.toThrow(message)
  })
})
