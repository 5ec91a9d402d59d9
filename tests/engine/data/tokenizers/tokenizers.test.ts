import { describe, expect, it } from 'vitest'
import { readTokenizer, trainTokenizer } from '../../../../engine/data/tokenizers/index.ts'
import { SPECIAL, SPECIAL_TEXTS, type TokenizerOptions } from '../../../../engine/data/tokenizers/types.ts'
import { integer, keyOf } from '../../../../engine/random.ts'
import { drawnTexts, ENGLISH } from './draws.ts'

const texts = [...ENGLISH, ...drawnTexts(100, 'train')]
const unseen = drawnTexts(200, 'unseen')
const train = (kind: TokenizerOptions['kind'], options: Partial<TokenizerOptions> = {}, from = texts) =>
  trainTokenizer({ kind, vocabulary: 400, lowercase: false, ...options }, from)

const kinds = ['characters', 'words', 'bytePairs'] as const
const cased = kinds.flatMap((kind) => [true, false].map((lowercase) => [kind, lowercase] as const))

describe.each(cased)('%s, lowercase: %s', (kind, lowercase) => {
  it('gives each token its place in the text', async () => {
    const tokenizer = await train(kind, { lowercase })
    for (const text of unseen) {
      const { ids, starts, ends } = tokenizer.encode(text)
      expect([starts.length, ends.length]).toEqual([ids.length, ids.length])
      let reached = 0
      for (const [i, id] of ids.entries()) {
        const [start, end] = [starts[i] as number, ends[i] as number]
        const piece = text.slice(start, end)
        expect(piece).not.toBe('')
        expect(text.slice(reached, start)).toMatch(/^\s*$/) // nothing but white space is passed over
        reached = Math.max(reached, end)
        const shown = tokenizer.textOf(id)
        if (id === SPECIAL.unknown || shown.includes('\ufffd')) continue
        const same = lowercase ? [...piece].map((c) => c.toLowerCase()).join('') : piece
        if (!/[Σς]/.test(piece)) expect(/^ \S/.test(shown) ? shown.slice(1) : shown).toBe(same)
      }
      expect(text.slice(reached)).toMatch(/^\s*$/)
    }
  })

  it('is the same when it is saved and read, and when it is trained again', async () => {
    const tokenizer = await train(kind, { lowercase })
    const again = readTokenizer(tokenizer.save())
    expect(again.size).toBe(tokenizer.size)
    expect(again.save()).toBe(tokenizer.save())
    expect((await train(kind, { lowercase })).save()).toBe(tokenizer.save())
    for (const text of unseen) {
      expect(again.encode(text)).toEqual(tokenizer.encode(text))
      expect(tokenizer.encode(text)).toEqual(tokenizer.encode(text)) // what it remembers is what it said first
    }
  })

  it('keeps to the vocabulary, special tokens first', async () => {
    for (const vocabulary of [262, 280, 300]) {
      const tokenizer = await train(kind, { lowercase, vocabulary })
      expect(tokenizer.size).toBeLessThanOrEqual(vocabulary)
      for (const [id, text] of SPECIAL_TEXTS.entries()) expect(tokenizer.textOf(id)).toBe(text)
      for (const text of unseen) {
        for (const id of tokenizer.encode(text).ids) {
          expect(id === SPECIAL.unknown || (id >= SPECIAL_TEXTS.length && id < tokenizer.size)).toBe(true)
        }
      }
      expect(() => tokenizer.textOf(tokenizer.size)).toThrow(`token: ${tokenizer.size}, expected 0 to`)
      expect(() => tokenizer.decode([-1])).toThrow('token: -1, expected 0 to')
    }
  })

  it('has no tokens for no text', async () => {
    const tokenizer = await train(kind, { lowercase })
    expect(tokenizer.encode('').ids).toHaveLength(0)
    expect(tokenizer.decode([])).toBe('')
  })
})

describe('byte pairs', () => {
  it('give every text back', async () => {
    const tokenizer = await train('bytePairs')
    for (const text of [...unseen, ...texts, 'x'.repeat(1000), ' '.repeat(300), '\ufefffirst']) {
      expect(tokenizer.decode(tokenizer.encode(text).ids)).toBe(text)
    }
  })

  it('give any bytes a text, lone surrogates too', async () => {
    const tokenizer = await train('bytePairs')
    const key = keyOf(1, 'bytes')
    for (let i = 0; i < 100; i++) {
      const ids = Array.from({ length: 8 }, (_, j) => integer(key, i * 8 + j, tokenizer.size))
      expect(typeof tokenizer.decode(ids)).toBe('string')
    }
    expect(tokenizer.decode(tokenizer.encode('a\ud800b').ids)).toBe('a\ufffdb')
  })

  it('merge the most frequent pairs, of equal ones the first', async () => {
    const tokenizer = await train('bytePairs', { vocabulary: 264 }, ['abab abab cdcd cdcd'])
    expect([261, 262, 263].map(tokenizer.textOf)).toEqual(['ab', 'cd', ' cd'])
  })

  it('merge in the order they were learned in', async () => {
    const aabb = {
      version: 1,
      kind: 'bytePairs',
      lowercase: false,
      merges: [
        [103, 103],
        [102, 103],
        [102, 261],
      ],
    }
    const tokenizer = readTokenizer(JSON.stringify(aabb))
    expect(Array.from(tokenizer.encode('abb').ids, tokenizer.textOf)).toEqual(['abb'])
    expect(Array.from(tokenizer.encode('abab').ids, tokenizer.textOf)).toEqual(['ab', 'ab'])
    expect(Array.from(tokenizer.encode('bbb').ids, tokenizer.textOf)).toEqual(['bb', 'b'])
  })

  it('stop where no pair comes again', async () => {
    expect((await train('bytePairs', {}, ['abcdefg'])).size).toBe(261)
  })

  it('leave the space in front out of the place of a word, and share characters', async () => {
    const tokenizer = await train('bytePairs', {}, ['a cat a cat a cat'])
    const { ids, starts, ends } = tokenizer.encode('a cat 👍')
    expect(Array.from(ids, tokenizer.textOf).slice(0, 2)).toEqual(['a', ' cat'])
    expect([...starts]).toEqual([0, 2, 5, 6, 6, 6, 6])
    expect([...ends]).toEqual([1, 5, 6, 8, 8, 8, 8])
  })

  it('keep the places where lowercase is longer', async () => {
    const { starts, ends } = (await train('bytePairs', { lowercase: true }, [''])).encode('İx')
    expect([...starts]).toEqual([0, 0, 0, 1])
    expect([...ends]).toEqual([1, 1, 1, 2])
  })
})

describe('words', () => {
  it('are runs of letters and digits, and marks one by one', async () => {
    const tokenizer = await train('words', { lowercase: true }, ["Don't stop, 3rd-rate Übung!日本 नमस्ते"])
    const { ids } = tokenizer.encode("Don't stop, 3rd-rate Übung!日本 नमस्ते")
    const wanted = ['don', "'", 't', 'stop', ',', '3rd', '-', 'rate', 'übung', '!', '日', '本', 'नमस्ते']
    expect(Array.from(ids, tokenizer.textOf)).toEqual(wanted)
    expect(tokenizer.decode(ids)).toBe(wanted.join(' '))
    expect(tokenizer.encode(tokenizer.decode(ids)).ids).toEqual(ids)
  })

  it('keep the most frequent, of equal ones the first, and know no others', async () => {
    const tokenizer = await train('words', { vocabulary: 7 }, ['d a b', 'b c a d'])
    expect([5, 6].map(tokenizer.textOf)).toEqual(['d', 'a'])
    expect([...tokenizer.encode('a b c d').ids]).toEqual([6, 1, 1, 5])
  })
})

describe('characters', () => {
  it('give a text of known ones back', async () => {
    const tokenizer = await train('characters')
    for (const text of texts) expect(tokenizer.decode(tokenizer.encode(text).ids)).toBe(text)
    expect([...tokenizer.encode('a👍').ends]).toEqual([1, 3])
  })
})

describe('training', () => {
  it('reads no more than the sample', async () => {
    let read = 0
    async function* endless() {
      for (;;) {
        read += 1
        yield 'word '.repeat(2 ** 17)
      }
    }
    const tokenizer = await trainTokenizer({ kind: 'words', vocabulary: 10, lowercase: true }, endless())
    expect(tokenizer.size).toBe(6)
    expect(read).toBe(7)
  })
})

const saved = { version: 1, kind: 'words', lowercase: true, tokens: ['a', 'b'] }
it.each([
  ['{', 'tokenizer: not JSON'],
  ['[]', 'tokenizer: [], expected an object'],
  [JSON.stringify({ ...saved, kind: 'word' }), "tokenizer.kind: 'word', expected"],
  [JSON.stringify({ ...saved, version: 2 }), 'tokenizer.version: 2, expected one of 1'],
  [JSON.stringify({ ...saved, tokens: ['a', 'a'] }), 'tokenizer.tokens: lists a token twice'],
  [JSON.stringify({ ...saved, tokens: ['a', ''] }), 'tokenizer.tokens.1'],
  [JSON.stringify({ ...saved, merges: [] }), "tokenizer: unknown option 'merges'"],
  [
    JSON.stringify({ version: 1, kind: 'bytePairs', lowercase: true, merges: [[261, 5]] }),
    'tokenizer.merges.0: 261, 5: not tokens so far',
  ],
])('refuses to read %s', (json, message) => {
  expect(() => readTokenizer(json)).toThrow(message)
  expect(() => readTokenizer(json)).toThrow(expect.objectContaining({ code: 'data' }))
})
