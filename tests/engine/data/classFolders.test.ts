import { describe, expect, it } from 'vitest'
import { listClassFiles } from '../../../engine/data/classFolders.ts'
import { IMAGES } from '../../../engine/data/images/folder.ts'
import { memoryFiles } from './memory-files.ts'

const list = (...paths: string[]) =>
  listClassFiles('d', memoryFiles(Object.fromEntries(paths.map((path) => [path, '']))), IMAGES)

describe('listClassFiles', () => {
  it('takes each folder for a class, sorted, with its files sorted', async () => {
    const found = await list('d/b/2.png', 'd/b/1.JPG', 'd/a/x.jpeg')
    expect(found.classes).toEqual(['a', 'b'])
    expect(found.train).toEqual([
      { path: 'a/x.jpeg', label: 0, size: 0 },
      { path: 'b/1.JPG', label: 1, size: 0 },
      { path: 'b/2.png', label: 1, size: 0 },
    ])
    expect(found.test).toBe(null)
  })
  it('looks into folders within a class', async () => {
    const found = await list('d/a/images/1.png', 'd/b/1.png')
    expect(found.train.map(({ path }) => path)).toEqual(['a/images/1.png', 'b/1.png'])
  })
  it('passes over hidden files and what is no image', async () => {
    const found = await list('d/a/1.png', 'd/a/notes.txt', 'd/a/._1.png', 'd/b/1.png', 'd/.git/x.png', 'd/readme.md')
    expect(found.classes).toEqual(['a', 'b'])
    expect(found.train.map(({ path }) => path)).toEqual(['a/1.png', 'b/1.png'])
  })
  it('keeps images of formats that cannot be read, so that they are reported', async () => {
    expect((await list('d/a/1.webp', 'd/b/1.png')).train[0]?.path).toBe('a/1.webp')
  })
  it('finds train with test, and train with val', async () => {
    for (const name of ['test', 'val']) {
      const found = await list('d/train/a/1.png', 'd/train/b/1.png', `d/${name}/b/2.png`)
      expect(found).toMatchObject({
        classes: ['a', 'b'],
        test: [{ path: `${name}/b/2.png`, label: 1, size: 0 }],
      })
    }
  })
  it('prefers test to val', async () => {
    const found = await list('d/train/a/1.png', 'd/train/b/1.png', 'd/val/a/2.png', 'd/test/a/3.png')
    expect(found.test).toEqual([{ path: 'test/a/3.png', label: 0, size: 0 }])
  })
  it('takes train alone for everything there is', async () => {
    const found = await list('d/train/a/1.png', 'd/train/b/1.png')
    expect(found).toMatchObject({ classes: ['a', 'b'], test: null })
  })
  it('takes train for a class where it holds images', async () => {
    expect((await list('d/train/1.png', 'd/plane/1.png')).classes).toEqual(['plane', 'train'])
  })
  it.each([
    ['no class', ['d/1.png'], 'd: no class folders, expected at least 2'],
    ['one class', ['d/a/1.png'], 'd: 1 class folder (a), expected at least 2'],
    ['one class in train', ['d/train/a/1.png', 'd/val/a/1.png'], 'd/train: 1 class folder (a), expected at least 2'],
    ['a class without images', ['d/a/1.png', 'd/b/1.txt'], 'd/b: no images in this class folder'],
    [
      'a class that is only in the test',
      ['d/train/cat/1.png', 'd/train/dog/1.png', 'd/test/cats/1.png'],
      "d/test: class 'cats' is not in training (did you mean 'cat'?)",
    ],
    [
      'a test folder without classes',
      ['d/train/a/1.png', 'd/train/b/1.png', 'd/test/1.png'],
      'd/test: no class folders',
    ],
  ])('refuses %s', async (_, paths, message) => {
    await expect(list(...paths)).rejects.toThrow(message)
  })
})
