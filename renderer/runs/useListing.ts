import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import { type Column, resolveColumn } from '../../engine/runs/column.ts'
import { defaultColumns } from '../../engine/runs/defaults.ts'
import type { RunFields, RunsSort } from '../../engine/runs/types.ts'
import { host, useConnection } from '../host/state.ts'
import { useKernel } from '../session/kernel/state.ts'
import { useDialog } from '../ui/dialog.ts'
import { notify } from '../ui/notices.ts'
import { askRows, type RunsRow } from './rows.ts'
import { useTable } from './state.ts'
import { type Listing, openWindows, type Windows } from './windows.ts'

/** What the table shows. */
export interface Shown extends Listing<RunsRow> {
  fields: RunFields
  columns: { name: string; column: Column }[]
  sort: RunsSort[]
  /** Says which rows are seen, from `first` to before `end`. */
  see(first: number, end: number): void
  /** Asks the store again. */
  refresh(): void
}

/** The table as the store has it, kept up to date; null before the first answer. */
export function useListing(): Shown | null {
  const windows = useRef<Windows<RunsRow> | null>(null)
  const [fields, setFields] = useState<RunFields | null>(null)
  const [listing, setListing] = useState<Listing<RunsRow> | null>(null)
  const filter = useTable((state) => state.filter)
  const grouped = useTable((state) => state.grouped)
  const chosen = useTable((state) => (grouped ? state.columns.groups : state.columns.runs))
  const order = useTable((state) => (grouped ? state.sort.groups : state.sort.runs))
  const columns = useMemo(() => fields && columnsOf(chosen, fields, grouped), [chosen, fields, grouped])
  const sort = useMemo(() => order.filter(({ column }) => fields && columnOf(column, fields)), [order, fields])

  useEffect(() => {
    const opened = openWindows<RunsRow>(setListing)
    windows.current = opened
    return () => opened.close()
  }, [])

  useEffect(() => {
    const names = columns?.map(({ name }) => name)
    if (!names) return
    windows.current?.ask((offset, limit) => askRows({ filter, sort, columns: names, offset, limit }, grouped))
  }, [filter, grouped, columns, sort])

  const refresh = useCallback(async () => {
    try {
      const found = await host().runFields()
      setFields((before) => (JSON.stringify(before) === JSON.stringify(found) ? before : found))
      windows.current?.refresh()
    } catch (error) {
      notify({ tone: 'bad', text: messageOf(error) })
    }
  }, [])
  useRefresh(refresh, listing)

  const see = useCallback((first: number, end: number) => windows.current?.see(first, end), [])
  return fields && columns && listing && { ...listing, fields, columns, sort, see, refresh }
}

/** The columns chosen, but for options and metrics that the store does not have (any more). */
function columnsOf(chosen: string[] | null, fields: RunFields, grouped: boolean): Shown['columns'] {
  return (chosen ?? defaultColumns(fields, grouped)).flatMap((name) => {
    const column = columnOf(name, fields)
    return column ? [{ name, column }] : []
  })
}

function columnOf(name: string, fields: RunFields): Column | null {
  try {
    return resolveColumn(name, fields)
  } catch {
    return null
  }
}

const EVERY = 1000 // ms
const NEWEST = 50 // rows that are looked at for runs in training

/**
 * Calls `refresh` at once, every second while something trains, when the page is seen, focused or connected again, and after a
 * window over the page, which may have imported runs.
 */
function useRefresh(refresh: () => Promise<void>, listing: Listing<RunsRow> | null): void {
  const busy = useKernel((state) => state.phase === 'busy' || state.phase === 'interrupting')
  const connected = useConnection((state) => state.phase === 'open')
  const training = busy || hasRunning(listing)
  const dialog = useDialog((state) => state.open)
  useEffect(() => {
    if (!connected || dialog) return
    void refresh()
    const unlessHidden = () => {
      if (document.visibilityState === 'visible') void refresh()
    }
    const timer = training ? setInterval(unlessHidden, EVERY) : undefined
    document.addEventListener('visibilitychange', unlessHidden)
    window.addEventListener('focus', unlessHidden)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', unlessHidden)
      window.removeEventListener('focus', unlessHidden)
    }
  }, [refresh, training, connected, dialog])
}

/** Whether a run is in training, be it by another process. */
function hasRunning(listing: Listing<RunsRow> | null): boolean {
  return Array.from({ length: NEWEST }, (_, index) => listing?.row(index)).some(
    (row) => row?.kind === 'run' && row.status === 'running',
  )
}
