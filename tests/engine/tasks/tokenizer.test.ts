import { describe, expect, it, vi } from 'vitest'
import { readTokenizer } from '../../../engine/data/tokenizers/index.ts'
import type { TextSource } from '../../../engine/data/types.ts'
import { bytesPerToken, openTokenizer, resolveTokenizer, textsOf } from '../../../engine/tasks/tokenizer.ts'
import { noFiles as none } from '../data/memory-files.ts'

vi.mock('../../../engine/data/text/index.ts', async (original) => ({
  ...(await original<object>()),
  ...(await import('./tiny-texts.ts')),
}))

async function* texts(...all: string[]) {
  yield* all
}

function source(text: string): TextSource {
  return { bytes: text.length, read: async (from, to) => text.slice(from, to) }
}

describe('resolveTokenizer', () => {
  it('fills in the defaults', () => {
    expect(resolveTokenizer(undefined)).toEqual({ kind: 'words', vocabulary: 1000, lowercase: true })
  })

  it.each([
    [{ kind: 'bpe' }, "task.tokenizer.kind: unknown value 'bpe' (known: characters, words, bytePairs)"],
    [{ kind: 'bytePair' }, "task.tokenizer.kind: unknown value 'bytePair' (did you mean 'bytePairs'?)"],
    [{ vocabulary: 5 }, 'task.tokenizer.vocabulary: 5, expected at least 6'],
    [{ vocabulary: 70_000 }, 'task.tokenizer.vocabulary: 70000, expected at most 65536'],
    [{ vocabulary: 99.5 }, 'task.tokenizer.vocabulary: 99.5, expected a whole number'],
    [{ kind: 'bytePairs', vocabulary: 260 }, 'task.tokenizer.vocabulary: 260, expected at least 261 for byte pairs'],
    [{ lowerCase: false }, "task.tokenizer: unknown option 'lowerCase' (did you mean 'lowercase'?)"],
    [{ corpus: 'talks' }, "task.data: unknown data set 'talks' (did you mean 'talk'?)"],
    ['words', "task.tokenizer: 'words', expected an object"],
  ])('refuses %j', (options, message) => {
    expect(() => resolveTokenizer(options)).toThrow(message)
  })
})

describe('openTokenizer', () => {
  it('learns from the texts, or from a corpus instead', async () => {
    const own = await openTokenizer(resolveTokenizer({}), () => texts('a zebra', 'a yak'), none)
    expect(Array.from(own.encode('a film, a yak').ids, own.textOf)).toEqual(['a', '[UNK]', '[UNK]', 'a', 'yak'])
    const other = await openTokenizer(resolveTokenizer({ corpus: 'talk' }), () => texts('a yak'), none)
    expect(Array.from(other.encode('the film, a yak').ids, other.textOf).slice(0, 3)).toEqual(['the', 'film', '[UNK]'])
    expect(readTokenizer(other.save()).save()).toBe(other.save())
  })
})

describe('bytesPerToken', () => {
  it('is the mean over the text', async () => {
    const words = await openTokenizer(resolveTokenizer({}), () => texts('one two'), none)
    expect(await bytesPerToken(source('one two three'), words)).toBeCloseTo(13 / 3)
  })

  it('refuses a text without words', async () => {
    const words = await openTokenizer(resolveTokenizer({}), () => texts('one two'), none)
    await expect(bytesPerToken(source(' \n '), words)).rejects.toThrow('task.data: no words in the training text')
  })
})

it('textsOf reads all of a text, part after part', async () => {
  const text = 'word '.repeat(120_000)
  const parts: string[] = []
  for await (const part of textsOf(source(text))) parts.push(part)
  expect(parts).toHaveLength(3)
  expect(parts.join('')).toBe(text)
})
