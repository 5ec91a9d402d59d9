/** Replaces code from `start` to `end`. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** Code after some edits; at one place the earlier of the list goes first. */
export function edited(code: string, edits: Edit[]): string {
  let at = 0
  let text = ''
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    text += code.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return text + code.slice(at)
}
