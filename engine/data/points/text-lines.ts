import { MixlabError } from '../../errors.ts'

/** Walks through the lines of a text file. */
export interface TextLines {
  /** The words of the next line that has any, a comment after `#` left out; null at the end of the file. */
  next(): string[] | null
  /** The number that a word stands for. Throws for one that is not finite. */
  number(word: string | undefined, what: string): number
  /** An error that names the file and the line last read. */
  fail(message: string): MixlabError
}

export function textLines(bytes: Uint8Array, path: string): TextLines {
  const text = new TextDecoder().decode(bytes)
  let at = 0
  let line = 0
  const fail = (message: string) => new MixlabError('data', path, `line ${line}: ${message}`)
  return {
    next() {
      while (at < text.length) {
        const found = text.indexOf('\n', at)
        const end = found === -1 ? text.length : found
        const content = (text.slice(at, end).split('#', 1)[0] as string).trim()
        at = end + 1
        line += 1
        if (content) return content.split(/\s+/)
      }
      return null
    },
    number(word, what) {
      const value = Number(word)
      if (word !== undefined && Number.isFinite(value)) return value
      throw fail(`${word === undefined ? 'too short' : `'${word.slice(0, 40)}'`}, expected ${what}`)
    },
    fail,
  }
}
