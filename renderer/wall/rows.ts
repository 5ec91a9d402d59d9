import { byWordsAndNumbers, type GroupedRun } from '../../engine/charts/wall/groups.ts'
import { type Column, resolveColumn } from '../../engine/runs/column.ts'
import { groupName } from '../../engine/runs/curves.ts'
import type { Page, RunFields, RunLine } from '../../engine/runs/types.ts'
import type { Panel, Wall } from '../../engine/runs/wall.ts'

/** Of more runs, panels of columns show the newest. */
export const MAX_ROWS = 5000

/** The columns that a table of the best runs has beside their metric, where none are chosen. */
const BEST_COLUMNS = ['parameters', 'time']

/** What a column is; null where the store has no such thing (any more). */
export function columnOf(name: string, fields: RunFields): Column | null {
  try {
    return resolveColumn(name, fields)
  } catch {
    return null
  }
}

/** The columns that a panel shows of each run. */
export function columnsOf({ kind, metric, x, columns }: Panel, fields: RunFields): string[] {
  switch (kind) {
    case 'curves':
      return []
    case 'values':
      return [metric]
    case 'scatter':
      return [metric, x ?? '']
    case 'parallel':
      return [metric, ...(columns ?? fields.options)]
    case 'best':
      return [metric, ...(columns ?? BEST_COLUMNS)]
  }
}

/** The columns by which a wall groups, and those that its panels need, as far as there are such columns. */
export function neededColumns({ by, panels }: Wall, fields: RunFields): { by: string[]; columns: string[] } {
  const known = (names: string[]) => names.filter((name) => columnOf(name, fields))
  const wanted = new Set(panels.flatMap((panel) => columnsOf(panel, fields)))
  return { by: known(by), columns: known([...wanted]) }
}

/** Runs of a page that was asked for with the columns `by` and then `columns`. */
export function groupedRuns({ rows }: Page<RunLine>, by: string[], columns: string[]): GroupedRun[] {
  return rows.map(({ id, study, variant, seed, status, values }) => ({
    ...{ run: id, study, variant, seed, status },
    group: groupName(values.slice(0, by.length).map((value) => value ?? null)),
    values: Object.fromEntries(columns.map((column, i) => [column, values[by.length + i] ?? null])),
  }))
}

/** How many of some runs each group has, the groups by name, in which numbers stand by their size. */
export function countGroups(rows: GroupedRun[]): { name: string; runs: number }[] {
  const byName = Map.groupBy(rows, ({ group }) => group)
  return [...byName]
    .map(([name, { length }]) => ({ name, runs: length }))
    .sort((a, b) => byWordsAndNumbers(a.name, b.name))
}

/** The best runs by a column, best first, at most `most`; those without a number are left out. */
export function bestRuns(rows: GroupedRun[], metric: string, lower: boolean, most: number): GroupedRun[] {
  const value = ({ values }: GroupedRun) => Number(values[metric])
  const known = rows.filter(({ values }) => typeof values[metric] === 'number' && Number.isFinite(values[metric]))
  return known.sort((a, b) => (lower ? value(a) - value(b) : value(b) - value(a))).slice(0, most)
}
