import { utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import type { FileSource } from '../../../../engine/data/files.ts'
import { corpora, textFiles } from '../../../../engine/data/text/index.ts'
import type { Corpus, TextSource } from '../../../../engine/data/types.ts'
import { mlm } from '../../../../engine/tasks/index.ts'
import { onSimd } from '../../backends/simd/setup.ts'
import { memoryFiles } from '../memory-files.ts'
import { broken, utf16 } from './encodings.ts'
import { learn } from './learn.ts'

type TextFilesOptions = NonNullable<Parameters<typeof textFiles>[0]>

onSimd()

type Contents = Record<string, Uint8Array | string>
const open = (contents: Contents, options: Partial<TextFilesOptions> = {}): Promise<Corpus> =>
  corpora.open(textFiles({ path: 'd', ...options }), memoryFiles(contents))
const all = (source: TextSource) => source.read(0, source.bytes)
const ten = Array.from({ length: 10 }, (_, i) => `line ${i}\n`).join('')

describe('textFiles', () => {
  it('holds the end of one file out, from a line break on', async () => {
    const { name, train, validation, test } = await open({ 'd/book.txt': ten }, { path: 'd/book.txt', holdout: 0.25 })
    const texts = [await all(train), await all(validation), await all(test)]
    expect([name, ...texts]).toEqual(['textFiles', ten.slice(0, 50), ten.slice(50, 56), ten.slice(56)])
  })

  it('reads a folder, with the folders in it, by path', async () => {
    const contents = { 'd/b.txt': 'two', 'd/a.txt': 'one', 'd/c/x.TXT': 'three', 'd/notes.md': 'no', 'd/.x.txt': 'no' }
    const { train, validation, test } = await open({ ...contents, 'd/none.txt': '' }, { holdout: 0.4 })
    expect([await all(train), await all(validation), await all(test)]).toEqual(['one\ntwo', 't', 'hree'])
  })

  it.each([
    ['train.txt, valid.txt and test.txt', { 'd/train.txt': 'lear', 'd/test.txt': 'judge', 'd/valid.txt': 'n' }],
    ['train.txt and test.txt', { 'd/train.txt': 'learn', 'd/test.txt': 'judge' }],
    ['valid.txt where there is no test', { 'd/train.txt': 'learn', 'd/valid.txt': 'judge' }],
    ['WikiText', { 'd/wiki.train.tokens': 'lear', 'd/wiki.test.tokens': 'judge', 'd/wiki.valid.tokens': 'n' }],
    ['folders', { 'd/train/a.txt': 'learn', 'd/test/a.txt': 'judge' }],
    ['all but the test', { 'd/some.txt': 'learn', 'd/test.txt': 'judge' }],
  ])('knows %s', async (_, contents) => {
    const { train, validation, test } = await open(contents)
    expect([await all(train), await all(validation), await all(test)]).toEqual(['lear', 'n', 'judge'])
  })

  it.each([
    ['capitals', { 'd/Train.txt': 'lear', 'd/TEST.TXT': 'judge', 'd/Valid.txt': 'n' }],
    ['other words', { 'd/Training/a.txt': 'lear', 'd/testing/a.txt': 'judge', 'd/dev/x.txt': 'n' }],
    ['evaluation', { 'd/training_data.txt': 'learn', 'd/evaluation.txt': 'judge' }],
    ['dev alone', { 'd/train.txt': 'learn', 'd/dev.txt': 'judge' }],
  ])('knows parts by %s', async (_, contents) => {
    const { train, validation, test, warnings } = await open(contents)
    expect([await all(train), await all(validation), await all(test)]).toEqual(['lear', 'n', 'judge'])
    expect(warnings).toEqual([])
  })

  it('counts and names what is in no part, or no text', async () => {
    const contents = { 'd/train/a.txt': 'learn', 'd/train/b.md': 'no', 'd/test/a.txt': 'judge', 'd/more.txt': 'no' }
    const more = { 'd/train/blank.txt': ' \u3000\n\t', 'd/train/c': 'no', 'd/LICENSE': 'no', 'd/.x': 'no' }
    expect((await open({ ...contents, ...more })).warnings).toEqual([
      'd: passed over 1 file ending in .md (train/b.md); 1 file of nothing but white space (train/blank.txt); 1 file ' +
        'without an ending (train/c); 1 file of no part (more.txt)',
    ])
  })

  it('refuses white space for a text, and two files for one part', async () => {
    await expect(open({ 'd/a.txt': ' \n\n\t ' }, { path: 'd/a.txt' })).rejects.toThrow(
      'd/a.txt: nothing but white space',
    )
    await expect(open({ 'd/a.txt': '\u00a0\n' })).rejects.toThrow('d: no files ending in .txt with text')
    const tail = { 'd/train.txt': `${ten}${'\n'.repeat(99)}`, 'd/test.txt': 'judge' }
    await expect(open(tail)).rejects.toThrow('d: the validation part is nothing but white space')
    const two = { 'd/train.txt': 'learn', 'd/dev.txt': 'a', 'd/Validation.txt': 'b' }
    await expect(open(two)).rejects.toThrow(
      "d: 'Validation.txt' and 'dev.txt' are both named for the validation part; name one as validationFile",
    )
  })

  it('takes a number of bytes to train on, to the end of their line', async () => {
    const contents = { 'd/book.txt': ten }
    const { train, validation, test } = await open(contents, { train: 10, validation: 0.2 })
    expect(await all(train)).toBe(ten.slice(0, 14))
    expect(await all(test)).toBe(ten.slice(63))
    expect((await all(validation)).length).toBe(7)
    await expect(open(contents, { train: 70 })).rejects.toThrow('task.data.train: 70 bytes, expected at most 57')
    const named = await open(
      { ...contents, 'd/x.txt': ten.slice(0, 35) },
      { trainFile: 'x.txt', train: 5, test: 'book.txt' },
    )
    expect(await all(named.train)).toBe(ten.slice(0, 7))
  })

  it('refuses a share where the source has a validation part', async () => {
    const contents = { 'd/train.txt': ten, 'd/valid.txt': 'choose', 'd/test.txt': 'judge' }
    const what = 'task.data.validation: 0.3, but d/valid.txt is the validation part; leave the option out'
    await expect(open(contents, { validation: 0.3 })).rejects.toThrow(what)
    const twice = { train: 'train.txt', trainFile: 'train.txt' }
    await expect(open(contents, twice)).rejects.toThrow("task.data.train: 'train.txt' beside trainFile: 'train.txt'")
  })

  it('takes names and endings', async () => {
    const contents = { 'd/x.tex': 'judge', 'd/y.tex': 'learn', 'd/z.txt': 'no' }
    const { train, validation, test } = await open(contents, { test: 'x.tex', extensions: ['.tex'] })
    expect([await all(train), await all(validation), await all(test)]).toEqual(['lear', 'n', 'judge'])
  })

  it('holds whole files out, by a seed', async () => {
    const contents = Object.fromEntries(Array.from('abcdefgh', (name) => [`d/${name}.txt`, name]))
    const held = async (seed: number) => {
      const { train, validation, test } = await open(contents, { holdoutBy: 'files', holdout: 0.25, seed })
      expect(
        [...(await all(train)), ...(await all(validation)), ...(await all(test))]
          .filter((c) => c !== '\n')
          .sort()
          .join(''),
      ).toBe('abcdefgh')
      return all(test)
    }
    const tests = await Promise.all([0, 1, 2, 3, 4, 0].map(held))
    expect(tests[0]).toHaveLength(3)
    expect(tests[5]).toBe(tests[0])
    expect(new Set(tests).size).toBeGreaterThan(1)
  })

  it('reads CRLF as LF, and passes over a byte order mark', async () => {
    const others = { 'd/valid.txt': 'v', 'd/test.txt': 'c' }
    const { train } = await open({ 'd/train.txt': utf8ToBytes('\ufeffa\r\nb\r\n'), ...others })
    expect(await all(train)).toBe('a\nb\n')
  })

  it('gives each character once, or not at all where it is cut', async () => {
    const text = 'aé中😀z'
    const { train } = await open({ 'd/train.txt': text, 'd/valid.txt': 'v', 'd/test.txt': 'c' })
    expect(train.bytes).toBe(11)
    const cuts = Array.from({ length: 12 }, async (_, at) => (await train.read(0, at)) + (await train.read(at, 11)))
    const whole = [0, 1, 3, 6, 10, 11]
    for (const [at, joined] of (await Promise.all(cuts)).entries()) {
      if (whole.includes(at)) expect(joined).toBe(text)
      else expect([...text].filter((character) => !joined.includes(character))).toHaveLength(1)
    }
  })

  it('has the hash of contents and cut, not of place', async () => {
    const hash = async (contents: Contents, options?: Partial<TextFilesOptions>) => (await open(contents, options)).hash
    const first = await hash({ 'd/a.txt': ten })
    expect(await hash({ 'e/b.txt': ten }, { path: 'e/b.txt' })).toBe(first)
    expect(await hash({ 'd/a.txt': ten.replace('7', '8') })).not.toBe(first)
    expect(await hash({ 'd/a.txt': ten }, { holdout: 0.5 })).not.toBe(first)
  })

  it('is learned as a language', async () => {
    const text = Array.from({ length: 300 }, (_, i) => ['the cat sat here .', 'a dog ran there .'][i % 2]).join('\n')
    const metric = await learn(
      mlm({ data: textFiles({ path: 'd' }), tokens: 12 }),
      memoryFiles({ 'd/book.txt': text }),
      12,
      60,
    )
    expect(metric('train/loss').last).toBeLessThan(metric('train/loss').first / 2)
    expect(metric('test/accuracy').last).toBeGreaterThan(0.6)
  })

  it.each<[string, Contents, Partial<TextFilesOptions>, string]>([
    ['no folder', {}, {}, 'd: no such folder'],
    ['no file', { 'd/book.txt': ten }, { path: 'd/bock.txt' }, 'd/bock.txt: no such'],
    ['a named file that is missing', { 'd/a.txt': ten }, { test: 'b.txt' }, 'd/b.txt: no such'],
    ['other files', { 'd/a.pdf': ten }, {}, 'd: no files ending in .txt with text'],
    ['empty files', { 'd/a.txt': '', 'd/b.txt': '' }, {}, 'd: no files ending in .txt with text'],
    ['an empty file', { 'd/a.txt': '', 'd/b.txt': ten }, { path: 'd/a.txt' }, 'd/a.txt: empty file'],
    ['one byte', { 'd/a.txt': 'a' }, {}, 'd: 1 byte of text, expected 2'],
    ['only a test', { 'd/test.txt': ten }, {}, 'd: all files are for the test'],
    [
      'one of one file',
      { 'd/a.txt': ten },
      { holdoutBy: 'files' },
      "d: 1 file, expected 2 or more for holdoutBy 'files'",
    ],
    ['Latin-1', { 'd/a.txt': broken('café caf', `s\n${ten}`) }, {}, 'd/a.txt: offset 9: byte 0xe9, expected UTF-8'],
    ['UTF-16', { 'd/a.txt': utf16(ten) }, {}, 'd/a.txt: offset 0: byte 0xff, expected UTF-8 (this looks like UTF-16)'],
    ['UTF-16 without a mark', { 'd/a.txt': utf16(ten).slice(2) }, {}, 'd/a.txt: offset 1: NUL byte, expected text'],
    [
      'a file cut within a character',
      { 'd/a.txt': ten, 'd/b.txt': utf8ToBytes('ten €').subarray(0, 6) },
      {},
      'd/b.txt: offset 4: byte 0xe2, expected UTF-8',
    ],
    ['gzip', { 'd/a.txt': Uint8Array.of(0x1f, 0x8b, 8, 0, 1) }, {}, '(gzip files are to be unpacked first)'],
    ['holding everything out', { 'd/a.txt': ten }, { holdout: 1 }, 'task.data.holdout: 1, expected less than 1'],
  ])('refuses %s', async (_, contents, options, message) => {
    await expect(open(contents, options)).rejects.toThrow(message)
  })

  it('says so where a file has changed since', async () => {
    const contents: Contents = { 'd/train.txt': ten, 'd/test.txt': 'x' }
    const { train } = await open(contents)
    contents['d/train.txt'] = ten.slice(0, 30)
    await expect(train.read(20, 50)).rejects.toThrow(
      'd/train.txt: offset 30: the file ends here, expected 20 bytes more',
    )
  })
})

describe('a file larger than memory', () => {
  const size = 2 ** 40
  const lines = Uint8Array.from({ length: 2 ** 18 + 64 }, (_, i) => (i % 64 === 63 ? 10 : 97))

  /** Lines of 63 `a`, made where they are read. */
  function hugeFiles(): FileSource & { most: number; total: number } {
    const source = {
      most: 0,
      total: 0,
      list: async () => [{ name: 'book.txt', kind: 'file' as const, size }],
      read: async (_: string, from = 0, to = size) => {
        source.most = Math.max(source.most, to - from)
        source.total += to - from
        return lines.slice(from % 64, (from % 64) + to - from)
      },
    }
    return source
  }

  it('is read in places, in small parts', async () => {
    const files = hugeFiles()
    const { train, validation, test } = await corpora.open(textFiles({ path: 'd' }), files)
    expect(train.bytes + validation.bytes + test.bytes).toBe(size)
    expect([validation.bytes % 64, test.bytes % 64]).toEqual([0, 0])
    expect(await train.read(2 ** 39, 2 ** 39 + 64)).toBe(`${'a'.repeat(63)}\n`)
    expect(files.most).toBeLessThanOrEqual(2 ** 18)
    expect(files.total).toBeLessThan(2 ** 25)
  })
})
