import { MixlabError } from '../../../engine/errors.ts'
import { type Column, resolveColumn } from '../../../engine/runs/column.ts'
import { isTextFact } from '../../../engine/runs/facts.ts'
import { parseFilter } from '../../../engine/runs/filter.ts'
import type { Page, RunLine, RunsQuery } from '../../../engine/runs/types.ts'
import type { Database } from '../database.ts'
import { expressionOf, type Sql } from './expression.ts'
import { runFields } from './fields.ts'
import { readEntries } from './values.ts'
import { whereOf } from './where.ts'

/** What runs are chosen from: read from the newest, without the width of the table `run`. */
export const SOURCE = 'run indexed by run_listed cross join run_entry as entry on entry.run = run.id'

/** A query whose names are resolved. */
export interface Resolved {
  where: Sql
  sort: { column: Column; descending: boolean }[]
  columns: Column[]
}

/** Throws MixlabError `option` for a name, a filter or a part of the rows that cannot be. */
export function resolveQuery(database: Database, { filter, sort, columns, offset, limit }: RunsQuery): Resolved {
  for (const [name, value] of Object.entries({ offset, limit })) {
    if (Number.isSafeInteger(value) && value >= 0) continue
    throw new MixlabError('option', name, `${value}: must be a whole number, 0 or more`)
  }
  const fields = runFields(database)
  return {
    where: whereOf(parseFilter(filter, fields)),
    sort: sort.map(({ column, descending }) => ({ column: resolveColumn(column, fields), descending })),
    columns: columns.map((name) => resolveColumn(name, fields)),
  }
}

/** The runs of a query. What a run lacks comes last, whatever the direction. */
export function queryRuns(database: Database, query: RunsQuery): Page<RunLine> {
  const { where, sort, columns } = resolveQuery(database, query)
  const order = orderOf(sort, expressionOf)
  const total = database.get<{ n: number }>(`select count(*) as n from ${SOURCE} where ${where.text}`, ...where.values)
  const ids = database.all<{ id: number }>(
    `select run.id from ${SOURCE} where ${where.text} order by ${order.text}run.id desc limit ? offset ?`,
    ...[...where.values, ...order.values, query.limit, query.offset],
  )
  const shown = ids.map(({ id }) => id)
  const entries = readEntries(database, shown, columns)
  return { total: total?.n ?? 0, rows: entries.map(({ configuration: _, ...line }) => line) }
}

/** `order by` terms, each followed by a comma. */
export function orderOf(sort: Resolved['sort'], sqlOf: (column: Column) => Sql): Sql {
  const terms = sort.map(({ column, descending }) => {
    const { text, values } = sqlOf(column)
    const collate = isText(column) ? ' collate nocase' : ''
    return { text: `${text}${collate} ${descending ? 'desc' : 'asc'} nulls last, `, values }
  })
  return { text: terms.map(({ text }) => text).join(''), values: terms.flatMap(({ values }) => values) }
}

function isText(column: Column): boolean {
  return column.kind === 'fact' ? isTextFact(column.name) : column.kind === 'option'
}
