import BetterSqlite3 from 'better-sqlite3'
import { MixlabError } from '../../engine/errors.ts'

/** Seconds to wait for another process that writes. */
export const busySeconds = 30

const reasons: [code: string, reason: string][] = [
  ['SQLITE_NOTADB', 'is not a mixlab database'],
  ['SQLITE_CORRUPT', 'is damaged; restore it from a copy, or move it away to start afresh'],
  ['SQLITE_BUSY', `was kept locked by another process for ${busySeconds} s`],
  ['SQLITE_READONLY', 'cannot be written to'],
  ['SQLITE_CANTOPEN', 'cannot be opened'],
  ['SQLITE_FULL', 'cannot grow: the disk is full'],
]

/** Does `work` on the database at `path`; what SQLite throws becomes a MixlabError `store` in plain words. */
export function explained<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof BetterSqlite3.SqliteError)) throw error
    const { code, message } = error
    // What a trigger says is plain already.
    if (code === 'SQLITE_CONSTRAINT_TRIGGER') throw new MixlabError('store', path, message)
    const reason = reasons.find(([prefix]) => code.startsWith(prefix))?.[1] ?? `failed (${code}): ${message}`
    throw new MixlabError('store', path, reason)
  }
}
