import { describe, expect, it, vi } from 'vitest'
import { imageData } from '../../../../engine/data/images/index.ts'
import type { ImageSplit } from '../../../../engine/data/types.ts'
import { MixlabError } from '../../../../engine/errors.ts'
import { memoryFiles } from '../memory-files.ts'
import { plainPng, pngFile } from './png-file.ts'

// what a loader reads is looked at before it is divided, which splits.test.ts looks at
vi.mock(import('../../../../engine/data/splits.ts'), async (original) => ({
  ...(await original()),
  splitThreeWays: ({ train, validation = train }) => ({ train, validation }),
}))

const open = (files: Record<string, Uint8Array | string>, options: Record<string, unknown> = {}) =>
  imageData.open({ dataset: 'folder', options: { path: 'd', size: 4, ...options } }, memoryFiles(files))

/** Files of two classes; image i of `a` has the grey value i, of `b` 100 + i. */
function twoClasses(a: number, b: number, prefix = 'd'): Record<string, Uint8Array> {
  const name = (i: number) => `${String(i).padStart(2, '0')}.png`
  const files: Record<string, Uint8Array> = {}
  for (let i = 0; i < a; i++) files[`${prefix}/a/${name(i)}`] = plainPng(5, 6, i)
  for (let i = 0; i < b; i++) files[`${prefix}/b/${name(i)}`] = plainPng(6, 5, 100 + i)
  return files
}

/** Label and grey value of each example. */
async function contents(split: ImageSplit, length: number): Promise<[number, number][]> {
  const { pixels, labels } = await split.read(Array.from({ length: split.size }, (_, i) => i))
  return [...labels].map((label, i) => [label, Math.round((pixels[i * length] ?? 0) * 255)])
}

/** Hashes of folders, as runs of before parts had other names have them. */
const [FLAT, PARTS, HELD, CAPITAL] = ['aed40cf7add9564a', '2007285fcc92e8e5', '71ac58afee7e8f7a', '26f14312da0d2914']

describe('folder', () => {
  it('reads classes of images, resized to RGB', async () => {
    const data = await open(twoClasses(5, 5))
    expect(data).toMatchObject({ name: 'folder', classes: ['a', 'b'], shape: [4, 4, 3], warnings: [] })
    const all = [...(await contents(data.train, 48)), ...(await contents(data.test, 48))]
    expect(all.filter(([label, value]) => label === (value >= 100 ? 1 : 0))).toHaveLength(10)
  })
  it('reads to grey', async () => {
    const red = pngFile({ width: 1, height: 1, colour: 2, rows: [[255, 0, 0]] })
    const data = await open({ 'd/a/1.png': red, ...twoClasses(0, 2) }, { channels: 1 })
    expect(data.shape).toEqual([4, 4, 1])
    expect((await contents(data.train, 16))[0]).toEqual([0, 76])
  })
  it('holds out the same share of each class, by the seed', async () => {
    const data = await open(twoClasses(10, 5))
    const held = await contents(data.test, 48)
    expect(held.filter(([label]) => label === 0)).toHaveLength(2)
    expect(held.filter(([label]) => label === 1)).toHaveLength(1)
    const kept = await contents(data.train, 48)
    expect(new Set([...held, ...kept].map(([, value]) => value)).size).toBe(15)
    expect(await contents((await open(twoClasses(10, 5))).test, 48)).toEqual(held)
    const others = await Promise.all(
      [1, 2, 3].map(async (seed) => contents((await open(twoClasses(10, 5), { seed })).test, 48)),
    )
    expect(others.some((other) => String(other) !== String(held))).toBe(true)
  })
  it('keeps an example of a class to train on', async () => {
    const data = await open(twoClasses(1, 2), { holdout: 0.9 })
    expect([data.train.size, data.test.size]).toEqual([2, 1])
  })
  it('uses a test folder as it is', async () => {
    const data = await open({ ...twoClasses(3, 3, 'd/train'), ...twoClasses(1, 2, 'd/val') })
    expect([data.train.size, data.test.size]).toEqual([6, 3])
    expect(await contents(data.test, 48)).toEqual([
      [0, 0],
      [1, 100],
      [1, 101],
    ])
  })
  it('has a hash of options and contents, not of the place', async () => {
    const { hash } = await open(twoClasses(3, 3))
    expect((await open(twoClasses(3, 3, 'e'), { path: 'e/' })).hash).toBe(hash)
    const different = [
      open(twoClasses(3, 3), { size: 5 }),
      open(twoClasses(3, 3), { seed: 1 }),
      open(twoClasses(3, 4)),
      open({ ...twoClasses(3, 3), 'd/b/02.png': plainPng(6, 5, 7) }),
    ]
    for (const data of different) expect((await data).hash).not.toBe(hash)
  })

  it('has the hash that it always had, and another where parts or classes are read otherwise than before', async () => {
    const hash = async (files: Record<string, Uint8Array>) => (await open(files)).hash.slice(0, 16)
    const parts = (train: string, test: string) => ({
      ...twoClasses(3, 3, `d/${train}`),
      ...twoClasses(1, 1, `d/${test}`),
    })
    expect(await hash({ ...twoClasses(4, 4), 'd/a/x.ppm': new Uint8Array(1) })).toBe(FLAT)
    expect(await hash(parts('train', 'test'))).toBe(PARTS)
    expect(await hash(parts('train', 'val'))).toBe(HELD)
    const others = [parts('Train', 'test'), parts('train', 'Val'), parts('training', 'test')]
    expect(new Set(await Promise.all(others.map(hash))).size).toBe(3)
    // these were two classes of the same files
    const capital = await open(parts('Train', 'Test'))
    expect(capital).toMatchObject({ classes: ['a', 'b'], train: { size: 6 }, test: { size: 2 } })
    expect(capital.hash.slice(0, 16)).not.toBe(CAPITAL)
  })

  it('names ten unreadable files and counts the others', async () => {
    const broken = Object.fromEntries(Array.from({ length: 13 }, (_, i) => [`d/a/x${i}.gif`, 'GIF89a']))
    const { warnings = [] } = await open({ ...twoClasses(2, 2), ...broken }, { skipUnreadable: true })
    expect([warnings.length, warnings[0], warnings.at(-1)]).toEqual([
      12,
      '13 of 17 files left out as unreadable',
      'and 3 more',
    ])
  })

  it('names an unreadable file before anything is trained, and whoever reads it', async () => {
    const data = await open({ ...twoClasses(2, 2), 'd/a/x.png': 'text' })
    const message = 'd/a/x.png: neither a PNG nor a JPEG file (skipUnreadable: true leaves it out)'
    await expect(data.check?.()).rejects.toThrow(message)
    await expect(Promise.all([contents(data.train, 48), contents(data.test, 48)])).rejects.toThrow(message)
  })
  it('skips and counts unreadable files where that is asked for', async () => {
    const data = await open({ ...twoClasses(2, 2), 'd/a/x.png': 'text', 'd/b/y.webp': '' }, { skipUnreadable: true })
    expect(data.train.size + data.test.size).toBe(4)
    expect(data).toMatchObject({
      unreadable: 2,
      warnings: [
        '2 of 6 files left out as unreadable',
        'd/a/x.png: neither a PNG nor a JPEG file',
        'd/b/y.webp: empty file',
      ],
    })
  })
  it('skips a file that cannot be read from its disk', async () => {
    const files = memoryFiles(twoClasses(2, 2))
    const read = files.read
    files.read = async (path) => {
      if (path === 'd/b/01.png') throw new MixlabError('data', path, 'EIO')
      return read(path)
    }
    const data = await imageData.open({ dataset: 'folder', options: { path: 'd', skipUnreadable: true } }, files)
    expect(data).toMatchObject({
      unreadable: 1,
      warnings: ['1 of 4 files left out as unreadable', 'd/b/01.png: EIO'],
    })
  })
  it('does not skip a file that may not be read', async () => {
    const files = memoryFiles(twoClasses(2, 2))
    const read = files.read
    files.read = async (path) => {
      if (path === 'd/b/01.png') throw new Error('no permission')
      return read(path)
    }
    const spec = { dataset: 'folder', options: { path: 'd', skipUnreadable: true } }
    await expect(imageData.open(spec, files)).rejects.toThrow('no permission')
  })
  it.each([
    [
      'a class of which nothing can be read',
      { ...twoClasses(0, 2), 'd/a/x.png': '' },
      "d: no readable images of class 'a'",
    ],
    ['classes too small to hold anything out', twoClasses(1, 1), 'd: no images left to test on'],
    ['one class', twoClasses(3, 0), 'd: 1 class folder (a), expected at least 2'],
  ])('refuses %s', async (_, files, message) => {
    await expect(open(files, { skipUnreadable: true })).rejects.toThrow(message)
  })
  it.each([
    [{ channels: 4 }, 'task.data.channels: 4, expected one of 1, 3'],
    [{ size: 0 }, 'task.data.size: 0, expected at least 1'],
    [{ size: 2.5 }, 'task.data.size: 2.5, expected a whole number'],
    [{ holdout: 0 }, 'task.data.holdout: 0, expected more than 0'],
    [{ skipUnreadble: true }, "unknown option 'skipUnreadble' (did you mean 'skipUnreadable'?)"],
  ])('refuses %j', async (options, message) => {
    await expect(open(twoClasses(2, 2), options)).rejects.toThrow(message)
  })
})
