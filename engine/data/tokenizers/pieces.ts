import { SPECIAL_TEXTS } from './types.ts'

const encoder = new TextEncoder()

/** The id of byte 0; those of the other bytes follow. */
export const FIRST_BYTE = SPECIAL_TEXTS.length
/** The id of the first token of more than a byte. */
export const FIRST_MERGE = FIRST_BYTE + 256

/**
 * Pieces that merges stay within: a word with the space before it, digits, signs, white space (Radford et al. 2019, with
 * marks among the letters). Together they are the text. A piece is bounded, and so is the work for it.
 */
export const PIECES =
  /'(?:[sdmt]|ll|ve|re)| ?[\p{L}\p{M}]{1,64}| ?\p{N}{1,64}| ?[^\s\p{L}\p{M}\p{N}]{1,64}|\s{1,64}(?!\S)|\s/gu

/** The bytes of a piece, and for each the characters of the piece that it belongs to. */
export interface PieceBytes {
  bytes: number[]
  starts: number[]
  ends: number[]
}

/** A piece as UTF-8. Lowercase is taken character by character, so that it keeps the places. */
export function bytesOf(piece: string, lowercase: boolean): PieceBytes {
  const found: PieceBytes = { bytes: [], starts: [], ends: [] }
  let at = 0
  for (const character of piece) {
    const text = lowercase ? character.toLowerCase() : character
    const code = text.charCodeAt(0)
    for (const byte of code < 128 && text.length === 1 ? [code] : encoder.encode(text)) {
      found.bytes.push(byte)
      found.starts.push(at)
      found.ends.push(at + character.length)
    }
    at += character.length
  }
  return found
}
