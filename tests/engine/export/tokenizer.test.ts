import { Tokenizer } from '@huggingface/tokenizers'
import { expect, it } from 'vitest'
import { readTokenizer, trainTokenizer } from '../../../engine/data/tokenizers/index.ts'
import { SPECIAL } from '../../../engine/data/tokenizers/types.ts'
import { tokenizerFile } from '../../../engine/export/tokenizer.ts'
import { sentences } from './sentences.ts'

const WORDS = ['the', 'film', 'was', 'good', 'and', 'Bad', 'there', 'them']
const texts = sentences(1000, WORDS)

const KINDS = [
  ['words', 30, true],
  ['words', 30, false],
  ['characters', 40, true],
  ['characters', 40, false],
  ['bytePairs', 300, true],
  ['bytePairs', 300, false],
] as const

it.each(KINDS)(
  'a tokenizer of %s, vocabulary %i, lowercase %s, gives the same ids elsewhere',
  async (kind, vocabulary, lowercase) => {
    const own = await trainTokenizer({ kind, vocabulary, lowercase }, [sentences(200, WORDS).join(' ')])
    const file = tokenizerFile(own.save(), 64)
    const other = new Tokenizer(JSON.parse(file ?? ''), {})
    for (const text of texts) {
      const ids = Array.from(own.encode(text).ids)
      expect(other.encode(text).ids, text).toEqual([SPECIAL.first, ...ids, SPECIAL.separator])
    }
  },
)

it('puts two texts between special tokens, the second as another segment', async () => {
  const own = await trainTokenizer({ kind: 'words', vocabulary: 20, lowercase: true }, [WORDS.join(' ')])
  const other = new Tokenizer(JSON.parse(tokenizerFile(own.save(), 64) ?? ''), {})
  const { ids, token_type_ids } = other.encode('the film', { text_pair: 'was good', return_token_type_ids: true })
  const [a, b] = ['the film', 'was good'].map((text) => Array.from(own.encode(text).ids)) as [number[], number[]]
  expect(ids).toEqual([SPECIAL.first, ...a, SPECIAL.separator, ...b, SPECIAL.separator])
  expect(token_type_ids).toEqual([0, 0, 0, 0, 1, 1, 1])
})

it('is not written for byte pairs of which two have the same text', () => {
  const [a, b, c] = [102, 103, 104]
  const merges = [
    [a, b],
    [b, c],
    [261, c],
    [a, 262],
  ]
  const saved = JSON.stringify({ version: 1, kind: 'bytePairs', lowercase: false, merges })
  expect(readTokenizer(saved).size).toBe(265)
  expect(tokenizerFile(saved, 8)).toBeNull()
})
