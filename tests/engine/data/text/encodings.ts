import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** A text as UTF-16 in little endian with a byte order mark, as Windows writes "Unicode". */
export function utf16(text: string): Uint8Array {
  const units = Array.from(`\ufeff${text}`, (_, i) => `\ufeff${text}`.charCodeAt(i))
  return Uint8Array.from(units.flatMap((unit) => [unit & 255, unit >> 8]))
}

/** A text in UTF-8 with a byte in it that is none, as Latin-1 has for `é`. */
export function broken(before: string, after: string): Uint8Array {
  return concatBytes(utf8ToBytes(before), Uint8Array.of(0xe9), utf8ToBytes(after))
}
