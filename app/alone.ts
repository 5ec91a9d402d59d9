import BetterSqlite3 from 'better-sqlite3'

/**
 * Does `work` while no other process does anything under the same `lock`; `waiting` is called once if it has to wait. The
 * lock is a file of SQLite, which the system unlocks when its process ends in whatever way: none is ever left behind.
 */
export async function alone<Result>(lock: string, work: () => Promise<Result>, waiting = () => {}): Promise<Result> {
  const database = new BetterSqlite3(lock, { timeout: 0 })
  try {
    for (let turn = 0; !takes(database); turn++) {
      if (turn === 0) waiting()
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    return await work()
  } finally {
    database.close()
  }
}

function takes(database: BetterSqlite3.Database): boolean {
  try {
    return Boolean(database.exec('begin exclusive'))
  } catch (error) {
    if (error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false
    throw error
  }
}
