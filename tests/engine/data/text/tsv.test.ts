import { utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it, vi } from 'vitest'
import type { FileSource } from '../../../../engine/data/files.ts'
import { mnli, pairData, sst2, textData, tsv } from '../../../../engine/data/text/index.ts'
import type { TsvOptions, TsvPairOptions } from '../../../../engine/data/text/tsv.ts'
import type { Split } from '../../../../engine/data/types.ts'
import { pair, sequence } from '../../../../engine/tasks/index.ts'
import { onSimd } from '../../backends/simd/setup.ts'
import { memoryFiles } from '../memory-files.ts'
import { broken, utf16 } from './encodings.ts'
import { learn } from './learn.ts'

// what a loader reads is looked at before it is divided, which splits.test.ts looks at
vi.mock(import('../../../../engine/data/splits.ts'), async (original) => ({
  ...(await original()),
  splitThreeWays: ({ train, validation = train }) => ({ train, validation }),
}))

onSimd()

type Contents = Record<string, Uint8Array | string>
const lines = (...rows: string[]) => rows.map((row) => `${row}\n`).join('')
const everything = <Batch>(split: Split<Batch>) => split.read(Array.from({ length: split.size }, (_, i) => i))

const reviews = (count: number) =>
  Array.from({ length: count }, (_, i) => `film ${i} is ${['dull , alas', 'a joy'][i % 2]} \t${i % 2}`)
const SST: Contents = {
  'd/train.tsv': lines('sentence\tlabel', ...reviews(20)),
  'd/dev.tsv': lines('sentence\tlabel', 'it \'s "quoted \t1', 'no \t0'),
  'd/test.tsv': lines('index\tsentence', '0\tnobody knows'),
}

/** The columns of MNLI; those of dev files have more annotators. */
const nliHeader = (annotators: number) =>
  [
    ...['index', 'promptID', 'pairID', 'genre', 'sentence1_binary_parse', 'sentence2_binary_parse'],
    ...['sentence1_parse', 'sentence2_parse', 'sentence1', 'sentence2'],
    ...Array.from({ length: annotators }, (_, i) => `label${i + 1}`),
    'gold_label',
  ].join('\t')
const nliRow = (annotators: number, first: string, second: string, gold: string) =>
  [...'0123', ...'( ) ( )'.split(' '), first, second, ...Array(annotators).fill(gold), gold].join('\t')
const LABELS = ['neutral', 'entailment', 'contradiction']
const SECOND = ['she may sing', 'she sings', 'she is silent']
const claims = (annotators: number, name: string, count: number) =>
  Array.from({ length: count }, (_, i) =>
    nliRow(annotators, `${name} sings`, SECOND[i % 3] as string, LABELS[i % 3] as string),
  )
const NLI: Contents = {
  'd/train.tsv': lines(nliHeader(1), ...claims(1, 'ann', 30)),
  'd/dev_matched.tsv': lines(
    nliHeader(5),
    ...claims(5, 'bea', 6),
    nliRow(5, 'a', 'b', '-'),
    nliRow(5, 'a', 'b', 'hidden'),
  ),
  'd/dev_mismatched.tsv': lines(nliHeader(5), ...claims(5, 'eve', 3)),
}

const openSst = (contents: Contents, options: Partial<TsvOptions> = {}) =>
  textData.open(sst2({ path: 'd', ...options }), memoryFiles(contents))
const openNli = (contents: Contents, options: Partial<TsvPairOptions> = {}) =>
  pairData.open(mnli({ path: 'd', ...options }), memoryFiles(contents))

describe('sst2', () => {
  it('reads train.tsv and dev.tsv, quotes as they are', async () => {
    const { classes, train, test, warnings } = await openSst(SST)
    expect([classes, train.size, test.size, warnings]).toEqual([['0', '1'], 20, 2, []])
    const batch = await train.read([3, 0, 3])
    expect(batch).toEqual({
      first: ['film 3 is a joy ', 'film 0 is dull , alas ', 'film 3 is a joy '],
      labels: Int32Array.of(1, 0, 1),
    })
    expect(await everything(test)).toEqual({ first: ['it \'s "quoted ', 'no '], labels: Int32Array.of(1, 0) })
  })

  it('reads CRLF, a byte order mark, blank lines and a last line without an end the same', async () => {
    const text = SST['d/dev.tsv'] as string
    const odd = utf8ToBytes(`\ufeff${text.replaceAll('\n', '\r\n\r\n').trimEnd()}`)
    const { test } = await openSst({ ...SST, 'd/dev.tsv': odd })
    expect(await everything(test)).toEqual(await everything((await openSst(SST)).test))
  })

  it('is learned', async () => {
    const metric = await learn(sequence({ data: sst2({ path: 'd' }), tokens: 10 }), memoryFiles(SST), 10, 30)
    expect(metric('train/loss').last).toBeLessThan(metric('train/loss').first / 2)
  })
})

describe('mnli', () => {
  it('finds columns by name, and both dev files', async () => {
    const { classes, train, test, others } = await openNli(NLI)
    expect(classes).toEqual(['entailment', 'neutral', 'contradiction'])
    expect([train.size, test.size, others?.mismatched?.size]).toEqual([30, 6, 3])
    expect(await test.read([2])).toEqual({ first: ['bea sings'], second: [SECOND[2]], labels: Int32Array.of(2) })
    expect(await others?.mismatched?.read([0])).toMatchObject({ first: ['eve sings'], labels: Int32Array.of(1) })
  })

  it('leaves out rows without a gold label, and says so', async () => {
    const { warnings } = await openNli(NLI)
    expect(warnings).toEqual(["d/dev_matched.tsv: 2 of 8 rows left out: gold_label is '-' or 'hidden'"])
  })

  it('is learned, and judged by both', async () => {
    const metric = await learn(pair({ data: mnli({ path: 'd' }), tokens: 12 }), memoryFiles(NLI), 12, 100)
    expect(metric('train/loss').last).toBeLessThan(metric('train/loss').first / 2)
    for (const name of ['test', 'mismatched']) expect(metric(`${name}/accuracy`).last).toBeGreaterThan(0.6)
  })
})

describe('tsv', () => {
  const open = (contents: Contents, options: Partial<TsvOptions> = {}) =>
    textData.open(tsv({ path: 'd', columns: { first: 'text', label: 'kind' }, ...options }), memoryFiles(contents))
  const rows = lines('kind\ttext', ...Array.from({ length: 10 }, (_, i) => `${i + 2}\ttext ${i}`))

  it('takes the labels of the training file in their order', async () => {
    const { classes } = await open({ 'd/train.tsv': rows })
    expect(classes).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', '10', '11'])
    const { classes: named } = await open({ 'd/train.tsv': lines('text\tkind', 'a\tpear', 'b\tfig', 'c\tpear') })
    expect(named).toEqual(['fig', 'pear'])
  })

  it('holds rows out by a seed where there is no dev.tsv', async () => {
    const held = async (seed: number) => {
      const { train, test } = await open({ 'd/train.tsv': rows }, { seed, holdout: 0.3 })
      expect([train.size, test.size]).toEqual([7, 3])
      const texts = (await Promise.all([train, test].map(everything))).flatMap(({ first }) => first)
      expect(new Set(texts).size).toBe(10)
      return String((await everything(test)).first)
    }
    const tests = await Promise.all([0, 1, 2, 3, 0].map(held))
    expect(tests[4]).toBe(tests[0])
    expect(new Set(tests).size).toBeGreaterThan(1)
  })

  it('reads files without a header, as CoLA', async () => {
    const text = lines('gj04\t1\t\tit is so', 'gj04\t0\t*\tso it are')
    const { test } = await open(
      { 'd/train.tsv': text, 'd/dev.tsv': text },
      { header: false, columns: { first: '3', label: '1' } },
    )
    expect(await everything(test)).toEqual({ first: ['it is so', 'so it are'], labels: Int32Array.of(1, 0) })
  })

  it('leaves out rows without a label, and malformed ones, where asked', async () => {
    const text = lines('text\tkind', 'a\tx', 'b\t', 'c', 'd\ty', '\tx')
    const { train, test, warnings } = await open({ 'd/train.tsv': text }, { leaveOut: [''], skipMalformed: true })
    expect(train.size + test.size).toBe(2)
    expect(warnings).toEqual([
      "d/train.tsv: 1 of 5 rows left out: kind is ''",
      'd/train.tsv: 2 of 5 rows left out as malformed',
      'd/train.tsv: line 4, offset 17: 1 columns, expected 2 as in the first line',
      "d/train.tsv: line 6, offset 23: nothing in column 'text'",
    ])
  })

  it('finds its files in any case, and names those for parts that it does not read', async () => {
    const file = lines('text\tkind', 'a\tx', 'b\ty', 'c\tx', 'd\ty')
    const { train, test, warnings } = await open({ 'd/Train.TSV': file, 'd/Valid.tsv': file, 'd/test.tsv': file })
    expect([train.size, test.size]).toEqual([4, 4])
    expect(warnings).toEqual(['d: passed over 1 file ending in .tsv (test.tsv)'])
    await expect(open({ 'd/train.tsv': file, 'd/Dev.tsv': file, 'd/val.tsv': file })).rejects.toThrow(
      "d: 'Dev.tsv' and 'val.tsv' are both named for the validation part; name one as test",
    )
  })

  it('takes white space for nothing: in texts, in labels, in lines', async () => {
    const rows = ['text\tkind', 'a\tx', 'b\ty', ' ', 'c\tx', 'd\ty']
    const plain = await open({ 'd/train.tsv': lines(...rows) })
    expect([plain.train.size + plain.test.size, plain.warnings]).toEqual([4, []])
    for (const row of [' \u00a0\tx', 'e\t  ', '\t ']) {
      const contents = { 'd/train.tsv': lines(...rows, row) }
      await expect(open(contents)).rejects.toThrow(/line 7, offset 28: nothing in column '(text|kind)'/)
      const left = await open(contents, { skipMalformed: true })
      expect([left.train.size + left.test.size, left.classes]).toEqual([4, ['x', 'y']])
    }
  })

  it('says that labels differ by case or spaces alone', async () => {
    const rows = ['good', 'Good', ' bad', 'bad', 'so'].map((label) => `text\t${label}`)
    const { warnings } = await open({ 'd/train.tsv': ['text\tkind', ...rows, ''].join('\n') })
    expect(warnings).toEqual([
      "The classes ' bad' and 'bad' differ by case or spaces alone.",
      "The classes 'Good' and 'good' differ by case or spaces alone.",
    ])
  })
  it('takes labels that are equal after NFC for one class', async () => {
    const rows = (...labels: string[]) => ({
      'd/train.tsv': lines('text\tkind', ...labels.map((label) => `a\t${label}`)),
    })
    const { classes, train, test } = await open(rows('caf\u00e9', 'b', 'cafe\u0301', 'b'))
    expect(classes).toEqual(['b', 'caf\u00e9'])
    expect([...(await everything(train)).labels, ...(await everything(test)).labels].sort()).toEqual([0, 0, 1, 1])
    expect((await open(rows('cafe\u0301', 'b', 'b'))).classes).toEqual(['b', 'cafe\u0301'])
    const given = await open(rows('cafe\u0301', 'b', 'b'), { classes: ['caf\u00e9', 'b'] })
    expect(given.classes).toEqual(['caf\u00e9', 'b'])
  })

  it.each([
    ['a file without tabs', 'x'.repeat(300_000), {}],
    [
      'a label that is a text',
      lines('text\tkind', 'a\tx', 'b\ty', `c\t${'z'.repeat(300_000)}`),
      { classes: ['x', 'y'] },
    ],
    ['a long name of a column', lines(`text\t${'k'.repeat(300_000)}`, 'a\tx'), {}],
  ])('quotes no more than a line of %s', async (_, text, options) => {
    const error = await open({ 'd/train.tsv': text }, options).catch((thrown: Error) => thrown)
    expect((error as Error).message).toMatch(/^d\/train\.tsv: line \d/)
    expect((error as Error).message.length).toBeLessThan(300)
  })

  it('has a hash of contents and of what is made of them', async () => {
    const hash = async (contents: Contents, options?: Partial<TsvOptions>) => (await openSst(contents, options)).hash
    const first = await hash(SST)
    const moved = Object.fromEntries(Object.entries(SST).map(([name, content]) => [name.replace('d/', 'e/'), content]))
    expect(await hash(moved, { path: 'e' })).toBe(first)
    const others = await Promise.all([
      hash({ ...SST, 'd/dev.tsv': lines('sentence\tlabel', 'no \t1', 'no \t0') }),
      hash(SST, { classes: ['1', '0'] }),
      hash(SST, { leaveOut: ['-'] }),
    ])
    expect(new Set([first, ...others]).size).toBe(4)
  })

  it('reads rows of a large file where they are', async () => {
    const long = lines(
      'sentence\tlabel',
      ...Array.from({ length: 3000 }, (_, i) => `${'word '.repeat(200)}${i}\t${i % 2}`),
    )
    const files = memoryFiles({ ...SST, 'd/train.tsv': long })
    const counted: FileSource = {
      list: files.list,
      read: async (path, from = 0, to = 0) => {
        most = Math.max(most, to - from)
        return files.read(path, from, to)
      },
    }
    let most = 0
    const { train } = await textData.open(sst2({ path: 'd' }), counted)
    expect(most).toBeLessThanOrEqual(2 ** 20)
    most = 0
    const { first, labels } = await train.read([2999, 0, 1])
    expect(first.map((text) => text.split(' ').at(-1))).toEqual(['2999', '0', '1'])
    expect([...labels]).toEqual([1, 0, 1])
    expect(most).toBeLessThan(4000)
  })

  it.each<[string, Contents, Partial<TsvOptions>, string]>([
    ['no training file', { 'd/dev.tsv': 'x' }, {}, 'd/train.tsv: no such file'],
    ['no dev file', { 'd/train.tsv': SST['d/train.tsv'] as string }, {}, 'd/dev.tsv: no such file'],
    ['an empty file', { ...SST, 'd/dev.tsv': '' }, {}, 'd/dev.tsv: empty file'],
    ['a header alone', { ...SST, 'd/dev.tsv': 'sentence\tlabel\n' }, {}, 'd/dev.tsv: none of 0 rows can be used'],
    [
      'a file without labels',
      SST,
      { test: 'test.tsv' },
      "d/test.tsv: line 1, offset 0: no column 'label' (known: index, sentence)",
    ],
    [
      'a misspelt column',
      SST,
      { columns: { first: 'sentense', label: 'label' } },
      "d/train.tsv: line 1, offset 0: no column 'sentense' (did you mean 'sentence'?)",
    ],
    [
      'commas',
      { ...SST, 'd/train.tsv': 'sentence,label\na joy,1\n' },
      {},
      "d/train.tsv: line 1, offset 0: no column 'sentence'",
    ],
    [
      'a file cut within a row',
      { ...SST, 'd/dev.tsv': (SST['d/dev.tsv'] as string).slice(0, -3) },
      {},
      'd/dev.tsv: line 3, offset 32: 1 columns, expected 2 as in the first line (skipMalformed: true leaves',
    ],
    [
      'an unknown label',
      { ...SST, 'd/dev.tsv': lines('sentence\tlabel', 'fine\t1', 'é\tgood') },
      {},
      "d/dev.tsv: line 3, offset 22: unknown label 'good' (known: 0, 1)",
    ],
    [
      'no label',
      { ...SST, 'd/dev.tsv': lines('sentence\tlabel', 'fine\t') },
      {},
      "d/dev.tsv: line 2, offset 15: nothing in column 'label'",
    ],
    [
      'Latin-1',
      { ...SST, 'd/dev.tsv': broken('sentence\tlabel\ncaf', '\t1\n') },
      {},
      'd/dev.tsv: line 2, offset 18: byte 0xe9, expected UTF-8',
    ],
    [
      'UTF-16',
      { ...SST, 'd/dev.tsv': utf16('sentence\tlabel\nfine\t1\n') },
      {},
      'line 1, offset 0: byte 0xff, expected UTF-8 (this looks like UTF-16)',
    ],
    [
      'one class',
      { ...SST, 'd/train.tsv': lines('sentence\tlabel', 'fine\t1') },
      { classes: undefined },
      "d/train.tsv: all labels are '1', expected 2 classes",
    ],
    ['a misspelt option', SST, { header: 1 } as unknown as TsvOptions, 'task.data.header: 1, expected a boolean'],
    [
      'a line without end',
      { ...SST, 'd/dev.tsv': new Uint8Array(18 * 2 ** 20).fill(97) },
      {},
      'd/dev.tsv: line 1, offset 0: no line break in 16 MB',
    ],
  ])('refuses %s', async (_, contents, options, message) => {
    await expect(openSst(contents, options)).rejects.toThrow(message)
  })

  it('refuses a second text where the task reads one, and the other way round', () => {
    const columns = { first: 'a', second: 'b', label: 'c' }
    expect(() => textData.resolve(tsv({ path: 'd', columns }))).toThrow("task.data.columns: unknown option 'second'")
    const one = { first: 'a', label: 'c' }
    expect(() => pairData.resolve(tsv({ path: 'd', columns: one }))).toThrow('task.data.columns.second: missing')
  })

  it('says so where a file has changed since', async () => {
    const contents = { ...SST }
    const { train } = await openSst(contents)
    contents['d/train.tsv'] = '\t'.repeat((SST['d/train.tsv'] as string).length)
    await expect(train.read([1])).rejects.toThrow(/d\/train.tsv: offset \d+: no longer the row that was here/)
  })
})
