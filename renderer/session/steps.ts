import type { PageCell } from './edit.ts'

/** The cells at one moment. */
export interface Moment {
  cells: PageCell[]
  /** The text that they are printed like: what is the same in it keeps its bytes. */
  layout: string
}

interface Left extends Moment {
  /** Whether the step beside it was read from a file. */
  read: boolean
  /** Of cells that are other ones in the moment beside it. */
  characters: number
}

/** The one history of the open notebook: texts and structure. What is shown now is in neither list. */
export interface Steps {
  /** The moments before each step, the last step at the end. */
  before: readonly Left[]
  /** The moments after each step that was undone, the next to be redone at the end. */
  after: readonly Left[]
  /** What was typed last, while more of it belongs to the same step. */
  typed: Typed | null
}

/** What a keystroke changed in the text of a cell: a change for each caret. */
export interface Typed {
  key: string
  changes: readonly TextChange[]
}

/** Replaces `length` characters from `offset` on; all changes of a keystroke have offsets of the text before it. */
export interface TextChange {
  offset: number
  length: number
  text: string
}

export const NO_STEPS: Steps = { before: [], after: [], typed: null }

const MAX_STEPS = 1_000
/** Characters of cells that only the history has. */
const MAX_CHARACTERS = 20_000_000

/** The history after a step from `left` to `cells`. What was undone before cannot be redone any more. */
export function stepped({ before }: Steps, left: Moment, cells: PageCell[], typed: Typed | null, read: boolean): Steps {
  return { before: bounded([...before, leaving(left, cells, read)]), after: [], typed }
}

/** The moment that an undo (`before`) or a redo (`after`) leads to, and the history then; null where there is none. */
export function walked(steps: Steps, to: 'before' | 'after', left: Moment): { moment: Left; steps: Steps } | null {
  const moment = steps[to].at(-1)
  if (!moment) return null
  const from = to === 'before' ? 'after' : 'before'
  const next = {
    ...steps,
    [to]: steps[to].slice(0, -1),
    [from]: [...steps[from], leaving(left, moment.cells, moment.read)],
    typed: null,
  }
  return { moment, steps: next }
}

/**
 * Whether a keystroke goes on with what was typed last: more of the same word with the white space before it, or more
 * characters deleted in the same direction.
 */
export function goesOn(last: Typed | null, next: Typed): boolean {
  if (last?.key !== next.key || last.changes.length !== next.changes.length) return false
  let shift = 0
  const [before, now] = [last, next].map(({ changes }) => changes.toSorted((a, b) => a.offset - b.offset))
  return (before ?? []).every((change, at) => {
    const then = now?.[at]
    const joins = then !== undefined && joinsTo({ ...change, offset: change.offset + shift }, then)
    shift += change.text.length - change.length
    return joins
  })
}

/** `last` has its offset in the text after all changes of its keystroke. */
function joinsTo(last: TextChange, next: TextChange): boolean {
  const [end, nextEnd] = [last.offset + last.text.length, next.offset + next.length]
  if (next.text === '') return last.text === '' && (nextEnd === last.offset || next.offset === last.offset)
  if (!isTyped(last.text)) return false
  if (next.length > 0) return next.offset === last.offset && nextEnd === end // an input method writes its word anew
  const inside = next.offset > last.offset && next.offset <= end
  return inside && isTyped(next.text) && !next.text.includes('\n') && (!isBlank(next.text) || isBlank(last.text))
}

/** Whether a text comes from one key, with the bracket or the indentation that an editor adds. */
function isTyped(text: string): boolean {
  return /^(?:[^\n]{1,2}|\n[ \t]*(?:\n[ \t]*)?)$/.test(text)
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** Where a step from `from` to `to` is seen: the cell in `to`, and whether it is new or changed; null without cells. */
export function placeOfChange(from: PageCell[], to: PageCell[]): { cell: PageCell; changed: boolean } | null {
  const known = new Set(from)
  const changed = to.find((cell) => !known.has(cell))
  if (changed) return { cell: changed, changed: true }
  const first = to.findIndex((cell, index) => cell !== from[index])
  const moved = to.length === from.length && from[first + 1] === to[first] ? from[first] : to[first]
  const cell = moved ?? to.at(-1)
  return cell ? { cell, changed: false } : null
}

function leaving({ cells: left, layout }: Moment, cells: PageCell[], read: boolean): Left {
  const stay = new Set(cells)
  const gone = left.filter((cell) => !stay.has(cell))
  return { cells: left, layout, read, characters: gone.reduce((sum, { source }) => sum + source.length, 0) }
}

/** The latest moments that there is room for. */
function bounded(moments: Left[]): Left[] {
  let sum = 0
  const last = moments.findLastIndex(({ characters }, index) => {
    sum += characters
    return sum > MAX_CHARACTERS || moments.length - index > MAX_STEPS
  })
  return moments.slice(last + 1)
}
