import type { Tokenizer } from './tokenizers/types.ts'
import type { Split, TextSource } from './types.ts'

/** How far the text is read for one excerpt at most, in strides: what is hardly more than white space ends there. */
const MAX_STRIDES = 64

/**
 * Running text as excerpts of at most `tokens` tokens, read where they are, without an index: number i begins at the first
 * white space from byte i * stride on. With a stride of about so many tokens they cover the text once.
 */
export function excerpts(
  source: TextSource,
  tokenizer: Tokenizer,
  tokens: number,
  stride: number,
): Split<Int32Array[]> {
  async function excerpt(i: number): Promise<Int32Array> {
    const from = i * stride
    for (let length = 2 * stride; ; length *= 2) {
      const to = Math.min(from + length, source.bytes)
      const text = await source.read(from, to)
      const start = i === 0 ? 0 : Math.max(0, text.search(/\s/))
      // What follows the last white space may be the beginning of a word; some scripts have no white space.
      const last = to < source.bytes ? text.search(/\s\S*$/) : -1
      const { ids } = tokenizer.encode(text.slice(start, last > start ? last : undefined))
      if (ids.length >= tokens || to === source.bytes || length >= MAX_STRIDES * stride) return ids.slice(0, tokens)
    }
  }
  return {
    size: Math.max(1, Math.floor(source.bytes / stride)),
    read: (indices) => Promise.all(Array.from(indices, excerpt)),
  }
}
