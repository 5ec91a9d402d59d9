import type { Cell } from '../../engine/notebook/types.ts'
import { replacement } from '../editor/replacement.ts'
import { placeCaret } from '../editor/shown.ts'
import { dismiss, notify, useNotices } from '../ui/notices.ts'
import { analyzeSoon } from './analyzed.ts'
import { inserted, merged, movedBeside, movedCell, nameProblem, type PageCell, put } from './edit.ts'
import { changed } from './files/save.ts'
import { newKey } from './open.ts'
import { stepTo, useNotebook } from './state.ts'
import { placeOfChange, type TextChange, walked } from './steps.ts'
import { storeOutput } from './storeOutput.ts'

const ANALYSE_AFTER = 200 // ms; a keystroke should not wait for the analysis of all cells

let timer: ReturnType<typeof setTimeout> | null = null

/** Gives a cell another text. */
export function setSource(key: string, source: string): void {
  setSources(new Map([[key, source]]))
}

/** Gives cells other texts, as one step. */
export function setSources(sources: ReadonlyMap<string, string>): void {
  change(withSources(useNotebook.getState().cells, sources))
}

/** Whether an editor has changed a cell in this very task: what it changes in others then is the same step. */
let inTask = false

/** Takes over what the user typed; keystrokes of a word are one step. */
export function typedIn(key: string, source: string, changes: readonly TextChange[]): void {
  const { cells } = useNotebook.getState()
  const typed = withSources(cells, new Map([[key, source]]))
  if (typed === cells) return
  stepTo(typed, { typed: { key, changes }, joins: inTask })
  if (!inTask) queueMicrotask(() => (inTask = false))
  inTask = true
  if (timer !== null) clearTimeout(timer)
  timer = setTimeout(analyzeSoon, ANALYSE_AFTER)
  changed()
}

function withSources(cells: PageCell[], sources: ReadonlyMap<string, string>): PageCell[] {
  const others = cells.filter((cell) => (sources.get(cell.key) ?? cell.source) !== cell.source)
  if (others.length === 0) return cells
  return cells.map((cell) => (others.includes(cell) ? { ...cell, source: sources.get(cell.key) ?? '' } : cell))
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
  const { cells } = useNotebook.getState()
  const index = cells.findIndex((cell) => cell.key === key)
  const cell = cells[index]
  if (!cell) return
  const rest = cells.filter((other) => other !== cell)
  change(rest)
  select(rest[Math.min(index, rest.length - 1)]?.key ?? null)
  const again = () => {
    const { cells, states } = useNotebook.getState()
    if (cells.some((other) => other.key === key)) return
    change(put(cells, Math.min(index, cells.length), cell, Object.keys(states)))
    select(key)
  }
  notify({ text: `Deleted '${cell.id}'.`, action: { label: 'Undo', run: takingBack(again) } })
}

/** Makes a cell one of another kind; its text stays. */
export function changeKind(key: string, kind: Cell['kind']): void {
  const { cells } = useNotebook.getState()
  change(cells.map((cell) => (cell.key === key && cell.kind !== kind ? { ...cell, kind } : cell)))
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
  if (state?.phase === 'running' || state?.phase === 'queued') return `'${cell.id}' is ${state.phase}`
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

/** Takes the last step back, whatever it was: text or structure. */
export function undo(): void {
  walk('before')
}

/** Makes the step again that was taken back last. */
export function redo(): void {
  walk('after')
}

/** Undoes the step that was made just now, or, once others came after it, does `otherwise`, which is a step of its own. */
export function takingBack(otherwise: () => void): () => void {
  const { name, steps } = useNotebook.getState()
  const take = () => {
    const now = useNotebook.getState()
    if (now.name !== name) return
    if (now.steps.before === steps.before) undo()
    else otherwise()
  }
  offered.add(take)
  return take
}

/** What notices offer to take back. */
const offered = new WeakSet<() => void>()

/** Selects the cell where something changed; who was writing goes on there, behind what changed. */
function walk(to: 'before' | 'after'): void {
  const { cells, layout, steps, editing } = useNotebook.getState()
  const walk = walked(steps, to, { cells, layout })
  if (!walk) return
  const place = placeOfChange(cells, walk.moment.cells)
  const writing = editing && place?.changed === true
  const { cells: shown, layout: like, read } = walk.moment
  useNotebook.setState({
    cells: shown,
    layout: like,
    steps: walk.steps,
    selected: place?.cell.key ?? null,
    editing: writing,
  })
  analyzeSoon()
  changed()
  const { notice } = useNotices.getState()
  if (notice?.action && offered.has(notice.action.run)) dismiss(notice.id)
  if (to === 'before' && read) notify({ text: 'Undid a change that was read from a file.' })
  if (place && writing) {
    const before = cells.find(({ key }) => key === place.cell.key)?.source ?? ''
    const { start, text } = replacement(before, place.cell.source)
    placeCaret(place.cell.key, start + text.length)
  }
}

function change(cells: PageCell[]): void {
  if (cells === useNotebook.getState().cells) return
  stepTo(cells)
  analyzeSoon()
  changed()
}
