import { dirname, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { MixlabError, messageOf } from '../../../engine/errors.ts'
import type { SqlResult, SqlValue } from '../../../engine/host.ts'
import { openObjects } from '../objects.ts'
import { errorLine } from './errorLine.ts'
import { addExamples, addViews } from './views.ts'

/** Of a longer answer the beginning is given. */
export const MAX_ROWS = 5000
const MAX_CHARACTERS = 2_000_000
const MAX_TEXT = 4000 // characters of one value

/**
 * Answers one query on the store at `path`, which it cannot change. It may take for ever, and cannot be stopped from
 * within: SQLite is built without a way to interrupt it, so that a process of its own runs this. Throws MixlabError
 * `store` with the path `line <n>` where that is known.
 */
export function runSql(path: string, sql: string): SqlResult {
  const [connection, points] = [openToRead(path), openToRead(path)]
  try {
    addViews(connection, points)
    addExamples(connection, openObjects(join(dirname(path), 'objects')))
    connection.pragma('query_only = on')
    return answer(connection, sql)
  } finally {
    points.close()
    connection.close()
  }
}

function openToRead(path: string): BetterSqlite3.Database {
  return new BetterSqlite3(path, { readonly: true, fileMustExist: true })
}

function answer(connection: BetterSqlite3.Database, sql: string): SqlResult {
  const statement = explained(connection, sql, () => connection.prepare<[], unknown[]>(sql))
  if (!statement.readonly) throw new MixlabError('store', '', 'a query reads: it cannot change the store')
  // `attach` counts as reading.
  if (!statement.reader) throw new MixlabError('store', '', 'a query gives rows, as select, with and values do')
  const columns = statement.columns().map(({ name }) => name)
  return { columns, ...explained(connection, sql, () => read(statement.raw().iterate())) }
}

function read(found: Iterable<unknown[]>): Pick<SqlResult, 'rows' | 'truncated'> {
  const rows: SqlValue[][] = []
  let characters = 0
  for (const values of found) {
    if (rows.length === MAX_ROWS || characters > MAX_CHARACTERS) return { rows, truncated: true }
    const row = values.map(shown)
    for (const value of row) characters += typeof value === 'string' ? value.length : 8
    rows.push(row)
  }
  return { rows, truncated: false }
}

function shown(value: unknown): SqlValue {
  if (typeof value === 'number' || value === null) return value
  if (value instanceof Uint8Array) return `${value.length} bytes`
  const text = String(value)
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}...` : text
}

function explained<Result>(connection: BetterSqlite3.Database, sql: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const message = messageOf(error)
    if (/contains no statements/.test(message)) throw new MixlabError('store', '', 'the query is empty')
    if (/more than one statement/.test(message)) throw new MixlabError('store', '', 'a cell holds one query')
    if (/Too few parameter values|Missing named parameter/.test(message))
      throw new MixlabError('store', '', 'a query has no parameters')
    const line = errorLine(sql, message, (text) => complaintOf(connection, text))
    throw new MixlabError('store', line === null ? '' : `line ${line}`, message)
  }
}

function complaintOf(connection: BetterSqlite3.Database, sql: string): string | null {
  try {
    connection.prepare(sql)
    return null
  } catch (error) {
    return messageOf(error)
  }
}
