import { utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it, vi } from 'vitest'
import { spanData, squad } from '../../../../engine/data/text/index.ts'
import type { Split } from '../../../../engine/data/types.ts'
import { span } from '../../../../engine/tasks/index.ts'
import { onSimd } from '../../backends/simd/setup.ts'
import { memoryFiles } from '../memory-files.ts'
import { broken, utf16 } from './encodings.ts'
import { learn } from './learn.ts'

// what a loader reads is looked at before it is divided, which splits.test.ts looks at
vi.mock(import('../../../../engine/data/splits.ts'), async (original) => ({
  ...(await original()),
  splitThreeWays: ({ train, validation = train }) => ({ train, validation }),
}))

type SquadOptions = NonNullable<Parameters<typeof squad>[0]>

onSimd()

type Contents = Record<string, Uint8Array | string>
const everything = <Batch>(split: Split<Batch>) => split.read(Array.from({ length: split.size }, (_, i) => i))

const TOWNS = ['rome', 'oslo', 'the new york']
const passage = (i: number) => `ann ${i} lives in ${TOWNS[i % 3]} now .`

/** A question of SQuAD; its answer is the town, or nothing. */
function question(i: number, isImpossible: boolean) {
  const text = TOWNS[i % 3] as string
  const answer = { text, answer_start: passage(i).indexOf(text) }
  return {
    id: `56be${i}`,
    question: isImpossible ? 'where does zoe live' : 'where does ann live',
    answers: isImpossible ? [] : [answer, answer],
    ...(isImpossible ? { is_impossible: true, plausible_answers: [answer] } : {}),
  }
}

/** A SQuAD file of `count` passages; version 2.0 has a question without an answer on each second one. */
function file(version: string, count: number): string {
  const paragraphs = Array.from({ length: count }, (_, i) => {
    const qas = [question(i, false), ...(version === '1.1' || i % 2 ? [] : [question(i, true)])]
    return { context: passage(i), qas }
  })
  return JSON.stringify({ version, data: [{ title: 'Towns', paragraphs }] })
}

const SQUAD = { 'd/train-v1.1.json': file('1.1', 12), 'd/dev-v1.1.json': file('1.1', 6) }
const SQUAD2 = { 'd/train-v2.0.json': file('2.0', 12), 'd/dev-v2.0.json': file('2.0', 6) }
const open = (contents: Contents, options: Partial<SquadOptions> = {}) =>
  spanData.open(squad({ path: 'd', ...options }), memoryFiles(contents))

/** A training file of one passage with one question. */
const one = (context: unknown, ...answers: unknown[]) =>
  JSON.stringify({ version: '1.1', data: [{ paragraphs: [{ context, qas: [{ question: 'who', answers }] }] }] })

describe('squad', () => {
  it('reads version 1.1', async () => {
    const { unanswerable, train, test, warnings } = await open(SQUAD)
    expect([unanswerable, train.size, test.size, warnings]).toEqual([false, 12, 6, []])
    const { questions, passages, answers } = await test.read([2])
    expect([questions, passages]).toEqual([['where does ann live'], [passage(2)]])
    expect(answers[0]).toHaveLength(2)
    expect(answers[0]?.map(({ start, end }) => passage(2).slice(start, end))).toEqual([TOWNS[2], TOWNS[2]])
  })

  it('reads version 2.0, with questions that have no answer', async () => {
    const { unanswerable, train } = await open(SQUAD2)
    expect([unanswerable, train.size]).toEqual([true, 18])
    const { questions, answers } = await train.read([0, 1, 2])
    expect(questions).toEqual(['ann', 'zoe', 'ann'].map((name) => `where does ${name} live`))
    expect(answers.map(({ length }) => length)).toEqual([2, 0, 2])
  })

  it('counts answer_start in code points, as Python does', async () => {
    const context = '😀 in 𝕏 town'
    const contents = { 'd/train-v1.1.json': one(context, { text: '𝕏 town', answer_start: 5 }) }
    const { test } = await open({ ...contents, 'd/dev-v1.1.json': contents['d/train-v1.1.json'] })
    expect((await test.read([0])).answers).toEqual([[{ start: 6, end: 13 }]])
  })

  it('holds passages out with all their questions', async () => {
    const held = async (seed: number) => {
      const { train, test } = await open({ 'd/train-v2.0.json': SQUAD2['d/train-v2.0.json'] }, { seed, holdout: 0.25 })
      expect(train.size + test.size).toBe(18)
      const [kept, own] = await Promise.all([train, test].map(everything))
      const passages = new Set(own?.passages)
      expect(passages.size).toBe(3)
      expect(kept?.passages.some((passage) => passages.has(passage))).toBe(false)
      return String([...passages])
    }
    const tests = await Promise.all([0, 1, 2, 3, 0].map(held))
    expect(tests[4]).toBe(tests[0])
    expect(new Set(tests).size).toBeGreaterThan(1)
  })

  it('takes names, says where versions differ, and has a hash of the contents', async () => {
    const contents = { 'd/a.json': SQUAD['d/train-v1.1.json'], 'd/b.json': SQUAD2['d/dev-v2.0.json'] }
    const { warnings, hash } = await open(contents, { train: 'a.json', test: 'b.json' })
    expect(warnings).toEqual(['d/b.json: version 2.0, and training is 1.1'])
    expect(hash).not.toBe((await open(SQUAD)).hash)
    const moved = { 'e/train-v1.1.json': contents['d/a.json'], 'e/dev-v2.json': contents['d/b.json'] }
    expect((await open(moved, { path: 'e' })).hash).toBe(hash)
  })

  it('leaves malformed questions out where asked, and says which', async () => {
    const qas = [question(0, false), { ...question(0, false), answers: [{ text: 'rome', answer_start: 3 }] }]
    const contents = JSON.stringify({ version: '1.1', data: [{ paragraphs: [{ context: passage(0), qas }] }] })
    const { train, warnings } = await open({ ...SQUAD, 'd/train-v1.1.json': contents }, { skipMalformed: true })
    expect(train.size).toBe(1)
    expect(warnings).toEqual([
      'd/train-v1.1.json: 1 of 2 questions left out as malformed',
      "d/train-v1.1.json: data.0.paragraphs.0.qas.1: answer_start 3 is at ' 0 l', expected 'rome'",
    ])
  })

  it.each([
    ['1.1', SQUAD],
    ['2.0', SQUAD2],
  ])('%s is learned', async (_, contents) => {
    const data = squad({ path: 'd' })
    const metric = await learn(span({ data, tokens: 20, question: 5 }), memoryFiles(contents), 20, 60)
    expect(metric('train/loss').last).toBeLessThan(metric('train/loss').first / 2)
    expect(metric('test/exact').last).toBeGreaterThan(0.5)
  })

  it('does not mind what is in fields that it does not read', async () => {
    const whole = JSON.parse(String(SQUAD['d/train-v1.1.json']))
    const read = async (json: object) => {
      const data = await open({ ...SQUAD, 'd/train-v1.1.json': JSON.stringify(json) })
      return [data.unanswerable, await everything(data.train), await everything(data.test)]
    }
    const expected = await read(whole)
    const questions = (change: (qa: object) => object) => ({
      ...whole,
      data: whole.data.map((entry: { paragraphs: { qas: object[] }[] }) => ({
        ...entry,
        paragraphs: entry.paragraphs.map((each) => ({ ...each, qas: each.qas.map(change) })),
      })),
    })
    for (const other of [
      { ...whole, version: 1.1 },
      { ...whole, version: null, licence: [{}], metadata: null },
      { ...whole, data: whole.data.map((entry: object) => ({ ...entry, title: 7, url: null })) },
      questions((qa) => ({ ...qa, id: {}, is_impossible: null, plausible_answers: 'none', lang: [] })),
    ]) {
      expect(await read(other)).toEqual(expected)
    }
  })

  it('leaves out a question of another layout alone, and takes white space for no text', async () => {
    const passage = {
      context: 'ann lives in rome',
      qas: [{ question: 'where', answers: [{ text: 'rome', answer_start: 13 }] }],
    }
    const wrong = [
      { question: 7 },
      null,
      { question: ' \u00a0' },
      { question: 'q', answers: [{ text: ' ', answer_start: 3 }] },
    ]
    const blank = { context: ' \n', qas: [{ question: 'q', is_impossible: true }] }
    const paragraphs = [passage, passage, passage, { ...passage, qas: wrong }, blank, { context: 'none', qas: null }]
    const contents = { 'd/train-v1.1.json': JSON.stringify({ data: [{ paragraphs }] }) }
    const { warnings = [] } = await open(contents, { skipMalformed: true })
    const place = 'd/train-v1.1.json: data.0.paragraphs'
    expect(warnings).toEqual([
      'd/train-v1.1.json: 5 of 8 questions left out as malformed',
      `${place}.3.qas.0.question: 7, expected a string`,
      `${place}.3.qas.1: null, expected an object`,
      `${place}.3.qas.2: an empty question`,
      `${place}.3.qas.3: an empty answer`,
      `${place}.4.qas.0: an empty passage`,
    ])
    await expect(open(contents)).rejects.toThrow('qas.0.question: 7, expected a string (skipMalformed: true')
  })

  it('leaves out articles and paragraphs that are wrong, where asked', async () => {
    const sound = { context: passage(0), qas: [question(0, false)] }
    const data = [null, { paragraphs: null }, { paragraphs: [{ context: null, qas: [] }, 7, sound] }]
    const contents = { ...SQUAD, 'd/train-v1.1.json': JSON.stringify({ data }) }
    const { train, warnings = [] } = await open(contents, { skipMalformed: true })
    expect(train.size).toBe(1)
    expect(warnings.slice(1, 5)).toEqual([
      'd/train-v1.1.json: data.0: null, expected an object',
      'd/train-v1.1.json: data.1.paragraphs: null, expected an array',
      'd/train-v1.1.json: data.2.paragraphs.0.context: null, expected a string',
      'd/train-v1.1.json: data.2.paragraphs.1: 7, expected an object',
    ])
    await expect(open(contents)).rejects.toThrow('data.0: null, expected an object (skipMalformed: true')
  })

  it('quotes no more than a line of a passage', async () => {
    const context = 'long\n'.repeat(50_000)
    const qas = [{ question: 'q', answers: [{ text: context.slice(1), answer_start: 0 }] }]
    const text = JSON.stringify({ data: [{ paragraphs: [{ context, qas }] }] })
    const error = await open({ 'd/train-v1.1.json': text }).catch((thrown: Error) => thrown)
    expect((error as Error).message).toMatch(/^d\/train-v1\.1\.json: offset \d+: .* expected 'ong long /)
    expect((error as Error).message.length).toBeLessThan(400)
  })

  const train = SQUAD['d/train-v1.1.json']
  const answer = { text: 'rome', answer_start: 0 }
  it.each<[string, string | Uint8Array, string]>([
    ['an empty file', '', 'd/train-v1.1.json: empty file'],
    [
      'a truncated file',
      train.slice(0, 200),
      'd/train-v1.1.json: offset 200: the file ends within its JSON, truncated',
    ],
    ['what is no JSON', 'sentence\tlabel\n', "d/train-v1.1.json: offset 0: 'sentence\tlabel\\n' is not JSON"],
    ['a comma too much', '{"version": "é", "data": [1,]}', "offset 29: ']}' is not JSON"],
    ['another layout', '[]', 'd/train-v1.1.json: offset 0: [], expected an object'],
    ['no data', '{"version": "1.1"}', 'd/train-v1.1.json: offset 0: data: missing, expected an array'],
    ['no questions', '{"data": []}', 'd/train-v1.1.json: no questions'],
    ['a number for a passage', one(7), 'offset 51: data.0.paragraphs.0.context: 7, expected a string'],
    [
      'an answer that is elsewhere',
      one('é in rome', answer),
      "offset 71: data.0.paragraphs.0.qas.0: answer_start 0 is at 'é in', expected 'rome' (skipMalformed: true",
    ],
    ['an answer before the passage', one('in rome', { ...answer, answer_start: -4 }), "answer_start -4 is at ''"],
    ['an answer beyond the passage', one('in rome', { ...answer, answer_start: 99 }), "answer_start 99 is at ''"],
    ['an empty answer', one('in rome', { text: '', answer_start: 0 }), 'qas.0: an empty answer'],
    ['no answers', one('in rome'), 'qas.0: no answers, expected 1 or more, or is_impossible'],
    [
      'a fractional place',
      one('in rome', { ...answer, answer_start: 1.5 }),
      'answer_start: 1.5, expected a whole number',
    ],
    [
      'answers to an impossible question',
      one('in rome', answer).replace('"who"', '"who","is_impossible":true'),
      'qas.0: is_impossible, and has answers',
    ],
    ['an empty question', one('in rome', answer).replace('who', ' '), 'qas.0: an empty question'],
    ['Latin-1', broken('{"version": "caf', '"}'), 'd/train-v1.1.json: offset 16: byte 0xe9, expected UTF-8'],
    ['UTF-16', utf16(train), 'offset 0: byte 0xff, expected UTF-8 (this looks like UTF-16)'],
  ])('refuses %s', async (_, content, message) => {
    await expect(open({ ...SQUAD, 'd/train-v1.1.json': content })).rejects.toThrow(message)
    await expect(open({ ...SQUAD, 'd/train-v1.1.json': content })).rejects.toMatchObject({ code: 'data' })
  })

  it('reads a byte order mark and CRLF as Windows writes them', async () => {
    const text = JSON.stringify(JSON.parse(train), null, 1).replaceAll('\n', '\r\n')
    const { size } = (await open({ ...SQUAD, 'd/train-v1.1.json': utf8ToBytes(`\ufeff${text}`) })).train
    expect(size).toBe(12)
  })

  it.each<[string, Contents, Partial<SquadOptions>, string]>([
    ['no training file', { 'd/dev-v1.1.json': train }, {}, 'd: no training file, looked for train-v*.json'],
    ['a named file that is missing', SQUAD, { test: 'x.json' }, 'd/x.json: no such file'],
    [
      'two versions',
      { ...SQUAD, ...SQUAD2 },
      {},
      "d: train-v1.1.json and train-v2.0.json, expected one; name it as 'trainFile'",
    ],
    [
      'one passage and nothing to test on',
      { 'd/train-v1.1.json': one('in rome', { text: 'rome', answer_start: 3 }) },
      {},
      'd/train-v1.1.json: questions on 1 passage, expected 2',
    ],
    [
      'a misspelt option',
      SQUAD,
      { tset: 'x' } as Partial<SquadOptions>,
      "unknown option 'tset' (did you mean 'test'?)",
    ],
  ])('refuses %s', async (_, contents, options, message) => {
    await expect(open(contents, options)).rejects.toThrow(message)
  })

  it('refuses a file that is too large to be read whole', async () => {
    const files = memoryFiles(SQUAD)
    const list = async () => [{ name: 'train-v1.1.json', kind: 'file' as const, size: 2 ** 30 }]
    const opened = spanData.open(squad({ path: 'd' }), { ...files, list })
    await expect(opened).rejects.toThrow('d/train-v1.1.json: 1024 MB, expected at most 512 MB')
    expect(files.reads).toEqual([])
  })
})
