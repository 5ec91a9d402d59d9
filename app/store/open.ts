import { makePrivate } from '../workspace/private.ts'
import { connectDatabase, type Database } from './database.ts'
import { derive } from './derive.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'

/** Opens or creates the store's SQLite file and brings it to a version, the newest by default. No commit is ever lost. */
export function openDatabase(path: string, version = migrations.length): Database {
  makePrivate(path) // first, for the files beside it get its mode from SQLite
  const database = connectDatabase(path)
  try {
    // A commit must outlive a power cut, hence `full`: one sync per batch of events is cheap.
    database.execute('pragma synchronous = full; pragma foreign_keys = on')
    migrate(database, migrations.slice(0, version), version === migrations.length ? derive : undefined)
    database.forget() // what migrations ask is not asked again
    // Comes last, because it changes the file, and before here the file may be anyone's.
    database.execute('pragma journal_mode = wal')
  } catch (error) {
    database.close()
    throw error
  }
  return database
}
