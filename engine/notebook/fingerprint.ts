import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** SHA-256, in hex, of the tokens of a cell and the fingerprints of the cells it depends on, in any order. */
export function fingerprintOf(tokens: string[], dependencies: string[]): string {
  return bytesToHex(sha256(new TextEncoder().encode(JSON.stringify([tokens, dependencies.toSorted()]))))
}
