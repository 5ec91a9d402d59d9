/** Ids that mean the same in every vocabulary. */
export const SPECIAL = { pad: 0, unknown: 1, first: 2, separator: 3, mask: 4 } as const
/** As text, by id. */
export const SPECIAL_TEXTS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'] as const

/** A text as tokens; token `i` is characters `starts[i]` to `ends[i]` (not included) of it. */
export interface Encoded {
  ids: Int32Array
  starts: Int32Array
  ends: Int32Array
}

/** Cuts text into tokens of a vocabulary. */
export interface Tokenizer {
  /** Size of the vocabulary, special tokens included. */
  size: number
  encode(text: string): Encoded
  /**
   * The text of tokens, from which `encode` makes the same tokens as far as the kind of tokenizer allows; special
   * tokens by their names.
   */
  decode(ids: ArrayLike<number>): string
  /** The text of one token. */
  textOf(id: number): string
  /** JSON from which `readTokenizer` makes it again. */
  save(): string
}

/** What a user may say about the tokenizer of a task. */
export interface TokenizerOptions {
  kind: 'characters' | 'words' | 'bytePairs'
  /** Most tokens of the vocabulary, special tokens included. */
  vocabulary: number
  lowercase: boolean
}
