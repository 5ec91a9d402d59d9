import BetterSqlite3 from 'better-sqlite3'

const LOOK_EVERY = 200 // ms

/**
 * Does `work` while no other process does anything under the same lock; `waiting` hears once that it has to wait for one.
 * `lock` is a file of SQLite, which the system unlocks when its process ends in whatever way: none is ever left behind.
 */
export async function alone<Result>(
  lock: string,
  work: () => Promise<Result>,
  waiting: () => void = () => {},
): Promise<Result> {
  const database = new BetterSqlite3(lock, { timeout: 0 })
  try {
    if (!locks(database)) {
      waiting()
      while (!locks(database)) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY))
    }
    return await work()
  } finally {
    database.close()
  }
}

function locks(database: BetterSqlite3.Database): boolean {
  try {
    database.exec('begin exclusive')
    return true
  } catch (error) {
    if (error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false
    throw error
  }
}
