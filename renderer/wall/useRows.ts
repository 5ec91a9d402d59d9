import { useMemo } from 'react'
import type { GroupedRun } from '../../engine/charts/wall/groups.ts'
import type { RunFields } from '../../engine/runs/types.ts'
import type { Wall } from '../../engine/runs/wall.ts'
import { host } from '../host/state.ts'
import { groupedRuns, MAX_ROWS, neededColumns } from './rows.ts'
import { useAsked } from './useAsked.ts'

export interface WallRows {
  /** The newest first; null before the first answer. */
  rows: GroupedRun[] | null
  /** How many runs pass the filter. */
  total: number
  /** The columns by which they are grouped. */
  by: string[]
  error: string | null
}

const NONE: WallRows = { rows: null, total: 0, by: [], error: null }

/** The runs that pass a filter with what the panels of a wall show of each, kept up to date. */
export function useRows(filter: string, wall: Wall | null, fields: RunFields, stamp: string): WallRows {
  const needed = useMemo(() => wall && neededColumns(wall, fields), [wall, fields])
  const question = needed && JSON.stringify([filter, needed, stamp])
  const { value, error } = useAsked(
    question,
    async () => {
      const { by, columns } = needed ?? { by: [], columns: [] }
      const page = await host().queryRuns({
        filter,
        sort: [],
        columns: [...by, ...columns],
        offset: 0,
        limit: MAX_ROWS,
      })
      return { rows: groupedRuns(page, by, columns), total: page.total, by }
    },
    ({ rows }) => rows.some(({ status }) => status === 'running'),
  )
  return useMemo(() => (value ? { ...value, error } : { ...NONE, error }), [value, error])
}
