import type { monaco } from '../editor/monaco.ts'
import { editorOf } from '../editor/shown.ts'
import { setSources } from '../session/actions.ts'
import { makeLive } from '../session/live.ts'
import { useNotebook } from '../session/state.ts'
import { findMatches, type Match, positionAt, replaceMatches } from './matches.ts'
import { useFind } from './state.ts'

/** What the bar looks for, in the notebook as it is now. */
function currentMatches(): Match[] {
  const { query, matchCase } = useFind.getState()
  return findMatches(useNotebook.getState().cells, query, matchCase)
}

/** Shows the match `by` places on, round the end; 0 begins anew, at the cell where the bar was opened. */
export function goOn(by: 1 | -1 | 0): void {
  const matches = currentMatches()
  const { at } = useFind.getState()
  const begun = at < 0 || by === 0
  const next = begun
    ? firstFrom(useFind.getState().from, matches)
    : (at + by + matches.length) % Math.max(1, matches.length)
  useFind.setState({ at: matches.length > 0 ? next : -1 })
  const match = matches[next]
  if (match) show(match)
}

/** Replaces the match that is shown, and shows the next. */
export function replaceOne(): void {
  const { at, replacement } = useFind.getState()
  const match = currentMatches()[at]
  if (!match) {
    goOn(1)
    return
  }
  replaceMatchesIn([match], replacement)
  const matches = currentMatches()
  const order = useNotebook.getState().cells.map(({ key }) => key)
  const cell = order.indexOf(match.key)
  const end = match.start + replacement.length
  const after = matches.findIndex(({ key, start }) => (key === match.key ? start >= end : order.indexOf(key) > cell))
  useFind.setState({ at: matches.length > 0 ? Math.max(0, after) : -1 })
  const next = matches[Math.max(0, after)]
  if (next) show(next)
}

/** Replaces all matches. */
export function replaceAll(): void {
  const { replacement } = useFind.getState()
  replaceMatchesIn(currentMatches(), replacement)
  useFind.setState({ at: -1 })
}

/** Puts the caret where the match is that is shown. */
export function writeAtMatch(): void {
  const match = currentMatches()[useFind.getState().at]
  if (!match) return
  useNotebook.setState({ selected: match.key, editing: true })
  withEditor(match.key, (editor) => editor.setSelection(rangeOf(match)))
}

/** The first match in a cell or after it; else the first of all. */
function firstFrom(key: string | null, matches: Match[]): number {
  const order = useNotebook.getState().cells.map((cell) => cell.key)
  const later = new Set(order.slice(Math.max(0, order.indexOf(key ?? ''))))
  const found = matches.findIndex((match) => later.has(match.key))
  return Math.max(0, found)
}

/** Selects the cell of a match and, in its editor, the match; the focus stays in the bar. */
function show(match: Match): void {
  useNotebook.setState({ selected: match.key, editing: false })
  withEditor(match.key, (editor) => editor.setSelection(rangeOf(match)))
  requestAnimationFrame(() => frameOf(match.key)?.scrollIntoView({ block: 'nearest' }))
}

function replaceMatchesIn(matches: Match[], replacement: string): void {
  const byKey = Map.groupBy(matches, ({ key }) => key)
  const { cells } = useNotebook.getState()
  const sources = cells.map(
    ({ key, source }) => [key, replaceMatches(source, byKey.get(key) ?? [], replacement)] as const,
  )
  setSources(new Map(sources))
}

function rangeOf({ key, start, end }: Match) {
  const source = useNotebook.getState().cells.find((cell) => cell.key === key)?.source ?? ''
  const [from, to] = [positionAt(source, start), positionAt(source, end)]
  return {
    startLineNumber: from.lineNumber,
    startColumn: from.column,
    endLineNumber: to.lineNumber,
    endColumn: to.column,
  }
}

/** The frame of a cell on the page. */
function frameOf(key: string): Element | null {
  return document.querySelector(`[data-key="${CSS.escape(key)}"]`)
}

/** Counts calls: one that had to wait does nothing after a later one. */
let calls = 0

/**
 * Does something with the editor of a cell: at once where it has one, so that no key comes in between, else as soon as it
 * is drawn. Nothing for cells that show no text to write in.
 */
function withEditor(key: string, act: (editor: monaco.editor.ICodeEditor) => void): void {
  const call = ++calls
  makeLive(key)
  const editor = editorOf(key)
  if (editor) act(editor)
  else {
    requestAnimationFrame(() => {
      const drawn = editorOf(key)
      if (drawn && call === calls) act(drawn)
    })
  }
}
