import type { FileSource } from '../files.ts'
import type { TextSource } from '../types.ts'
import { readPart, type TextFile } from './files.ts'
import { decodeText, withoutCutEnd, withoutCutStart } from './utf8.ts'

/** The bytes `from` to `to` (not included) of a file. */
export interface TextPart extends TextFile {
  from: number
  to: number
}

/** Bytes of one part; they start at `offset` of its file. */
export interface TextPiece {
  part: TextPart
  offset: number
  bytes: Uint8Array
}

/**
 * Parts of files, one after the other, as running text with a line break wherever another file begins. Nothing is kept
 * in memory. CRLF is read as LF. Reading throws MixlabError `data` with file and offset for what is not UTF-8.
 */
export function sourceOf(parts: readonly TextPart[], files: FileSource): TextSource {
  return {
    bytes: bytesOfParts(parts),
    read: async (from, to) => {
      const texts: string[] = []
      for await (const piece of textPieces(parts, from, to, files)) texts.push(textOfPiece(piece))
      return texts.join('\n')
    },
  }
}

/** The bytes `from` to `to` (not included) of `parts` laid end to end. */
export async function* textPieces(
  parts: readonly TextPart[],
  from: number,
  to: number,
  files: FileSource,
): AsyncGenerator<TextPiece, void, void> {
  let start = 0
  for (const part of parts) {
    if (start >= to) return
    const length = bytesOfPart(part)
    const first = part.from + Math.max(0, from - start)
    const last = part.from + Math.min(length, to - start)
    if (first < last) yield { part, offset: first, bytes: await readPart(part.path, first, last, files) }
    start += length
  }
}

/** A piece as text, without what was cut at either end. */
export function textOfPiece({ part, offset, bytes }: TextPiece): string {
  const isEnd = offset + bytes.length === part.size
  const started = offset === 0 ? bytes : withoutCutStart(bytes)
  const start = offset + bytes.length - started.length
  const text = decodeText(isEnd ? started : withoutCutEnd(started), part.path, (at) => `offset ${start + at}`)
  return (isEnd ? text : text.replace(/\r$/, '')).replaceAll('\r\n', '\n')
}

/** Cuts what `parts` are end to end at the byte `at`. */
export function cutParts(parts: readonly TextPart[], at: number): [TextPart[], TextPart[]] {
  const before: TextPart[] = []
  const after: TextPart[] = []
  let left = at
  for (const part of parts) {
    const middle = Math.min(part.to, part.from + Math.max(0, left))
    if (part.from < middle) before.push({ ...part, to: middle })
    if (middle < part.to) after.push({ ...part, from: middle })
    left -= bytesOfPart(part)
  }
  return [before, after]
}

/** Bytes of all parts. */
export function bytesOfParts(parts: readonly TextPart[]): number {
  return parts.reduce((sum, part) => sum + bytesOfPart(part), 0)
}

/** Bytes of a part. */
export function bytesOfPart({ from, to }: TextPart): number {
  return to - from
}
