import type { Encoded, Tokenizer } from '../data/tokenizers/types.ts'
import { SPECIAL } from '../data/tokenizers/types.ts'
import type { AnswerSpan } from '../data/types.ts'
import type { PartOf, Token } from './schema.ts'

/** Tokens of one text that are shown. */
const MAX_TOKENS = 256

/** A text as the tokenizer cuts it; tokens of an answer are marked. */
export function textTokens(text: string, tokenizer: Tokenizer, answers: readonly AnswerSpan[] = []): PartOf<'tokens'> {
  const encoded = tokenizer.encode(text)
  const tokens = Array.from(encoded.ids.subarray(0, MAX_TOKENS), (id, i): Token => {
    const [start, end] = [encoded.starts[i] as number, encoded.ends[i] as number]
    const inAnswer = answers.some((answer) => start < answer.end && end > answer.start)
    const is = inAnswer ? 'answer' : id === SPECIAL.unknown ? 'unknown' : undefined
    return { text: pieceOf(text, encoded, i), id, ...(is && { is }) }
  })
  return { type: 'tokens', tokens, left: Math.max(0, encoded.ids.length - MAX_TOKENS) }
}

const pieceOf = (text: string, { starts, ends }: Encoded, i: number) => text.slice(starts[i], ends[i])

/** One example of a batch of texts: rows of its tensors. */
export interface TokenRow {
  ids: ArrayLike<number>
  /** 0 at padding. */
  mask?: ArrayLike<number> | undefined
  /** Segments: 1 for the second text. */
  types?: ArrayLike<number> | undefined
  /** The places that are asked for, and what stood there. */
  places?: ArrayLike<number> | undefined
  targets?: ArrayLike<number> | undefined
  /** The places of the first and the last token of an answer. */
  answer?: readonly [number, number] | undefined
}

/** The same as a model gets it: special tokens, padding, what is masked and what is asked for are marked. */
export function rowTokens(row: TokenRow, tokenizer: Pick<Tokenizer, 'textOf'>): PartOf<'tokens'> {
  const asked = new Map(Array.from(row.places ?? [], (place, i) => [place, row.targets?.[i] ?? 0] as const))
  const isAnswer = (at: number) => row.answer && row.answer[1] > 0 && at >= row.answer[0] && at <= row.answer[1]
  const ids = Array.from(row.ids)
  const tokens = ids.slice(0, MAX_TOKENS).map((id, at): Token => {
    const target = asked.get(at)
    const ended = row.mask ? row.mask[at] === 0 : id === SPECIAL.pad
    const is = ended ? 'padding' : target !== undefined ? changeOf(id, target) : isAnswer(at) ? 'answer' : plainOf(id)
    return {
      text: tokenizer.textOf(id),
      id,
      ...(is && { is }),
      ...(target !== undefined && !ended && { was: tokenizer.textOf(target) }),
      ...(row.types?.[at] === 1 && { second: true as const }),
    }
  })
  return { type: 'tokens', tokens, left: Math.max(0, ids.length - MAX_TOKENS) }
}

function changeOf(id: number, target: number): Token['is'] {
  if (id === SPECIAL.mask) return 'masked'
  return id === target ? 'kept' : 'replaced'
}

function plainOf(id: number): Token['is'] {
  if (id === SPECIAL.unknown) return 'unknown'
  return id < Object.keys(SPECIAL).length ? 'special' : undefined
}
