import { concatBytes } from '@noble/hashes/utils.js'
import { MixlabError } from '../../errors.ts'
import type { FileSource } from '../files.ts'
import { readPart, type TextFile } from './files.ts'
import { decodeText } from './utf8.ts'

/** A line of a file, without its line break. */
export interface TextLine {
  text: string
  /** From 1. */
  number: number
  /** Its first byte in the file. */
  offset: number
  /** The first byte of the next line. */
  end: number
}

const BLOCK = 2 ** 20
/** Bytes of a line beyond which this is no file of lines. */
const MAX_LINE_BYTES = 16 * 2 ** 20

/**
 * The lines of a file, those of about a megabyte at a time; `seen` gets all bytes in their order. LF and CRLF end a line.
 * Throws MixlabError `data` with line and offset for what is not UTF-8 and for a line of more than 16 MB.
 */
export async function* readLines(
  { path, size }: TextFile,
  files: FileSource,
  seen: (bytes: Uint8Array) => void,
): AsyncGenerator<TextLine[], void, void> {
  let rest: Uint8Array = new Uint8Array()
  let number = 1
  for (let from = 0; from < size; from += BLOCK) {
    const to = Math.min(size, from + BLOCK)
    const block = await readPart(path, from, to, files)
    seen(block)
    const bytes = concatBytes(rest, block)
    const base = from - rest.length
    const lines = [...splitLines(bytes, base, number, to === size, path)]
    yield lines
    number += lines.length
    rest = bytes.subarray((lines.at(-1)?.end ?? base) - base)
    if (rest.length > MAX_LINE_BYTES) {
      const place = placeOf({ number, offset: to - rest.length })
      throw new MixlabError('data', path, `${place}: no line break in ${MAX_LINE_BYTES / 2 ** 20} MB`)
    }
  }
}

/** Where a line is, for errors. */
export function placeOf({ number, offset }: Pick<TextLine, 'number' | 'offset'>): string {
  return `line ${number}, offset ${offset}`
}

/** The text of the line that `bytes` begin with. */
export function firstLine(bytes: Uint8Array, path: string, place: (offset: number) => string): string {
  const end = bytes.indexOf(10)
  return decodeText(end === -1 ? bytes : bytes.subarray(0, end), path, place).replace(/\r$/, '')
}

/** The lines that end in `bytes`, which start at `base` of the file with line `number`. */
function* splitLines(
  bytes: Uint8Array,
  base: number,
  number: number,
  isLast: boolean,
  path: string,
): Generator<TextLine, void, void> {
  for (let start = 0; start < bytes.length; number++) {
    const newline = bytes.indexOf(10, start)
    if (newline === -1 && !isLast) return
    const end = newline === -1 ? bytes.length : newline + 1
    const offset = base + start
    const text = firstLine(bytes.subarray(start, end), path, (at) => placeOf({ number, offset: offset + at }))
    yield { text, number, offset, end: base + end }
    start = end
  }
}
