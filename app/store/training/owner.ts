import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { explained } from '../sqlite-error.ts'

/**
 * Who trains a run, for as long as it lives. An owner holds the lock of a file of its own; the system drops the lock
 * at the very end of the process, however it ends. Process ids are no proof of life: they are used again, and zombies
 * keep theirs.
 */
export interface Owner {
  token: string
  release(): void
}

/** Makes a new owner with its lock in `folder`. */
export function claimOwner(folder: string): Owner {
  const token = randomUUID()
  const path = join(folder, token)
  const lock = explained(path, () => takeLock(path))
  return {
    token,
    release() {
      lock.close()
      rmSync(path, { force: true })
    },
  }
}

/** Whether the process of an owner still lives. Removes what a dead one left in `folder`. */
export function ownerLives(folder: string, token: string): boolean {
  const path = join(folder, token)
  if (!existsSync(path)) return false
  try {
    takeLock(path).close()
  } catch {
    return true
  }
  rmSync(path, { force: true })
  return false
}

function takeLock(path: string): BetterSqlite3.Database {
  const lock = new BetterSqlite3(path, { timeout: 0 })
  try {
    // Without a journal on the disk, the lock is the one file.
    lock.pragma('journal_mode = memory')
    return lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    throw error
  }
}
