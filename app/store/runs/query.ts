import { MixlabError } from '../../../engine/errors.ts'
import { type Column, resolveColumn } from '../../../engine/runs/column.ts'
import { isTextFact } from '../../../engine/runs/facts.ts'
import { type Clause, type Operator, parseFilter, type Wanted } from '../../../engine/runs/filter.ts'
import type { Page, RunLine, RunsQuery } from '../../../engine/runs/types.ts'
import type { Database } from '../database.ts'
import { expressionOf, type Sql } from './expression.ts'
import { runFields } from './fields.ts'
import { readEntries } from './values.ts'

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
    where: whereClause(parseFilter(filter, fields)),
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

/**
 * A filter as SQL over `run` and `entry`; what is quick to tell comes first. A plus keeps the columns of `entry` out of
 * the choice of an index: where they come from is settled already, and any other way looks at far more rows.
 */
export function whereClause(clauses: Clause[]): Sql {
  const conditions = clauses.toSorted((a, b) => costOf(a) - costOf(b)).map(conditionOf)
  return {
    text: conditions.map(({ text }) => text).join(' and ') || 'true',
    values: conditions.flatMap(({ values }) => values),
  }
}

function costOf(clause: Clause): number {
  if (clause.kind === 'word') return 2
  return clause.column.kind === 'fact' ? 0 : clause.column.kind === 'option' ? 1 : 3
}

function conditionOf(clause: Clause): Sql {
  const { text, values } = clause.kind === 'word' ? wordSql(clause.wanted) : fieldSql(clause)
  // What a run does not have is neither above nor below.
  return { text: clause.not ? `(${text}) is not true` : `(${text})`, values }
}

function wordSql(wanted: Wanted): Sql {
  const pattern = patternOf(wanted)
  return {
    text: `+entry.configuration in (select id from configuration where study like ? escape '\\' or variant like ? escape '\\')
      or entry.note like ? escape '\\' or run.id in (select run from tag where name like ? escape '\\')`,
    values: [pattern, pattern, pattern, pattern],
  }
}

function fieldSql({ column, operator, wanted }: Extract<Clause, { kind: 'field' }>): Sql {
  if (operator === '=' && isNumber(column)) {
    const { text, values } = expressionOf(column)
    const numbers = JSON.stringify(wanted.map(({ number }) => number))
    return { text: `${text} in (select value from json_each(?))`, values: [...values, numbers] }
  }
  const parts = wanted.map((each) => compareSql(column, operator, each))
  return { text: parts.map(({ text }) => text).join(' or '), values: parts.flatMap(({ values }) => values) }
}

function compareSql(column: Column, operator: Operator, wanted: Wanted): Sql {
  if (column.kind === 'option') return optionSql(column.name, operator, wanted)
  const like = { text: "like ? escape '\\'", values: [patternOf(wanted)] }
  if (column.kind === 'fact' && !isNumber(column)) {
    switch (column.name) {
      case 'tags':
        return { text: `run.id in (select run from tag where name ${like.text})`, values: like.values }
      case 'study':
      case 'variant': {
        const found = `select id from configuration where ${column.name} ${like.text}`
        return { text: `+entry.configuration in (${found})`, values: like.values }
      }
      default:
        return { text: `${expressionOf(column).text} ${like.text}`, values: like.values }
    }
  }
  const { text, values } = expressionOf(column)
  return { text: `${text} ${operator} ?`, values: [...values, wanted.number] }
}

function isNumber(column: Column): boolean {
  return column.kind === 'fact' ? !isTextFact(column.name) : column.kind === 'metric'
}

/** A number is compared with numbers, a text with what an option looks like. */
function optionSql(name: string, operator: Operator, wanted: Wanted): Sql {
  const number = wanted.number !== null
  const compare = number
    ? `typeof(value) <> 'text' and value ${operator} ?`
    : "case typeof(value) when 'text' then value else format('%.15g', value) end like ? escape '\\'"
  return {
    text: `+entry.configuration in (select configuration from option
      where name = (select id from option_name where name = ?) and ${compare})`,
    values: [name, number ? wanted.number : patternOf(wanted)],
  }
}

/** A pattern for `like`, in which the case of ASCII letters does not matter. */
function patternOf({ parts }: Wanted): string {
  return parts.map((part) => part.replace(/[\\%_]/g, '\\$&')).join('%')
}
