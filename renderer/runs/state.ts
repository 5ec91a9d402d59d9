import { create } from 'zustand'
import type { RunsSort } from '../../engine/runs/types.ts'
import { useConnection } from '../host/state.ts'
import { remember, remembered } from '../ui/remembered.ts'
import { runsHash } from '../ui/route.ts'

/** How the table of runs is looked at. Columns and order are those of the two views: of runs, and of groups. */
interface TableState {
  filter: string
  grouped: boolean
  /** Whether charts of the runs are shown in place of the table. */
  charted: boolean
  /** Null for those that a table begins with. */
  columns: { runs: string[] | null; groups: string[] | null }
  sort: { runs: RunsSort[]; groups: RunsSort[] }
  /** Ids of the runs chosen. */
  chosen: ReadonlySet<number>
  /** The row that the keys act on. */
  active: number
  /** The run whose note is written. */
  writing: number | null
}

const NONE: ReadonlySet<number> = new Set()

const FIRST: TableState = {
  filter: '',
  grouped: false,
  charted: false,
  columns: { runs: null, groups: null },
  sort: { runs: [], groups: [] },
  chosen: NONE,
  active: 0,
  writing: null,
}

export const useTable = create<TableState>(() => FIRST)

/** Shows the runs that pass a filter, and says so in the address. */
export function setFilter(filter: string): void {
  if (filter === useTable.getState().filter) return
  useTable.setState({ filter, active: 0, chosen: NONE })
  history.replaceState(null, '', runsHash(filter))
}

export function setGrouped(grouped: boolean): void {
  change({ grouped, charted: false, active: 0 })
}

/** Shows charts of the runs, one by one. */
export function setCharted(): void {
  change({ grouped: false, charted: true })
}

/** Chooses the columns of the view that is shown; null for those that it begins with. */
export function setColumns(columns: string[] | null): void {
  const { grouped, columns: before } = useTable.getState()
  change({ columns: { ...before, [grouped ? 'groups' : 'runs']: columns } })
}

export function setSort(sort: RunsSort[]): void {
  const { grouped, sort: before } = useTable.getState()
  change({ sort: { ...before, [grouped ? 'groups' : 'runs']: sort }, active: 0 })
}

/** Chooses runs, or no longer. */
export function chooseRuns(runs: number[], wanted: boolean): void {
  const chosen = new Set(useTable.getState().chosen)
  for (const run of runs) {
    if (wanted) chosen.add(run)
    else chosen.delete(run)
  }
  useTable.setState({ chosen })
}

export function chooseNone(): void {
  useTable.setState({ chosen: NONE })
}

/** Whether all runs of a row are chosen. */
export function isChosen(chosen: ReadonlySet<number>, runs: number[]): boolean {
  return runs.every((run) => chosen.has(run))
}

function change(changes: Partial<TableState>): void {
  useTable.setState(changes)
  const { grouped, charted, columns, sort } = useTable.getState()
  remember(keyOf(), { grouped, charted, columns, sort })
}

/** Takes up how the table of this workspace was looked at. */
export function recallTable(): void {
  const known = remembered(keyOf())
  if (typeof known !== 'object' || known === null) return
  const { grouped, charted, columns, sort } = known as Partial<TableState>
  useTable.setState({
    grouped: grouped === true,
    charted: charted === true,
    columns: { runs: namesIn(columns?.runs), groups: namesIn(columns?.groups) },
    sort: { runs: sortIn(sort?.runs), groups: sortIn(sort?.groups) },
  })
}

function keyOf(): string {
  return `mixlab.runs ${useConnection.getState().description?.workspace ?? ''}`
}

function namesIn(value: unknown): string[] | null {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : null
}

function sortIn(value: unknown): RunsSort[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((each: unknown) => {
    if (typeof each !== 'object' || each === null || !('column' in each) || typeof each.column !== 'string') return []
    return [{ column: each.column, descending: 'descending' in each && each.descending === true }]
  })
}
