import type { KeptWeights } from '../../engine/records/store.ts'
import type { Database } from './database.ts'
import type { Objects } from './objects.ts'

/** The objects of a run: its latest weights, the best ones, the state that it resumes from, and its outcomes of examples. */
export type Kind = 'weights' | 'best' | 'state' | 'outcomes'

/** The object of a kind that a run keeps, or its weights of a step; null for none. */
export function objectOf(database: Database, run: number, kind: Kind | number): string | null {
  if (typeof kind === 'number') {
    const sql = 'select object from snapshot where run = ? and step = ?'
    return database.get<{ object: string }>(sql, run, kind)?.object ?? null
  }
  if (kind === 'outcomes') {
    return database.get<{ object: string }>('select object from run_outcomes where run = ?', run)?.object ?? null
  }
  const row =
    kind === 'weights'
      ? database.get<{ object: string | null }>('select weights as object from run where id = ?', run)
      : database.get<{ object: string }>('select object from checkpoint where run = ? and kind = ?', run, kind)
  return row?.object ?? null
}

/** Lets a run keep an object, in place of its earlier object of the same kind. */
export function keepObject(database: Database, run: number, kind: Kind, step: number, hash: string): void {
  if (kind === 'weights') database.run('update run set weights = ?, weights_step = ? where id = ?', hash, step, run)
  else if (kind === 'outcomes') {
    database.run('insert or replace into run_outcomes (run, step, object) values (?, ?, ?)', run, step, hash)
  } else {
    const sql = 'insert or replace into checkpoint (run, kind, step, object) values (?, ?, ?, ?)'
    database.run(sql, run, kind, step, hash)
  }
}

/** Lets a run keep an object as its weights of a step. */
export function keepSnapshot(database: Database, run: number, step: number, hash: string): void {
  database.run('insert or replace into snapshot (run, step, object) values (?, ?, ?)', run, step, hash)
}

/** Deletes the snapshots of a run after `step`. */
export function truncateSnapshots(database: Database, run: number, step: number): void {
  database.run('delete from snapshot where run = ? and step > ?', run, step)
}

/** Which weights a run keeps, by step. */
export function listKept(database: Database, run: number): KeptWeights[] {
  return database
    .all<KeptWeights>(
      `select step as which, step from snapshot where run = ?
       union all select kind, step from checkpoint where run = ? and kind = 'best'
       union all select 'last', coalesce(weights_step, step) from run where id = ? and weights is not null`,
      ...[run, run, run],
    )
    .sort((a, b) => a.step - b.step)
}

/** Deletes the state of a run. */
export function forgetState(database: Database, run: number): void {
  database.run("delete from checkpoint where run = ? and kind = 'state'", run)
}

/** All objects that a run keeps. */
export function allObjectsOf(database: Database, run: number): string[] {
  const sql = `select weights as object from run where id = ? and weights is not null
               union all select object from checkpoint where run = ?
               union all select object from snapshot where run = ?
               union all select object from run_outcomes where run = ?`
  return database.all<{ object: string }>(sql, run, run, run, run).map(({ object }) => object)
}

/**
 * Removes those of the objects that no run keeps. To be called after the commit that let go of them: were they removed
 * before and the commit failed, they would be lost.
 */
export function removeUnused(database: Database, objects: Objects, hashes: string[]): void {
  if (hashes.length === 0) return
  const used = `select 1 from run where weights = ?
                union all select 1 from checkpoint where object = ?
                union all select 1 from snapshot where object = ?
                union all select 1 from run_outcomes where object = ? limit 1`
  try {
    database.write(() => {
      for (const hash of hashes) if (!database.get(used, hash, hash, hash, hash)) objects.remove(hash)
    })
  } catch {
    // Nothing depends on it: an unused file does no harm.
  }
}
