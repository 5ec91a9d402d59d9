import { loadEditors } from '../editor/load.ts'
import { kernelSettled } from './kernel/settled.ts'

/** Not every browser tells when it is idle. */
const whenIdle = (act: (value: unknown) => void) =>
  'requestIdleCallback' in globalThis ? requestIdleCallback(act) : setTimeout(act)

/** A piece of a line; `type` is the first word of its token type, '' for plain text. */
export interface Highlighted {
  text: string
  type: string
}

/** Characters whose tokens are found before anybody notices. */
const LONG = 10_000

/** The lines of a text in pieces, once the page has nothing better to do. */
export async function highlight(text: string, language: string): Promise<Highlighted[][]> {
  await new Promise<unknown>((resolve) => whenIdle(resolve))
  await kernelSettled()
  const { monaco } = await loadEditors()
  await monaco.editor.colorize('', language, {}) // the tokens of a language are loaded when it is first used
  const lines = text.split('\n')
  if (text.length > LONG) return lines.map((line) => highlightedPieces(line, []))
  const tokens = monaco.editor.tokenize(text, language)
  return lines.map((line, index) => highlightedPieces(line, tokens[index] ?? []))
}

/** Cuts a line where its tokens begin. */
export function highlightedPieces(line: string, tokens: readonly { offset: number; type: string }[]): Highlighted[] {
  if (tokens.length === 0) return [{ text: line, type: '' }]
  return tokens.map(({ offset, type }, index) => ({
    text: line.slice(offset, tokens[index + 1]?.offset),
    type: type.split('.')[0] ?? '',
  }))
}
