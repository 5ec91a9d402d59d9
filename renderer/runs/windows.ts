import { messageOf } from '../../engine/errors.ts'
import type { Page } from '../../engine/runs/types.ts'

/** Rows that are fetched together. */
export const WINDOW = 100

/** What is known of a long list of rows. */
export interface Listing<Row> {
  /** Null before the first answer. */
  total: number | null
  /** The row at an index, where it is known. */
  row(index: number): Row | undefined
  /** Why the last question was refused; the rows are then those of an earlier one. */
  error: string | null
}

export type Ask<Row> = (offset: number, limit: number) => Promise<Page<Row>>

export interface Windows<Row> {
  /** Asks something else. The rows stay until it is answered. */
  ask(ask: Ask<Row>): void
  /** Sets which rows are visible, from `first` to before `end`, and fetches the missing ones. */
  see(first: number, end: number): void
  /** Fetches the rows that are seen again. */
  refresh(): void
  close(): void
}

/** A long list that fetches only the visible rows; `changed` is called at every change. */
export function openWindows<Row>(changed: (listing: Listing<Row>) => void): Windows<Row> {
  let ask: Ask<Row> | null = null
  let question = 0
  let answered = 0 // the question that the rows belong to
  let total: number | null = null
  let error: string | null = null
  let seen = { first: 0, end: 1 }
  let pages = new Map<number, Row[]>()
  /** What is being asked, and whether it is to be asked again, since the store may have changed after it looked. */
  const pending = new Map<string, { again: boolean }>()

  const row = (index: number) => pages.get(Math.floor(index / WINDOW))?.[index % WINDOW]
  const tell = () => changed({ total, row, error })
  const isSeen = (page: number) => page * WINDOW < seen.end && (page + 1) * WINDOW > seen.first

  function seenPages(): number[] {
    const first = Math.floor(seen.first / WINDOW)
    const last = Math.floor(Math.max(seen.first, seen.end - 1) / WINDOW)
    const pages = Array.from({ length: last - first + 1 }, (_, i) => first + i)
    return pages.filter((page) => page === 0 || answered !== question || page * WINDOW < (total ?? 0))
  }

  function fetchMissing(): void {
    for (const page of seenPages()) if (answered !== question || !pages.has(page)) void load(page)
  }

  async function load(page: number, again = false): Promise<void> {
    const asked = question
    const name = `${asked} ${page}`
    const before = pending.get(name)
    if (before && again) before.again = true
    if (!ask || before) return
    const own = { again: false }
    pending.set(name, own)
    try {
      const found = await ask(page * WINDOW, WINDOW)
      if (asked === question) take(page, found)
    } catch (refusal) {
      if (asked !== question) return
      error = messageOf(refusal)
      tell()
    } finally {
      pending.delete(name)
      if (own.again && asked === question) void load(page)
    }
  }

  function take(page: number, found: Page<Row>): void {
    if (answered !== question) pages = new Map()
    // The windows that are not seen have shifted.
    else if (total !== found.total) pages = new Map([...pages].filter(([at]) => isSeen(at)))
    answered = question
    total = found.total
    error = null
    pages.set(page, found.rows)
    // The list may have become shorter than what is seen.
    if (seen.first > 0 && seen.first >= total) seen = { first: 0, end: seen.end - seen.first }
    fetchMissing()
    tell()
  }

  function refresh(): void {
    pages = new Map([...pages].filter(([at]) => isSeen(at)))
    for (const page of seenPages()) void load(page, true)
  }

  return {
    ask(next) {
      ask = next
      question++
      error = null
      refresh()
    },
    see(first, end) {
      seen = { first, end }
      // What is refused once is refused again.
      if (!error) fetchMissing()
    },
    refresh,
    close() {
      question++
      ask = null
    },
  }
}
