import { MixlabError } from '../../../engine/errors.ts'
import type { BegunRun, RunStart } from '../../../engine/records/run.ts'
import type { Database } from '../database.ts'
import { writeOrigin } from '../origin.ts'
import type { StoreParts } from '../parts.ts'
import { LAST_BACKEND_IS, NOT_ARCHIVED } from '../run.ts'
import { removeUnused } from '../runObjects.ts'
import { enterRun } from '../runs/configuration.ts'
import { beginDesign } from '../runs/designs.ts'
import { canBegin, putInTraining, takeOver } from './admit.ts'

/**
 * Puts a run into training: its newest attempt that was interrupted on the same backend, or else a new one; archived ones
 * do not count. Null where a run of this key is in training or done. Objects that crashes left behind are removed when this process first trains.
 */
export function beginRun(store: StoreParts, run: RunStart): BegunRun | null {
  const owner = store.owners.claim(() => removeUnused(store, store.objects, store.objects.list()))
  return store.write(() => {
    if (!canBegin(store, run.key)) return null
    if (!run.origin?.quick) beginDesign(store, run.key) // the quick mode tries out what is then planned
    const id = resumeAttempt(store, owner, run)
    return { id, epoch: takeOver(store, id) }
  })
}

function resumeAttempt(database: Database, owner: string, run: RunStart): number {
  const interrupted = database.get<{ id: number }>(
    `select id from run where key = ? and status = 'interrupted' and ${LAST_BACKEND_IS} and ${NOT_ARCHIVED} order by id desc limit 1`,
    run.key,
    run.backend,
    run.backend,
  )
  if (!interrupted) return insertRun(database, owner, run)
  putInTraining(database, interrupted.id, owner)
  database.run('update run set device = ? where id = ?', run.device, interrupted.id)
  writeOrigin(database, interrupted.id, run)
  return interrupted.id
}

function insertRun(database: Database, owner: string, run: RunStart): number {
  const { key, study, variant, seed, backend, device, spec, code } = run
  if (!Number.isSafeInteger(seed)) throw new MixlabError('store', 'seed', `${seed}: must be a whole number`)
  const now = Date.now()
  const id = database.run(
    `insert into run (key, study, variant, seed, status, backend, device, started_at, recorded_at, owner, owner_pid,
       spec, code)
     values (?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[key, study, variant, seed, backend, device, now, now, owner, process.pid, JSON.stringify(spec), code],
  )
  writeOrigin(database, id, run)
  enterRun(database, id, run)
  return id
}
