import { create } from 'zustand'
import type { CellConflict } from '../../engine/notebook/merge.ts'
import type { Cell, CellFacts, NotebookFacts } from '../../engine/notebook/types.ts'
import type { CellOutputView } from '../protocol/output.ts'
import type { PageCell } from './edit.ts'
import type { Phase } from './status.ts'
import { goesOn, type Moment, NO_STEPS, type Steps, stepped, type Typed } from './steps.ts'

/** What a cell has shown and is doing; by cell id. */
export interface CellState {
  phase: Phase
  /** Fingerprint of the cell, and of all it depends on, when `output` was made. */
  fingerprint: string | null
  output: CellOutputView | null
  /** A cell it depends on was run again since, with the same code. */
  outdated: boolean
  /** It runs, but another page or process runs it; this one shows how that goes. */
  elsewhere: boolean
}

/** A notebook as the file has it. */
export interface Base {
  text: string
  cells: Cell[]
}

/** The file as someone else has written it, and the cells to ask about: they changed here too. */
export interface Conflict {
  file: { text: string; revision: string }
  theirs: Cell[]
  cells: CellConflict[]
}

export interface NotebookState extends Moment {
  /** The open notebook; null before one is open. */
  name: string | null
  /** What can be undone and redone; `stepTo` keeps it. */
  steps: Steps
  facts: NotebookFacts
  states: Record<string, CellState>
  /** The revision on disk that the cells come from, and what it says. */
  revision: string | null
  base: Base
  /** What was sent to be written and has no answer: the file may be any of it. */
  sent: Base[]
  saving: 'saved' | 'changed' | 'saving' | 'failed'
  /** Why the last save failed. */
  saveError: string | null
  /** The file was deleted; until it is back nothing is saved. */
  fileDeleted: boolean
  /** Until the user has decided nothing is saved. */
  conflict: Conflict | null
  /** Why the notebook cannot be shown. */
  error: string | null
  /** Key of the selected cell, and whether it is being written in. */
  selected: string | null
  editing: boolean
}

const NO_FACTS: NotebookFacts = { cells: [], order: [] }

export const IDLE: CellState = { phase: 'idle', fingerprint: null, output: null, outdated: false, elsewhere: false }

export const EMPTY: NotebookState = {
  name: null,
  cells: [],
  layout: '',
  steps: NO_STEPS,
  facts: NO_FACTS,
  states: {},
  revision: null,
  base: { text: '', cells: [] },
  sent: [],
  saving: 'saved',
  saveError: null,
  fileDeleted: false,
  conflict: null,
  error: null,
  selected: null,
  editing: false,
}

export const useNotebook = create<NotebookState>(() => EMPTY)

/** How a step is told from the ones before it. */
interface StepOptions {
  /** The text of a file that the cells come from. */
  layout?: string
  /** The keystroke that it is. */
  typed?: Typed
  /** It belongs to the step before, which another cell was changed by. */
  joins?: boolean
}

/** Changes the cells of the open notebook, as a step that can be undone. */
export function stepTo(cells: PageCell[], { layout, typed, joins = false }: StepOptions = {}): void {
  const now = useNotebook.getState()
  const same = cells.length === now.cells.length && cells.every((cell, index) => cell === now.cells[index])
  const left = { cells: now.cells, layout: now.layout }
  const continued = joins || (typed && goesOn(now.steps.typed, typed))
  const history = continued
    ? { ...now.steps, typed: typed ?? null }
    : stepped(now.steps, left, cells, typed ?? null, layout !== undefined)
  useNotebook.setState({ layout: layout ?? now.layout, ...(same ? {} : { cells, steps: history }) })
}

/** What analysis knows of a cell; undefined for markdown and SQL. */
export function factsOf({ facts }: NotebookState, id: string): CellFacts | undefined {
  const known = byId.get(facts) ?? new Map(facts.cells.map((cell) => [cell.id, cell]))
  byId.set(facts, known)
  return known.get(id)
}

/** Every cell on the page asks at every change of anything. */
const byId = new WeakMap<NotebookFacts, Map<string, CellFacts>>()

/** Changes what is known of one cell. */
export function setCellState(id: string, change: Partial<CellState>): void {
  useNotebook.setState(({ states }) => ({ states: { ...states, [id]: { ...(states[id] ?? IDLE), ...change } } }))
}
