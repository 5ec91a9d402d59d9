import BetterSqlite3 from 'better-sqlite3'
import { MixlabError } from '../../engine/errors.ts'
import { busySeconds, explained } from './sqlite-error.ts'

/** A value that SQLite can hold. */
export type SqlParameter = string | number | Uint8Array | null

/** One SQLite file. Everything throws MixlabError `store` with the path and, in plain words, why. */
export interface Database {
  path: string
  all<Row>(sql: string, ...values: SqlParameter[]): Row[]
  get<Row>(sql: string, ...values: SqlParameter[]): Row | undefined
  /** Runs a statement that returns no rows; returns the id of the row inserted last. */
  run(sql: string, ...values: SqlParameter[]): number
  /** Runs several statements given as one text. */
  execute(sql: string): void
  pragma(name: string): number
  /** Does `work` in one transaction that holds the write lock from its start: all of it happens, or nothing. */
  write<Result>(work: () => Result): Result
  /** Does `work` on one state of the store, whatever others write meanwhile. */
  read<Result>(work: () => Result): Result
  /** The texts of the statements prepared so far. */
  statements(): string[]
  /** Lets go of these. */
  forget(): void
  close(): void
}

/** Opens or creates a SQLite file. Several processes can use it at once. */
export function connectDatabase(path: string): Database {
  return connect(path, {})
}

/** Opens a SQLite file that there is, to read alone. */
export function connectToRead(path: string): Database {
  return connect(path, { readonly: true, fileMustExist: true })
}

function connect(path: string, options: BetterSqlite3.Options): Database {
  const connection = explained(path, () => new BetterSqlite3(path, { timeout: busySeconds * 1000, ...options }))
  const prepared = new Map<string, BetterSqlite3.Statement<SqlParameter[]>>()

  function guarded<Result>(work: () => Result): Result {
    if (!connection.open) throw new MixlabError('store', path, 'is closed')
    return explained(path, work)
  }

  function statement(sql: string): BetterSqlite3.Statement<SqlParameter[]> {
    const known = prepared.get(sql)
    if (known) return known
    const made = connection.prepare<SqlParameter[]>(sql)
    prepared.set(sql, made)
    return made
  }

  return {
    path,
    all: <Row>(sql: string, ...values: SqlParameter[]) => guarded(() => statement(sql).all(...values) as Row[]),
    get: <Row>(sql: string, ...values: SqlParameter[]) =>
      guarded(() => statement(sql).get(...values) as Row | undefined),
    run: (sql, ...values) => guarded(() => Number(statement(sql).run(...values).lastInsertRowid)),
    execute: (sql) => guarded(() => void connection.exec(sql)),
    pragma: (name) => guarded(() => Number(connection.pragma(name, { simple: true }))),
    write: (work) => guarded(() => connection.transaction(work).immediate()),
    read: (work) => guarded(() => connection.transaction(work).deferred()),
    statements: () => [...prepared.keys()],
    forget: () => prepared.clear(),
    close: () => void connection.close(),
  }
}
