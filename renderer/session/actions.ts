import type { Cell } from '../../engine/notebook/types.ts'
import { notify } from '../ui/notices.ts'
import { analyzeSoon } from './analyzed.ts'
import { inserted, merged, movedBeside, movedCell, nameProblem, type PageCell, put } from './edit.ts'
import { changed } from './files/save.ts'
import { newKey } from './open.ts'
import { useNotebook } from './state.ts'
import { storeOutput } from './storeOutput.ts'

const ANALYSE_AFTER = 200 // ms; a keystroke should not wait for the analysis of all cells

let timer: ReturnType<typeof setTimeout> | null = null

/** Takes over what the user typed. */
export function setSource(key: string, source: string): void {
  const { cells } = useNotebook.getState()
  if (cells.find((cell) => cell.key === key)?.source === source) return
  useNotebook.setState({ cells: cells.map((cell) => (cell.key === key ? { ...cell, source } : cell)) })
  if (timer !== null) clearTimeout(timer)
  timer = setTimeout(analyzeSoon, ANALYSE_AFTER)
  changed()
}

/** Adds a cell at `index` and selects it; unless `editing` is false, the user writes in it. */
export function addCell(index: number, kind: Cell['kind'] = 'code', editing = true): void {
  const key = newKey()
  const { cells, states } = useNotebook.getState()
  change(inserted(cells, index, kind, key, Object.keys(states))) // a new cell must not get the output of a deleted one
  useNotebook.setState({ selected: key, editing })
}

/** Puts a copy of a cell at `index`; it keeps its name, and with that its output, if the name is free. */
export function pasteCell(index: number, cell: Cell): void {
  const { cells, states } = useNotebook.getState()
  const key = newKey()
  change(put(cells, index, { ...cell, key }, Object.keys(states)))
  select(key)
}

/** Deletes a cell; it can be brought back. */
export function deleteCell(key: string): void {
  const { cells, name } = useNotebook.getState()
  const index = cells.findIndex((cell) => cell.key === key)
  const cell = cells[index]
  if (!cell) return
  noteDeleted(cell, index, name)
  const rest = cells.filter((other) => other !== cell)
  change(rest)
  select(rest[Math.min(index, rest.length - 1)]?.key ?? null)
  notify({ text: `Deleted '${cell.id}'.`, action: { label: 'Undo', run: () => undoDeletion(key) } })
}

/** Brings back the cell deleted last, or that with `key`. */
export function undoDeletion(key?: string): void {
  const { cells, name, states } = useNotebook.getState()
  const deleted = takeDeleted(name, key)
  if (!deleted) return
  change(put(cells, Math.min(deleted.index, cells.length), deleted.cell, Object.keys(states)))
  select(deleted.cell.key)
}

/** Makes a cell one of another kind; its text stays. */
export function changeKind(key: string, kind: Cell['kind']): void {
  const { cells } = useNotebook.getState()
  change(cells.map((cell) => (cell.key === key ? { ...cell, kind } : cell)))
}

/** Joins a cell with the one below it, if that is of the same kind. */
export function mergeBelow(key: string): void {
  change(merged(useNotebook.getState().cells, key))
}

export function moveBeside(key: string, other: string, side: 'before' | 'after'): void {
  change(movedBeside(useNotebook.getState().cells, key, other, side))
}

export function moveCell(key: string, by: -1 | 1): void {
  change(movedCell(useNotebook.getState().cells, key, by))
}

/** Renames a cell; its output goes with it. Returns why that is not possible, or null. */
export function renameCell(key: string, name: string): string | null {
  const { cells, states } = useNotebook.getState()
  const cell = cells.find((other) => other.key === key)
  if (!cell || cell.id === name) return null
  const problem = nameProblem(cells, key, name)
  if (problem) return problem
  const state = states[cell.id]
  if (state) useNotebook.setState({ states: { ...states, [name]: state } })
  change(cells.map((other) => (other === cell ? { ...cell, id: name } : other)))
  if (state) storeOutput(name)
  return null
}

/** Selects a cell, or none. */
export function select(key: string | null, editing = false): void {
  useNotebook.setState({ selected: key, editing })
}

/** Selects the cell `by` places from the selected one, if there is one. */
export function selectBeside(by: -1 | 1): void {
  const { cells, selected } = useNotebook.getState()
  const beside = cells[cells.findIndex((cell) => cell.key === selected) + by]
  if (beside) select(beside.key)
}

function change(cells: PageCell[]): void {
  if (cells === useNotebook.getState().cells) return
  useNotebook.setState({ cells })
  analyzeSoon()
  changed()
}

interface Deleted {
  cell: PageCell
  index: number
  notebook: string | null
}

const MOST = 100

/** The cells deleted since the page was loaded, the last one at the end. */
let deleted: Deleted[] = []

function noteDeleted(cell: PageCell, index: number, notebook: string | null): void {
  deleted = [...deleted, { cell, index, notebook }].slice(-MOST)
}

/** The cell of a notebook deleted last, that with `key` or any, and where it was; from then on it counts as brought back. */
function takeDeleted(notebook: string | null, key?: string): Deleted | null {
  const found = deleted.findLast((each) => each.notebook === notebook && (key ?? each.cell.key) === each.cell.key)
  deleted = deleted.filter((each) => each !== found)
  return found ?? null
}
