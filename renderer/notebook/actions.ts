import type { Cell } from '../../engine/notebook/types.ts'
import { notify } from '../shell/notices.ts'
import { inserted, moved, nameProblem, type PageCell } from './edit.ts'
import { analyzeNow, newKey } from './open.ts'
import { changed } from './save.ts'
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
  timer = setTimeout(analyzeNow, ANALYSE_AFTER)
  changed()
}

/** Adds a cell at `index`, selects it and lets the user write in it. */
export function addCell(index: number, kind: Cell['kind'] = 'code'): void {
  const key = newKey()
  change(inserted(useNotebook.getState().cells, index, kind, key))
  useNotebook.setState({ selected: key, editing: true })
}

/** Deletes a cell; for a while it can be brought back. */
export function deleteCell(key: string): void {
  const { cells, name } = useNotebook.getState()
  const index = cells.findIndex((cell) => cell.key === key)
  const cell = cells[index]
  if (!cell) return
  const rest = cells.filter((other) => other !== cell)
  change(rest)
  select(rest[Math.min(index, rest.length - 1)]?.key ?? null)
  const run = () => {
    const now = useNotebook.getState()
    if (now.name !== name || now.cells.some((other) => other.id === cell.id)) return
    change([...now.cells.slice(0, index), cell, ...now.cells.slice(index)])
    select(cell.key)
  }
  notify({ text: `Deleted '${cell.id}'.`, action: { label: 'Undo', run } })
}

export function moveCell(key: string, by: -1 | 1): void {
  change(moved(useNotebook.getState().cells, key, by))
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
  analyzeNow()
  changed()
}
