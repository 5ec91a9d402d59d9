import { MixlabError } from '../../../engine/errors.ts'
import type { Recorder, RunStatus } from '../../../engine/records/run.ts'
import type { Database } from '../database.ts'
import { NOT_ARCHIVED, type RunRow, unknownRun } from '../run.ts'
import type { Owners } from './owners.ts'

interface Owned extends Pick<RunRow, 'key' | 'status'> {
  owner: string
  epoch: number
  batch: number
  stop: number
}

/**
 * Whether a batch of events, which may be one that `ends` the run, was recorded before, and whether the run is to stop. A
 * run that was interrupted without its owner, e.g. because the store was killed, is in training again. Belongs inside a transaction. Throws
 * MixlabError `owner` for an earlier owner, and `store` for an unknown run, a finished one, or one that another process trains.
 */
export function admitEvents(
  database: Database,
  owners: Owners,
  run: number,
  by: Recorder | undefined,
  ends: boolean,
  at: number,
): { known: boolean; stop: boolean } {
  const row = database.get<Owned>(
    `select key, status, owner, coalesce(epoch, 0) as epoch, coalesce(batch, 0) as batch, coalesce(stop, 0) as stop
     from run left join run_owner on run_owner.run = run.id where id = ?`,
    run,
  )
  if (!row) throw unknownRun(run)
  if (by && by.epoch !== row.epoch) {
    throw new MixlabError('owner', `run ${run}`, `its owner ${by.epoch} is too late, ${row.epoch} has taken it up`)
  }
  if (row.status === 'running' && row.owner !== owners.own()) {
    throw new MixlabError('store', `run ${run}`, 'is in training in another process')
  }
  const stop = row.stop === 1
  const known = by?.batch !== undefined && by.batch <= row.batch
  if (!known && (row.status === 'done' || row.status === 'failed')) throw finishedRun(run, row.status)
  if (by?.batch === undefined) return { known, stop }
  if (row.status === 'interrupted' && !(known && ends)) resume(database, owners, run, row.key, at)
  if (known) return { known, stop }
  database.run('update run_owner set batch = ? where run = ?', by.batch, run)
  return { known: false, stop }
}

/** The error for a change of a run that is done or has failed. */
function finishedRun(run: number, status: RunStatus): MixlabError {
  const what = status === 'done' ? 'is done' : 'has failed'
  return new MixlabError('store', `run ${run}`, `${what}, and stays as it is`)
}

/** Makes the caller the owner of a run, and returns the owner's number: that of the attempt, where it came with one. */
export function takeOver(database: Database, run: number, attempt?: number): number {
  database.run(
    `insert into run_owner (run, epoch, outside) values (?, coalesce(?, 1), ?)
     on conflict (run) do update set epoch = coalesce(?, epoch + 1), outside = excluded.outside, batch = 0, stop = 0`,
    ...[run, attempt ?? null, attempt === undefined ? 0 : 1, attempt ?? null],
  )
  return database.get<{ epoch: number }>('select epoch from run_owner where run = ?', run)?.epoch ?? 0
}

/** Whether a run of a key can be begun: none is in training, none done that is not archived. */
export function canBegin(database: Database, key: string): boolean {
  const open = `select 1 from run where key = ? and (status = 'running' or status = 'done' and ${NOT_ARCHIVED}) limit 1`
  return !database.get(open, key)
}

/** Resumes an interrupted run; its start moves by the length of the break, so that its time counts training alone. */
export function putInTraining(database: Database, run: number, owner: string, now = Date.now()): void {
  database.run(
    `update run set status = 'running', owner = ?, owner_pid = ?, recorded_at = ?, ended_at = null,
       started_at = ? - max(0, coalesce(ended_at, recorded_at) - started_at)
     where id = ?`,
    ...[owner, process.pid, now, now, run],
  )
}

/** Asks the processes that train runs to stop; they learn it when they next record. Other runs stay as they are. */
export function stopRuns(database: Database, ids: number[]): void {
  database.run(
    `update run_owner set stop = 1 where run in
       (select id from run where status = 'running' and id in (select value from json_each(?)))`,
    JSON.stringify(ids),
  )
}

function resume(database: Database, owners: Owners, run: number, key: string, at: number): void {
  if (!canBegin(database, key)) throw new MixlabError('owner', `run ${run}`, 'somebody else trains it anew by now')
  putInTraining(
    database,
    run,
    owners.claim(() => {}),
    at,
  )
}
