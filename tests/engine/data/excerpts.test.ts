import { describe, expect, it } from 'vitest'
import { excerpts } from '../../../engine/data/excerpts.ts'
import { trainTokenizer } from '../../../engine/data/tokenizers/index.ts'
import type { TextSource } from '../../../engine/data/types.ts'

const words = Array.from({ length: 500 }, (_, i) => `w${i}`).join(' ')

/** A text of characters of one byte; notes how far it is read. */
function source(text: string): TextSource & { reads: [number, number][] } {
  const reads: [number, number][] = []
  return {
    bytes: text.length,
    reads,
    read: async (from, to) => {
      reads.push([from, to])
      return text.slice(from, to)
    },
  }
}

const tokenizer = await trainTokenizer({ kind: 'words', vocabulary: 1000, lowercase: true }, [words])
const characters = await trainTokenizer({ kind: 'characters', vocabulary: 100, lowercase: true }, [words])

describe('excerpts', () => {
  it('cover the text in order, whole words, as many as asked', async () => {
    const { size, read } = excerpts(source(words), tokenizer, 20, 100)
    expect(size).toBe(Math.floor(words.length / 100))
    const all = await read(Array.from({ length: size }, (_, i) => i))
    const numbers = all.map((ids) => Array.from(ids, (id) => Number(tokenizer.textOf(id).slice(1))))
    expect(numbers[0]?.[0]).toBe(0)
    for (const [i, own] of numbers.entries()) {
      if (i < size - 1) expect(own).toHaveLength(20)
      expect(own).toEqual(own.map((_, j) => (own[0] as number) + j)) // no word is cut in two or left out
      if (i > 0) expect(own[0]).toBe(words.slice(0, words.indexOf(' ', i * 100)).split(' ').length)
    }
  })

  it('are the same in any order', async () => {
    const { read } = excerpts(source(words), tokenizer, 20, 100)
    expect(await read([3, 1])).toEqual([...(await read([1, 3]))].reverse())
  })

  it('read on where words are longer than thought, but not without end', async () => {
    const long = source(`${'x'.repeat(300)} ${words}`)
    const [ids] = await excerpts(long, tokenizer, 20, 100).read([1])
    expect(ids).toHaveLength(20)
    const blank = source(`w1${' '.repeat(100_000)}w2`)
    expect(await excerpts(blank, tokenizer, 20, 100).read([1])).toEqual([new Int32Array()])
    expect(Math.max(...blank.reads.map(([from, to]) => to - from))).toBe(64 * 100)
  })

  it('do without white space', async () => {
    const [ids] = await excerpts(source('w123'.repeat(100)), characters, 20, 20).read([2])
    expect(characters.decode(ids as Int32Array)).toBe('w123w123w123w123w123')
  })

  it('of a short text are one', async () => {
    const { size, read } = excerpts(source('w1 w2'), tokenizer, 20, 100)
    expect(size).toBe(1)
    expect((await read([0]))[0]).toHaveLength(2)
  })
})
