import type { CellValue, RunGroup, RunLine, RunsQuery, Spread } from '../../engine/runs/types.ts'
import { host } from '../host/state.ts'

/** A row of the table: a run, or a group of runs. `columns` are those that its values belong to. */
export type RunsRow = (({ kind: 'run' } & RunLine) | ({ kind: 'group' } & RunGroup)) & { columns: string[] }

/** The rows of a query. */
export async function askRows(query: RunsQuery, grouped: boolean): Promise<{ total: number; rows: RunsRow[] }> {
  const { columns } = query
  if (grouped) {
    const { total, rows } = await host().groupRuns(query)
    return { total, rows: rows.map((row) => ({ ...row, kind: 'group', columns })) }
  }
  const { total, rows } = await host().queryRuns(query)
  return { total, rows: rows.map((row) => ({ ...row, kind: 'run', columns })) }
}

/** The ids of the runs of a row. */
export function rowRuns(row: RunsRow): number[] {
  return row.kind === 'run' ? [row.id] : row.runs
}

/** The value of a column; null too where the row was asked for without it. */
export function valueIn(row: RunsRow, column: string): CellValue | Spread {
  return row.values[row.columns.indexOf(column)] ?? null
}

/** A row in words, for who does not see it. */
export function rowName(row: RunsRow): string {
  return row.kind === 'run' ? `${row.study}, ${row.variant}, seed ${row.seed}` : `${row.study}, ${row.variant}`
}
