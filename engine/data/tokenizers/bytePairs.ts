import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { learnMerges, pairOf } from './learnMerges.ts'
import { bytesOf, FIRST_BYTE, FIRST_MERGE, PIECES } from './pieces.ts'
import { countPieces } from './sample.ts'
import { type Encoded, SPECIAL_TEXTS, type Tokenizer, type TokenizerOptions } from './types.ts'

/** Pieces of text whose tokens are remembered, at most. */
const MAX_KNOWN = 65_536

/** A byte-pair tokenizer as it is saved: the two tokens that are joined to the token 261, to 262, and so on. */
export const bytePairsSchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal('bytePairs'),
  lowercase: z.boolean(),
  merges: z.array(z.tuple([z.int().min(FIRST_BYTE), z.int().min(FIRST_BYTE)])).max(65_536 - FIRST_MERGE),
})

export type BytePairs = z.output<typeof bytePairsSchema>

/** Learns merges of bytes from the sample. */
export async function learnBytePairs(
  { vocabulary, lowercase }: Omit<TokenizerOptions, 'kind'>,
  texts: AsyncIterable<string> | Iterable<string>,
): Promise<BytePairs> {
  const counts = await countPieces(texts, PIECES, (piece) => piece)
  const pieces = [...counts].map(([piece, count]) => {
    return { tokens: bytesOf(piece, lowercase).bytes.map((byte) => FIRST_BYTE + byte), count }
  })
  const merges = learnMerges(pieces, FIRST_MERGE, vocabulary - FIRST_MERGE)
  return { version: 1, kind: 'bytePairs', lowercase, merges }
}

/**
 * Byte-level byte pairs: no text is unknown, and decoding gives the text back. A token begins after the space in front
 * of its word. One that is part of a character has the whole character as its place. Throws MixlabError `data` for a
 * merge of tokens that come later.
 */
export function bytePairTokenizer(saved: BytePairs): Tokenizer {
  const { lowercase, merges } = saved
  const bytes = Array.from({ length: FIRST_MERGE }, (_, id) => (id < FIRST_BYTE ? [] : [id - FIRST_BYTE]))
  const joinedBy = new Map<number, number>()
  for (const [i, [left, right]] of merges.entries()) {
    const [head, tail] = [bytes[left], bytes[right]]
    if (!head || !tail) throw new MixlabError('data', `tokenizer.merges.${i}`, `${left}, ${right}: not tokens so far`)
    joinedBy.set(pairOf(left, right), bytes.length)
    bytes.push([...head, ...tail])
  }

  /** Of the pairs in `tokens` that which was learned first is joined first, of equal ones the left one. */
  function mergeAll(tokens: number[]): number[] {
    const joinedAt = (i: number) =>
      (i + 1 < tokens.length && joinedBy.get(pairOf(tokens[i] as number, tokens[i + 1] as number))) || 65_536
    const joined = tokens.map((_, i) => joinedAt(i)) // what each makes with the next one
    for (;;) {
      let at = 0
      for (let i = 1; i < joined.length; i++) if ((joined[i] as number) < (joined[at] as number)) at = i
      const first = joined[at] ?? 65_536
      if (first === 65_536) return tokens
      tokens.splice(at, 2, first)
      joined.splice(at, 1)
      joined[at] = joinedAt(at)
      if (at > 0) joined[at - 1] = joinedAt(at - 1)
    }
  }

  function encodePiece(piece: string): Encoded {
    const { bytes: own, starts, ends } = bytesOf(piece, lowercase)
    const ids = Int32Array.from(mergeAll(own.map((byte) => FIRST_BYTE + byte)))
    const encoded = { ids, starts: new Int32Array(ids.length), ends: new Int32Array(ids.length) }
    let from = 0
    for (const [i, id] of ids.entries()) {
      const to = from + (bytes[id]?.length ?? 0)
      const spaced = from === 0 && to > 1 && /^ \S/.test(piece)
      encoded.starts[i] = spaced ? 1 : (starts[from] as number)
      encoded.ends[i] = ends[to - 1] as number
      from = to
    }
    return encoded
  }

  const known = new Map<string, Encoded>()
  function encodeKnown(piece: string): Encoded {
    const found = known.get(piece)
    if (found) return found
    const encoded = encodePiece(piece)
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(piece, encoded)
    return encoded
  }

  function encode(text: string): Encoded {
    const ids: number[] = []
    const starts: number[] = []
    const ends: number[] = []
    for (const { 0: piece, index } of text.matchAll(PIECES)) {
      const encoded = encodeKnown(piece)
      for (let i = 0; i < encoded.ids.length; i++) {
        ids.push(encoded.ids[i] as number)
        starts.push(index + (encoded.starts[i] as number))
        ends.push(index + (encoded.ends[i] as number))
      }
    }
    return { ids: Int32Array.from(ids), starts: Int32Array.from(starts), ends: Int32Array.from(ends) }
  }

  function decode(ids: ArrayLike<number>): string {
    const parts: string[] = []
    let pending: number[] = [] // characters may be spread over tokens
    const flush = () => {
      parts.push(new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(pending)))
      pending = []
    }
    for (const id of Array.from(ids)) {
      const own = bytes[id]
      if (!own) throw new MixlabError('option', 'token', `${id}, expected 0 to ${bytes.length - 1}`)
      if (id < FIRST_BYTE) {
        flush()
        parts.push(SPECIAL_TEXTS[id] as string)
      } else for (const byte of own) pending.push(byte)
    }
    flush()
    return parts.join('')
  }

  return { size: bytes.length, encode, decode, textOf: (id) => decode([id]), save: () => JSON.stringify(saved) }
}
