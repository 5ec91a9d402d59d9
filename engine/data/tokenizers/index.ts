import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { parseOptions } from '../../options.ts'
import { bytePairsSchema, bytePairTokenizer, learnBytePairs } from './bytePairs.ts'
import { learnList, listedSchema, listTokenizer } from './listed.ts'
import type { Tokenizer, TokenizerOptions } from './types.ts'

const savedSchema = z.discriminatedUnion('kind', [listedSchema, bytePairsSchema])

/** A tokenizer as `save` writes it. */
export type Saved = z.output<typeof savedSchema>

/**
 * Learns a vocabulary from the first 4 Mi characters of the texts (see sample.ts); what follows is not read. The same
 * texts and options give the same tokenizer.
 */
export async function trainTokenizer(
  options: TokenizerOptions,
  texts: AsyncIterable<string> | Iterable<string>,
): Promise<Tokenizer> {
  const { kind } = options
  if (kind === 'bytePairs') return bytePairTokenizer(await learnBytePairs(options, texts))
  return listTokenizer(await learnList({ ...options, kind }, texts))
}

/** The tokenizer that `save` wrote. Throws MixlabError `data` for what is none. */
export function readTokenizer(json: string): Tokenizer {
  const saved = savedTokenizer(json)
  return saved.kind === 'bytePairs' ? bytePairTokenizer(saved) : listTokenizer(saved)
}

/** What `save` wrote, as data; throws as `readTokenizer`. */
export function savedTokenizer(json: string): Saved {
  try {
    return parseOptions(savedSchema, JSON.parse(json), 'tokenizer')
  } catch (error) {
    throw new MixlabError('data', '', error instanceof MixlabError ? error.message : 'tokenizer: not JSON')
  }
}
