import { describe, expect, it, vi } from 'vitest'
import { imageData } from '../../../../engine/data/images/index.ts'
import { memoryFiles } from '../memory-files.ts'

// what a loader reads is looked at before it is divided, which splits.test.ts looks at
vi.mock(import('../../../../engine/data/splits.ts'), async (original) => ({
  ...(await original()),
  splitThreeWays: ({ train, validation = train }) => ({ train, validation }),
}))

const open = (files: Record<string, Uint8Array | string>, options: Record<string, unknown> = {}) =>
  imageData.open({ dataset: 'cifar', options: { path: 'd', ...options } }, memoryFiles(files))

/** Records of labels and an image whose red is `value`, green 100 and blue rising by one a pixel. */
function records(labels: number[][], value = 7): Uint8Array {
  const image = Array.from({ length: 3072 }, (_, i) => (i < 1024 ? value : i < 2048 ? 100 : i % 256))
  return Uint8Array.from(labels.flatMap((bytes) => [...bytes, ...image]))
}

/** A file of ten images, its first of the label `first`. */
const ten = (first = 0) => records(Array.from({ length: 10 }, (_, i) => [(first + i) % 10]))

const cifar10 = {
  ...Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`d/data_batch_${i}.bin`, ten(i)])),
  'd/test_batch.bin': records([[9], [4]], 30),
}
const cifar100 = {
  'd/train.bin': records([
    [3, 70],
    [19, 99],
    [0, 1],
  ]),
  'd/test.bin': records([[4, 5]]),
}
const names = (count: number) => Array.from({ length: count }, (_, i) => `name ${i}`).join('\n')

describe('cifar', () => {
  it('reads CIFAR-10, the five training files one after the other', async () => {
    const data = await open(cifar10)
    expect(data).toMatchObject({ name: 'cifar', shape: [32, 32, 3] })
    expect(data.classes).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    expect([data.train.size, data.test.size]).toEqual([50, 2])
    expect([...(await data.train.read([0, 49, 12])).labels]).toEqual([1, 4, 4])
    expect([...(await data.test.read([0, 1])).labels]).toEqual([9, 4])
  })
  it('makes interleaved pixels of the planes, row by row', async () => {
    const { pixels } = await (await open(cifar10)).test.read([1, 0])
    expect(pixels).toHaveLength(2 * 3072)
    const at = (y: number, x: number) => [...pixels.slice(3072 + (y * 32 + x) * 3).slice(0, 3)]
    const bytes = (y: number, x: number) => at(y, x).map((value) => Math.round(value * 255))
    expect(bytes(0, 0)).toEqual([30, 100, 0])
    expect(bytes(0, 5)).toEqual([30, 100, 5])
    expect(bytes(1, 0)).toEqual([30, 100, 32])
    expect(bytes(31, 31)).toEqual([30, 100, 255])
  })
  it('reads CIFAR-100 with its fine or coarse labels', async () => {
    const fine = await open(cifar100)
    expect(fine.classes).toHaveLength(100)
    expect([...(await fine.train.read([0, 1, 2])).labels]).toEqual([70, 99, 1])
    const coarse = await open(cifar100, { labels: 'coarse' })
    expect(coarse.classes).toHaveLength(20)
    expect([...(await coarse.train.read([0, 1, 2])).labels]).toEqual([3, 19, 0])
    expect((await coarse.test.read([0])).pixels).toEqual((await fine.test.read([0])).pixels)
    expect(coarse.hash).not.toBe(fine.hash)
  })
  it('takes class names from the files beside', async () => {
    const named = await open({ ...cifar10, 'd/batches.meta.txt': `${names(10)}\r\n\r\n` })
    expect(named.classes[9]).toBe('name 9')
    const files = { ...cifar100, 'd/fine_label_names.txt': names(100), 'd/coarse_label_names.txt': names(20) }
    expect((await open(files)).classes[99]).toBe('name 99')
    expect((await open(files, { labels: 'coarse' })).classes).toHaveLength(20)
  })
  it('has the hash of the contents, not of the place', async () => {
    const { hash } = await open(cifar10)
    const elsewhere = Object.fromEntries(
      Object.entries(cifar10).map(([name, bytes]) => [name.replace('d/', 'e/'), bytes]),
    )
    expect((await open(elsewhere, { path: 'e' })).hash).toBe(hash)
    for (const name of ['d/data_batch_3.bin', 'd/test_batch.bin']) {
      expect((await open({ ...cifar10, [name]: ten(9) })).hash).not.toBe(hash)
    }
  })

  it.each([
    ['an empty folder', { 'd/readme.html': '' }, {}, 'd: no CIFAR files, looked for data_batch_1.bin and train.bin'],
    ['a folder that is missing', cifar10, { path: 'x' }, 'x: no such folder'],
    ['files of both', { ...cifar10, ...cifar100 }, {}, 'd: files of both CIFAR-10 and CIFAR-100, expected one of them'],
    ['a missing test file', { 'd/train.bin': cifar100['d/train.bin'] }, {}, 'd: no file test.bin'],
    ['a missing training file', { 'd/data_batch_1.bin': ten() }, {}, 'd: no file data_batch_2.bin'],
    [
      'an empty file',
      { ...cifar10, 'd/data_batch_4.bin': '' },
      {},
      'd/data_batch_4.bin: offset 0: empty, expected records of 3073 bytes',
    ],
    [
      'a truncated file',
      { ...cifar10, 'd/data_batch_2.bin': ten().subarray(0, 7000) },
      {},
      'd/data_batch_2.bin: offset 6146: truncated, have 854 bytes of a record of 3073',
    ],
    [
      'CIFAR-10 by the name of CIFAR-100',
      { ...cifar100, 'd/train.bin': ten() },
      {},
      'd/train.bin: offset 27666: truncated, have 3064 bytes of a record of 3074',
    ],
    [
      'a label that is no class',
      { ...cifar10, 'd/test_batch.bin': records([[1], [10]]) },
      {},
      'd/test_batch.bin: offset 3073: label 10, expected 0..9',
    ],
    [
      'a coarse label that is no class',
      { ...cifar100, 'd/train.bin': records([[20, 1]]) },
      {},
      'd/train.bin: offset 0: coarse label 20, expected 0..19',
    ],
    [
      'a fine label that is no class',
      { ...cifar100, 'd/test.bin': records([[1, 100]]) },
      {},
      'd/test.bin: offset 1: fine label 100, expected 0..99',
    ],
    [
      'too few class names',
      { ...cifar10, 'd/batches.meta.txt': 'cat\n' },
      {},
      'd/batches.meta.txt: 1 class names, expected 10',
    ],
    [
      'coarse labels of CIFAR-10',
      cifar10,
      { labels: 'coarse' },
      "task.data.labels: 'coarse', expected 'fine' for CIFAR-10 in d",
    ],
    ['other labels', cifar10, { labels: 'fin' }, "task.data.labels: unknown value 'fin' (did you mean 'fine'?)"],
    ['a misspelt option', cifar10, { label: 'fine' }, "unknown option 'label' (did you mean 'labels'?)"],
  ])('refuses %s', async (_, files, options, message) => {
    await expect(open(files, options)).rejects.toThrow(message)
  })
  it('refuses to read an example that is not there', async () => {
    await expect((await open(cifar10)).test.read([0, 2])).rejects.toThrow('example 2 is outside 0..1')
  })
})
