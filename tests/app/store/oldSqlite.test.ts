import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../../app/store/open.ts'
import { openWorkspace } from '../../../app/workspace/index.ts'
import { madeStore } from './madeStore.ts'
import { freshFolder } from './samples.ts'

type Row = Record<string, string | number | null>
interface OldDatabase {
  all(sql: string): Row[]
  exec(sql: string): void
  close(): void
}
/** SQLite 3.40.1, that of Debian 12; the package has no types, and reads no blobs. */
const { Database } = createRequire(import.meta.url)('node-sqlite3-wasm') as {
  Database: new (path: string) => OldDatabase
}

/** Asks the file at `path` as SQLite 3.40 reads it. It has no shared memory, and so no other reader of a WAL beside it. */
function withOld<Result>(path: string, ask: (database: OldDatabase) => Result): Result {
  const database = new Database(path)
  try {
    database.exec('pragma locking_mode = exclusive')
    return ask(database)
  } finally {
    database.close()
  }
}

const message = 'the run is finished and stays as it is'

/** A store of the version before the messages were constants, as that made it. */
function storeOf13(): string {
  const path = join(freshFolder(), 'mixlab.db')
  const database = openDatabase(path, 13)
  const triggers = database.all<{ name: string; sql: string }>(
    "select name, sql from sqlite_schema where type = 'trigger'",
  )
  for (const { name, sql } of triggers) {
    database.execute(`drop trigger ${name}`)
    database.execute(sql.replace(/raise\(abort, '(.*)'\)/, "raise(abort, '$1' || '')"))
  }
  database.run(`insert into run (key, study, variant, seed, status, backend, device, started_at, recorded_at, owner, owner_pid, spec, code)
    values ('k', 's', 'v', 1, 'done', 'cpu', '', 0, 0, '', 0, '{}', '')`)
  database.close()
  return path
}

it('is a SQLite older than expressions as messages of triggers', () => {
  expect(withOld(':memory:', (old) => old.all('select sqlite_version() as version'))).toEqual([{ version: '3.40.1' }])
})

it('reads every table of a store, and changes no finished run', () => {
  const { folder, store, raw, done } = madeStore()
  store.close()
  const names = raw.prepare<[], string>("select name from sqlite_schema where type in ('table', 'view')").pluck().all()
  const queries = names.map((name) => {
    const columns = raw.prepare(`select * from ${name}`).columns()
    return `select ${columns.map((column) => `quote("${column.name}") as "${column.name}"`).join(', ')} from ${name}`
  })
  const known = queries.map((query) => raw.prepare(query).all())
  raw.close()
  withOld(openWorkspace(folder).database, (old) => {
    expect(queries.map((query) => old.all(query))).toEqual(known)
    expect(old.all('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
    const changes = [
      `update run set status = 'running' where id = ${done}`,
      `delete from run_origin where run = ${done}`,
      `insert into snapshot values (${done}, 9, 'x')`,
    ]
    for (const change of changes) expect(() => old.exec(change), change).toThrow(message)
    old.exec(`insert into tag values (${done}, 'good')`)
  })
})

it('reads what docs/notebook.md asks from Python', () => {
  const text = readFileSync('docs/notebook.md', 'utf8')
  const [, sql = ''] = text.slice(text.indexOf('sqlite3.connect(')).split('"""')
  const { folder, store, raw } = madeStore()
  raw.exec("update metric_name set name = 'test/accuracy'")
  raw.close()
  store.close()
  expect(withOld(openWorkspace(folder).database, (old) => old.all(sql))).toEqual([
    { variant: 'done', seed: 0, last: 1 },
  ])
})

it('reads a store of version 13 once it was opened by this program', () => {
  const path = storeOf13()
  expect(() => withOld(path, (old) => old.all('select * from run'))).toThrow(/malformed database schema/)
  openDatabase(path).close()
  withOld(path, (old) => {
    expect(old.all('select key, status from run')).toEqual([{ key: 'k', status: 'done' }])
    expect(() => old.exec('delete from run')).toThrow(message)
  })
})

it('has the same schema, whether a store is new or of version 13', () => {
  const path = join(freshFolder(), 'mixlab.db')
  const schemas = [openDatabase(path), openDatabase(storeOf13())].map((database) => {
    const rows = database.all('select type, name, tbl_name, sql from sqlite_schema order by type, name')
    database.close()
    return rows
  })
  expect(schemas[1]).toEqual(schemas[0])
})
