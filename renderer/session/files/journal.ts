import type { Cell } from '../../../engine/notebook/types.ts'
import { useConnection } from '../../host/state.ts'
import { notify } from '../../ui/notices.ts'

/**
 * Cells that the workspace may not have yet. The browser keeps them in `localStorage`: it outlives page and host, and
 * workers, which run foreign code, have none.
 */
export interface JournalEntry {
  cells: Cell[]
  /** The revision on disk that the cells come from, and its text. */
  revision: string | null
  base: string
  /** Texts that may be on disk by now. */
  sent: string[]
}

let told = false

/** Keeps the cells of a notebook until `dropEntry`. Without storage, or with a full one, nothing is kept, and said once. */
export function keepEntry(notebook: string, entry: JournalEntry): void {
  try {
    localStorage.setItem(keyOf(notebook), JSON.stringify(entry))
  } catch {
    if (!told) notify({ tone: 'bad', text: STORAGE_FULL })
    told = true
  }
}

const STORAGE_FULL =
  'The storage of the browser is full or missing: until a change is saved in the workspace, this page alone has it.'

/** What is kept of a notebook, or null. */
export function readEntry(notebook: string): JournalEntry | null {
  try {
    const { cells, revision, base, sent = [] } = JSON.parse(localStorage.getItem(keyOf(notebook)) ?? 'null')
    const own = Array.isArray(cells) && typeof base === 'string' && Array.isArray(sent)
    return own ? { cells, revision, base, sent } : null
  } catch {
    return null
  }
}

/** Forgets a notebook: the workspace has all of it. */
export function dropEntry(notebook: string): void {
  try {
    localStorage.removeItem(keyOf(notebook))
  } catch {
    // without storage there is nothing to forget
  }
}

/** Addresses can be those of another workspace tomorrow. */
function keyOf(notebook: string): string {
  return `mixlab.journal ${useConnection.getState().description?.workspace} ${notebook}`
}
