import type { Column } from '../../../engine/runs/column.ts'
import { groupValue } from '../../../engine/runs/group.ts'
import type { Page, RunGroup, RunsQuery } from '../../../engine/runs/types.ts'
import type { Database } from '../database.ts'
import { expressionOf, type Sql } from './expression.ts'
import { baselines } from './marks.ts'
import { orderOf, resolveQuery, SOURCE } from './query.ts'
import { type ListedRun, readEntries } from './values.ts'

/** The groups of the runs of a query, in the order of the mean of what they are sorted by. */
export function groupRuns(database: Database, query: RunsQuery): Page<RunGroup> {
  const { where, sort, columns } = resolveQuery(database, query)
  const order = orderOf(sort, sharedOf)
  const total = database.get<{ n: number }>(
    `select count(distinct entry.configuration) as n from ${SOURCE} where ${where.text}`,
    ...where.values,
  )
  const wanted = database.all<{ configuration: number }>(
    `select entry.configuration from ${SOURCE} where ${where.text}
     group by entry.configuration order by ${order.text}max(run.id) desc limit ? offset ?`,
    ...[...where.values, ...order.values, query.limit, query.offset],
  )
  const members = database.all<{ id: number }>(
    `select run.id from json_each(?) as wanted
     cross join run_entry as entry on entry.configuration = wanted.value
     cross join run on run.id = entry.run
     where ${where.text} order by wanted.key, run.seed, run.id`,
    ...[JSON.stringify(wanted.map(({ configuration }) => configuration)), ...where.values],
  )
  const ids = members.map(({ id }) => id)
  const entries = Map.groupBy(readEntries(database, ids, columns), (entry) => entry.configuration)
  const pinned = baselines(database)
  const rows = [...entries.values()].map((group) => groupOf(group, columns, pinned))
  return { total: total?.n ?? 0, rows }
}

function groupOf(entries: ListedRun[], columns: Column[], pinned: Record<string, string>): RunGroup {
  const { study = '', variant = '' } = entries[0] ?? {}
  return {
    study,
    variant,
    baseline: pinned[study] === variant,
    runs: entries.map(({ id }) => id),
    values: columns.map((column, i) =>
      groupValue(
        column,
        entries.map(({ status, values }) => ({ status, value: values[i] ?? null })),
      ),
    ),
  }
}

/** What a group is sorted by. */
function sharedOf(column: Column): Sql {
  const { text, values } = expressionOf(column)
  if (column.kind === 'metric') return { text: `avg(case when run.status = 'done' then ${text} end)`, values }
  if (column.kind === 'option' || column.name === 'study' || column.name === 'variant') return { text, values }
  const numbers = ['time', 'step', 'steps', 'parameters', 'macs']
  return { text: `${numbers.includes(column.name) ? 'avg' : 'max'}(${text})`, values }
}
