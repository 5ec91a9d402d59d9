import type { PageCell } from './edit.ts'

interface Deleted {
  cell: PageCell
  index: number
  notebook: string | null
}

const MOST = 100

/** The cells deleted since the page was loaded, the last one at the end. */
let deleted: Deleted[] = []

export function noteDeleted(cell: PageCell, index: number, notebook: string | null): void {
  deleted = [...deleted, { cell, index, notebook }].slice(-MOST)
}

/** The cell of a notebook deleted last, that with `key` or any, and where it was; from then on it counts as brought back. */
export function takeDeleted(notebook: string | null, key?: string): Deleted | null {
  const found = deleted.findLast((each) => each.notebook === notebook && (key ?? each.cell.key) === each.cell.key)
  deleted = deleted.filter((each) => each !== found)
  return found ?? null
}
