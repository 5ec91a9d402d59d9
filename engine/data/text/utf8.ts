import { MixlabError } from '../../errors.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * UTF-8 as text, without a byte order mark at the start. Throws MixlabError `data` with `path`, the name of the file, for
 * what is no text: bytes that are not UTF-8, and NUL. `place` says where an offset of `bytes` is in the file.
 */
export function decodeText(bytes: Uint8Array, path: string, place: (offset: number) => string): string {
  const nul = bytes.indexOf(0)
  const text = nul === -1 ? decode(bytes) : null
  if (text !== null) return text
  const invalid = firstInvalid(nul === -1 ? bytes : bytes.subarray(0, nul))
  if (invalid === -1) throw new MixlabError('data', path, `${place(nul)}: NUL byte, expected text`)
  throw new MixlabError('data', path, `${place(invalid)}: byte 0x${hex(bytes[invalid])}, expected UTF-8${guess(bytes)}`)
}

/** The bytes without the rest of a character that began before them. */
export function withoutCutStart(bytes: Uint8Array): Uint8Array {
  let start = 0
  while (start < Math.min(3, bytes.length) && isContinuation(bytes[start])) start++
  return bytes.subarray(start)
}

/** The bytes without the beginning of a character that goes on after them. */
export function withoutCutEnd(bytes: Uint8Array): Uint8Array {
  let lead = bytes.length - 1
  while (lead > bytes.length - 4 && lead > 0 && isContinuation(bytes[lead])) lead--
  const isCut = lead >= 0 && lead + lengthFrom(bytes[lead]) > bytes.length
  return isCut ? bytes.subarray(0, lead) : bytes
}

function decode(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** Offset of the first character that is not valid, or -1. */
function firstInvalid(bytes: Uint8Array): number {
  for (let i = 0; i < bytes.length; ) {
    const length = lengthFrom(bytes[i])
    const isValid = length === 1 ? (bytes[i] ?? 0) < 0x80 : decode(bytes.subarray(i, i + length)) !== null
    if (!isValid) return i
    i += length
  }
  return -1
}

/** Bytes of the character that begins with `lead`; 1 for a byte that cannot begin one. */
function lengthFrom(lead = 0): number {
  return lead >= 0xf8 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
}

function isContinuation(byte = 0): boolean {
  return byte >= 0x80 && byte < 0xc0
}

/** What it may be instead, by its first bytes. */
function guess([first, second]: Uint8Array): string {
  if (first === 0x1f && second === 0x8b) return ' (gzip files are to be unpacked first)'
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return ' (this looks like UTF-16)'
  return ''
}

function hex(byte = 0): string {
  return byte.toString(16).padStart(2, '0')
}
