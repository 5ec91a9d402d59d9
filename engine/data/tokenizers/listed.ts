import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { countPieces } from './sample.ts'
import { type Encoded, SPECIAL, SPECIAL_TEXTS, type Tokenizer, type TokenizerOptions } from './types.ts'

/** How a text is cut into pieces, and what stands between them when they are put together again. */
const cuts = {
  characters: { pattern: /./gsu, between: '' },
  // Runs of letters, marks and digits; ideographs, punctuation marks and other signs one by one; no white space.
  words: { pattern: /\p{Ideographic}|[[\p{L}\p{M}\p{N}]--\p{Ideographic}]+|\S/gv, between: ' ' },
}

/** A tokenizer that knows a list of characters or words, as it is saved; special tokens are not in the list. */
export const listedSchema = z.strictObject({
  version: z.literal(1),
  kind: z.enum(['characters', 'words']),
  lowercase: z.boolean(),
  tokens: z.array(z.string().min(1)),
})

export type Listed = z.output<typeof listedSchema>

/** Lists the most frequent characters or words of the sample; of equal ones the first. */
export async function learnList(
  { kind, vocabulary, lowercase }: TokenizerOptions & { kind: Listed['kind'] },
  texts: AsyncIterable<string> | Iterable<string>,
): Promise<Listed> {
  const counts = await countPieces(texts, cuts[kind].pattern, (piece) => (lowercase ? piece.toLowerCase() : piece))
  const byCount = [...counts].sort(([, a], [, b]) => b - a)
  const tokens = byCount.slice(0, vocabulary - SPECIAL_TEXTS.length).map(([piece]) => piece)
  return { version: 1, kind, lowercase, tokens }
}

/** Characters or words of a list; all others are one token, `[UNK]`. Throws MixlabError `data` for one listed twice. */
export function listTokenizer(saved: Listed): Tokenizer {
  const { kind, lowercase, tokens } = saved
  const { pattern, between } = cuts[kind]
  const texts = [...SPECIAL_TEXTS, ...tokens]
  const idOf = new Map(tokens.map((token, i) => [token, SPECIAL_TEXTS.length + i]))
  if (idOf.size < tokens.length) throw new MixlabError('data', 'tokenizer.tokens', 'lists a token twice')

  function encode(text: string): Encoded {
    const ids: number[] = []
    const starts: number[] = []
    const ends: number[] = []
    for (const { 0: piece, index } of text.matchAll(pattern)) {
      ids.push(idOf.get(lowercase ? piece.toLowerCase() : piece) ?? SPECIAL.unknown)
      starts.push(index)
      ends.push(index + piece.length)
    }
    return { ids: Int32Array.from(ids), starts: Int32Array.from(starts), ends: Int32Array.from(ends) }
  }

  function textOf(id: number): string {
    const text = texts[id]
    if (text === undefined) throw new MixlabError('option', 'token', `${id}, expected 0 to ${texts.length - 1}`)
    return text
  }

  return {
    size: texts.length,
    encode,
    decode: (ids) => Array.from(ids, textOf).join(between),
    textOf,
    save: () => JSON.stringify(saved),
  }
}
