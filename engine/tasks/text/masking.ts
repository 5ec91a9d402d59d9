import { SPECIAL } from '../../data/tokenizers/types.ts'
import { integer, type Key, permutation, uniform } from '../../random.ts'

export interface MaskOptions {
  /** The share of the tokens, special ones included, that the model predicts. */
  share: number
  /** Tokens that a random one is drawn from. */
  vocabulary: number
}

/** Tokens as the model sees them, and the targets that it predicts. */
export interface Masked {
  ids: Int32Array
  /** Positions of the predicted tokens, in order. */
  positions: Uint32Array
  /** The original tokens there. */
  targets: Int32Array
}

/** How many of `tokens` tokens, special ones included, the model predicts. */
export function maskedCount(tokens: number, share: number): number {
  return Math.max(1, Math.round(share * tokens))
}

/**
 * Hides some of a text's tokens, whose first and last are special, as BERT does (Devlin et al. 2019, appendix A.1): of
 * the predicted ones 80% are replaced by [MASK], 10% by any of the vocabulary, and 10% stay. All is drawn by `key`.
 */
export function maskTokens(ids: Int32Array, { share, vocabulary }: MaskOptions, key: Key): Masked {
  const candidates = ids.length - 2
  const positions = permutation(key, candidates)
    .slice(0, maskedCount(ids.length, share))
    .sort()
    .map((at) => at + 1)
  const masked = ids.slice()
  for (const [i, at] of positions.entries()) {
    const counter = ids.length + 2 * i // those before it drew the places
    const draw = uniform(key, counter)
    if (draw < 0.8) masked[at] = SPECIAL.mask
    else if (draw < 0.9) masked[at] = integer(key, counter + 1, vocabulary)
  }
  return { ids: masked, positions, targets: Int32Array.from(positions, (at) => ids[at] as number) }
}
