import type { TextEdit } from './protocol.ts'

/** The text of a cell after edits, whose places are those before all of them. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  const fromEnd = edits.toSorted((a, b) => b.at.start - a.at.start)
  return fromEnd.reduce((done, { at, text: other }) => done.slice(0, at.start) + other + done.slice(at.end), text)
}
