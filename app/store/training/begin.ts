import { MixlabError } from '../../../engine/errors.ts'
import type { BegunRun, RunStart, RunStatus } from '../../../engine/records/run.ts'
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
 * do not count. With the number of an attempt from outside, also one in training, if its number is not higher. Null where a run of this key is in training or done. Objects that crashes left behind are removed when this process first trains.
 * `at` is when that was, in ms since 1970, where it is recorded later.
 */
export function beginRun(store: StoreParts, run: RunStart, at = Date.now()): BegunRun | null {
  const owner = store.owners.claim(() => removeUnused(store, store.objects, store.objects.list()))
  return store.write(() => {
    const { attempt } = run
    const open = attempt === undefined ? undefined : openAttempt(store, run)
    if (attempt !== undefined && open) {
      if (!isLatest(owner, open, attempt)) return null
      resumeAttempt(store, owner, run, open.id, at)
      if (attempt === open.epoch) return { id: open.id, epoch: attempt, after: open.batch }
      return { id: open.id, epoch: takeOver(store, open.id, attempt) }
    }
    if (!canBegin(store, run.key)) return null
    if (!run.origin?.quick) beginDesign(store, run.key, at) // the quick mode tries out what is then planned
    const id = resumeNewest(store, owner, run, at)
    return { id, epoch: takeOver(store, id, attempt) }
  })
}

/** The newest attempt at a run that is in training or interrupted, with the number of its owner. */
interface OpenAttempt {
  id: number
  status: RunStatus
  owner: string
  epoch: number
  batch: number
  outside: number
}

function openAttempt(database: Database, { key, backend }: RunStart): OpenAttempt | undefined {
  return database.get<OpenAttempt>(
    `select id, status, owner, coalesce(epoch, 0) as epoch, coalesce(batch, 0) as batch, coalesce(outside, 0) as outside
     from run left join run_owner on run_owner.run = run.id
     where key = ? and (status = 'running' or status = 'interrupted' and ${LAST_BACKEND_IS}) and ${NOT_ARCHIVED}
     order by id desc limit 1`,
    ...[key, backend, backend],
  )
}

/**
 * Whether an attempt with a number from outside may go on with a run; not where another process records the same one.
 * Throws MixlabError `owner` for a lower number than the latest, and for one that the store has given.
 */
function isLatest(own: string, { status, owner, epoch, outside, id }: OpenAttempt, attempt: number): boolean {
  if (attempt < epoch || (attempt === epoch && outside === 0))
    throw new MixlabError('owner', `run ${id}`, `attempt ${attempt} is too late, ${epoch} has taken it up`)
  return attempt > epoch || status !== 'running' || owner === own
}

function resumeNewest(database: Database, owner: string, run: RunStart, at: number): number {
  const interrupted = database.get<{ id: number }>(
    `select id from run where key = ? and status = 'interrupted' and ${LAST_BACKEND_IS} and ${NOT_ARCHIVED} order by id desc limit 1`,
    run.key,
    run.backend,
    run.backend,
  )
  if (!interrupted) return insertRun(database, owner, run, at)
  resumeAttempt(database, owner, run, interrupted.id, at)
  return interrupted.id
}

function resumeAttempt(database: Database, owner: string, run: RunStart, id: number, at: number): void {
  putInTraining(database, id, owner, at)
  database.run('update run set device = ? where id = ?', run.device, id)
  writeOrigin(database, id, run)
}

function insertRun(database: Database, owner: string, run: RunStart, at: number): number {
  const { key, study, variant, seed, backend, device, spec, code } = run
  if (!Number.isSafeInteger(seed)) throw new MixlabError('store', 'seed', `${seed}: must be a whole number`)
  const id = database.run(
    `insert into run (key, study, variant, seed, status, backend, device, started_at, recorded_at, owner, owner_pid,
       spec, code)
     values (?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[key, study, variant, seed, backend, device, at, at, owner, process.pid, JSON.stringify(spec), code],
  )
  writeOrigin(database, id, run)
  enterRun(database, id, run)
  return id
}
