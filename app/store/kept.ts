import type { Database } from './database.ts'
import type { Objects } from './objects.ts'

/** What a run keeps as objects: its latest weights, the best ones, and the state to go on from. */
export type Kind = 'weights' | 'best' | 'state'

/** The object of a kind that a run keeps, or null. */
export function keptBy(database: Database, run: number, kind: Kind): string | null {
  const row =
    kind === 'weights'
      ? database.get<{ object: string | null }>('select weights as object from run where id = ?', run)
      : database.get<{ object: string }>('select object from checkpoint where run = ? and kind = ?', run, kind)
  return row?.object ?? null
}

/** Lets a run keep an object in place of that of the same kind before. */
export function keep(database: Database, run: number, kind: Kind, step: number, hash: string): void {
  if (kind === 'weights') database.run('update run set weights = ? where id = ?', hash, run)
  else {
    const sql = 'insert or replace into checkpoint (run, kind, step, object) values (?, ?, ?, ?)'
    database.run(sql, run, kind, step, hash)
  }
}

/** Lets go of the state of a run. */
export function forgetState(database: Database, run: number): void {
  database.run("delete from checkpoint where run = ? and kind = 'state'", run)
}

/** All objects that a run keeps. */
export function allKeptBy(database: Database, run: number): string[] {
  const sql = `select weights as object from run where id = ? and weights is not null
               union all select object from checkpoint where run = ?`
  return database.all<{ object: string }>(sql, run, run).map(({ object }) => object)
}

/**
 * Removes those of the objects that no run keeps. To be called after the commit that let go of them: were they removed
 * before and the commit failed, they would be lost.
 */
export function removeUnused(database: Database, objects: Objects, hashes: string[]): void {
  if (hashes.length === 0) return
  const used = `select 1 from run where weights = ?
                union all select 1 from checkpoint where object = ? limit 1`
  try {
    database.write(() => {
      for (const hash of hashes) if (!database.get(used, hash, hash)) objects.remove(hash)
    })
  } catch {
    // Nothing else depends on it, and a file too many harms nobody.
  }
}
