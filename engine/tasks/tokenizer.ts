import { z } from 'zod'
import type { FileSource } from '../data/files.ts'
import { corpora } from '../data/text/index.ts'
import { readTokenizer, trainTokenizer } from '../data/tokenizers/index.ts'
import { FIRST_MERGE } from '../data/tokenizers/pieces.ts'
import { SPECIAL_TEXTS, type Tokenizer, type TokenizerOptions } from '../data/tokenizers/types.ts'
import type { DataSpec, TextSource } from '../data/types.ts'
import { MixlabError } from '../errors.ts'
import { parseOptions } from '../options.ts'

/** Bytes that are read at a time, and by which the length of tokens is judged. */
const PIECE = 2 ** 18

/** What a user may say about the tokenizer of a task; what is left out has a default. */
export interface TaskTokenizer extends Partial<TokenizerOptions> {
  /** Running text of another task to learn the vocabulary from, in place of the training data. */
  corpus?: DataSpec | string
}

/** The options of a tokenizer, with their defaults. */
const tokenizerOptions = z
  .strictObject({
    kind: z.enum(['characters', 'words', 'bytePairs']).default('words'),
    vocabulary: z
      .int()
      .min(SPECIAL_TEXTS.length + 1)
      .max(65_536)
      .default(1000),
    lowercase: z.boolean().default(true),
  })
  .refine(({ kind, vocabulary }) => kind !== 'bytePairs' || vocabulary >= FIRST_MERGE, {
    path: ['vocabulary'],
    message: `at least ${FIRST_MERGE} for byte pairs`,
  })

const schema = tokenizerOptions.safeExtend({ corpus: z.unknown().optional() }) // checked by the table

/** Checks the options and fills in the defaults. Throws MixlabError `option` below `task.tokenizer`. */
export function resolveTokenizer(options: unknown): TokenizerOptions & { corpus?: DataSpec } {
  const { corpus, ...own } = parseOptions(schema, options ?? {}, 'task.tokenizer')
  return corpus === undefined ? own : { ...own, corpus: corpora.resolve(corpus as DataSpec | string) }
}

/**
 * A tokenizer that has learned from the training split of `corpus` or, without one, from `texts`; or else the one that was
 * `saved`.
 */
export async function openTokenizer(
  { corpus, ...options }: TokenizerOptions & { corpus?: DataSpec | string },
  texts: () => AsyncIterable<string>,
  files: FileSource,
  saved?: string,
): Promise<Tokenizer> {
  if (saved !== undefined) return readTokenizer(saved)
  return trainTokenizer(options, corpus ? textsOf((await corpora.open(corpus, files)).train) : texts())
}

/** Running text, part after part; a word may be cut at the end of a part. */
export async function* textsOf(source: TextSource): AsyncGenerator<string> {
  for (let from = 0; from < source.bytes; from += PIECE) {
    yield await source.read(from, Math.min(from + PIECE, source.bytes))
  }
}

/** Mean length of the tokens of a text in bytes, by its first part. Throws MixlabError `data` if that has no tokens. */
export async function bytesPerToken(source: TextSource, tokenizer: Tokenizer): Promise<number> {
  const bytes = Math.min(PIECE, source.bytes)
  const { ids } = tokenizer.encode(await source.read(0, bytes))
  if (ids.length === 0) throw new MixlabError('data', 'task.data', 'no words in the training text')
  return bytes / ids.length
}
