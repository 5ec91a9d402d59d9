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
  it('takes train for a class where it holds images, and says so', async () => {
    const found = await list('d/train/1.png', 'd/plane/1.png')
    expect(found.classes).toEqual(['plane', 'train'])
    expect(found.notices).toEqual(['d/train: read as a class, although its name is also the name of a part'])
  })
  it.each([
    ['capitals', ['Train', 'Test']],
    ['other words', ['training', 'testing']],
    ['a longer name', ['training_set', 'test_set']],
    ['dev for the test', ['TRAIN', 'dev']],
    ['evaluation', ['train', 'Evaluation']],
  ])('knows parts by %s, which then decide', async (_, [train, test]) => {
    const found = await list(...['a', 'b'].flatMap((name) => [`d/${train}/${name}/1.png`, `d/${test}/${name}/2.png`]))
    expect(found).toMatchObject({ classes: ['a', 'b'], notices: [] })
    expect(found.train.map(({ path }) => path)).toEqual([`${train}/a/1.png`, `${train}/b/1.png`])
    expect(found.test?.map(({ path }) => path)).toEqual([`${test}/a/2.png`, `${test}/b/2.png`])
    expect(found.decided.join()).toMatch(/^part\/class /)
  })
  it('tells three parts with other names apart, and which classes a part lacks', async () => {
    const paths = ['Training/a/1.png', 'Training/b/1.png', 'Validation/a/2.png', 'EVAL/b/3.png']
    const found = await list(...paths.map((path) => `d/${path}`))
    expect([found.validation, found.test].map((own) => own?.map(({ path }) => path))).toEqual([
      ['Validation/a/2.png'],
      ['EVAL/b/3.png'],
    ])
    expect(found.validationFolder).toBe('d/Validation')
    expect(found.notices).toEqual(["No test example has the class 'a'.", "No validation example has the class 'b'."])
  })
  it('refuses folders that hold the same classes and are named for parts beside other words', async () => {
    const files = ['x_train', 'x_test'].flatMap((part) => [`d/${part}/a/1.png`, `d/${part}/b/1.png`])
    await expect(list(...files)).rejects.toThrow(
      "d: 'x_train' and 'x_test' hold the same folders (a, b); call them 'train' and 'test'",
    )
  })
  it('says that classes hold the same folders, which may be the classes', async () => {
    const inside = (...tops: string[]) => tops.flatMap((top) => [`d/${top}/a/1.png`, `d/${top}/b/1.png`])
    const { classes, notices } = await list(...inside('Lernen', 'Probe'))
    expect(classes).toEqual(['Lernen', 'Probe'])
    expect(notices).toEqual([
      "d: 'Lernen', 'Probe' are read as classes, and hold the same folders (a, b); if those are the classes, call the others 'train' and 'test'",
    ])
    expect((await list(...inside('Lernen', 'Probe'), 'd/Probe/1.png')).notices).toEqual([])
    expect((await list('d/x/a/1.png', 'd/x/c/1.png', 'd/y/b/1.png', 'd/y/a/1.png')).notices).toEqual([])
  })
  it('says that names of classes differ by case or spaces alone', async () => {
    const { classes, notices } = await list('d/Cat/1.png', 'd/cat/1.png', 'd/dog/1.png', 'd/dog /1.png')
    expect(classes).toHaveLength(4)
    expect(notices).toEqual([
      "The classes 'Cat' and 'cat' differ by case or spaces alone.",
      "The classes 'dog' and 'dog ' differ by case or spaces alone.",
    ])
  })
  it('reads parts within each class, too', async () => {
    const found = await list('d/a/train/1.png', 'd/a/test/2.png', 'd/b/Train/1.png', 'd/b/test/2.png', 'd/a/3.png')
    expect(found.train.map(({ path }) => path)).toEqual(['a/train/1.png', 'b/Train/1.png'])
    expect(found.test?.map(({ path }) => path)).toEqual(['a/test/2.png', 'b/test/2.png'])
    expect(found.notices).toEqual(['d: passed over 1 file outside of the class folders (a/3.png)'])
  })
  it('takes folders whose names are equal after NFC for one class, in every part', async () => {
    const [nfc, nfd] = ['caf\u00e9', 'cafe\u0301']
    const parts = await list(`d/train/${nfc}/1.png`, 'd/train/b/1.png', `d/test/${nfd}/2.png`)
    expect([parts.classes, parts.test?.map(({ label }) => label), parts.decided]).toEqual([['b', nfc], [1], []])
    const both = await list(`d/${nfc}/1.png`, `d/${nfd}/2.png`, 'd/b/1.png')
    expect(both.classes).toEqual(['b', nfc])
    expect(both.train.map(({ label }) => label)).toEqual([0, 1, 1])
    expect(both.decided).toHaveLength(1)
    const alone = await list(`d/${nfd}/2.png`, 'd/b/1.png')
    expect([alone.classes, alone.decided]).toEqual([['b', nfd], []])
  })
  it('counts and names what it passes over, but not what systems leave behind', async () => {
    const seen = ['d/train/a/1.png', 'd/train/b/1.PNG', 'd/test/a/1.jpeg', 'd/test/b/1.png']
    const left = ['Thumbs.db', 'README.md', 'LICENSE', '.git/x', '__MACOSX/train/a/1.png', 'train/a/.DS_Store']
    const missed = ['extra/1.png', 'labels.csv', 'loose.png', 'test/loose.png', 'train/a/none']
    const ppm = Array.from({ length: 5 }, (_, i) => `train/b/${i}.ppm`)
    const found = await list(...seen, ...[...left, ...missed, ...ppm].map((path) => `d/${path}`))
    expect([found.train.length, found.test?.length]).toEqual([2, 2])
    expect(found.notices).toEqual([
      'd: passed over 1 folder (extra); 1 file ending in .csv (labels.csv); 2 files outside of the class folders ' +
        '(loose.png, test/loose.png); 1 file without an ending (train/a/none); 5 files ending in .ppm (train/b/0.ppm, ' +
        'train/b/1.ppm, train/b/2.ppm and 2 more)',
    ])
  })
  it.each([
    ['no class', ['d/1.png'], 'd: no class folders, expected at least 2'],
    ['one class', ['d/a/1.png'], 'd: 1 class folder (a), expected at least 2'],
    ['one class in train', ['d/train/a/1.png', 'd/val/a/1.png'], 'd/train: 1 class folder (a), expected at least 2'],
    [
      'a class without images',
      ['d/a/1.png', 'd/b/1.ppm', 'd/b/2.ppm'],
      'd/b: no images in this class folder; it has 2 files ending in .ppm (1.ppm, 2.ppm)',
    ],
    [
      'parts that hold files',
      ['d/Train/1.png', 'd/Test/1.png'],
      "d: 'Test' and 'Train' are names of parts, but no part to train on holds class folders; expected train/<class> and test/<class>",
    ],
    ['a test without training', ['d/test/a/1.png', 'd/cat/1.png', 'd/val/1.png'], 'are names of parts'],
    [
      'two folders for one part',
      ['d/train/a/1.png', 'd/train/b/1.png', 'd/test/a/1.png', 'd/eval/a/1.png'],
      "d: 'eval' and 'test' are both named for the test part, expected one",
    ],
    [
      'a test beside the classes',
      ['d/cat/1.png', 'd/dog/1.png', 'd/test/Cat/1.png'.toLowerCase()],
      "d: 'test' holds classes and stands beside them; move the other classes into a folder 'train'",
    ],
    [
      'a folder around the classes',
      ['d/archive/a/1.png', 'd/archive/b/1.png'],
      'd: 1 class folder (archive), expected at least 2; if the classes are in archive, give the path d/archive',
    ],
    [
      'a class that is not divided as the others',
      ['d/a/train/1.png', 'd/a/test/1.png', 'd/b/1.png'],
      'd/b/train: no such folder, though the files are split into train and test',
    ],
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
