import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { openStore, type Store } from '../../../app/store/index.ts'
import { first } from '../../../app/store/migrations/001-first.ts'
import { checkpoints } from '../../../app/store/migrations/002-checkpoints.ts'
import { openWorkspace } from '../../../app/workspace/index.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { BegunRun, RunStart } from '../../../engine/records/run.ts'
import { MEANINGS } from '../../meanings.ts'

/** A new, empty folder. */
export function freshFolder(): string {
  return realpathSync.native(mkdtempSync(join(tmpdir(), 'mixlab-')))
}

let empty: string | null = null

/** A new workspace with an empty store: a copy, for what makes one waits for the disk at each of its versions. */
export function freshWorkspace(): string {
  const folder = freshFolder()
  if (empty === null) {
    const made = openWorkspace(freshFolder())
    openStore(made).close()
    empty = made.database
  }
  copyFileSync(empty, openWorkspace(folder).database)
  return folder
}

/** The store of the workspace at `folder`. */
export function storeAt(folder: string): Store {
  return openStore(openWorkspace(folder))
}

/** Makes the workspace at `folder` with a store of version 2 that has the runs 1 and 2, of seeds 1 and 2. */
export function makeOldStore(folder: string): void {
  const raw = new BetterSqlite3(openWorkspace(folder).database)
  raw.exec(`${first}${checkpoints}
    pragma application_id = 0x4d69786c; pragma user_version = 2;
    insert into run (key, study, variant, seed, status, backend, device, started_at, recorded_at, owner, owner_pid, spec, code)
    select 'key ' || value, 'gating', 'gmlp', value, 'done', 'cpu', 'a processor', 0, 0, '', 0,
      json_object('seed', value, 'train', json('{"steps":10}')), '' from json_each('[1, 2]')`)
  raw.close()
}

/** The id of a run that could be begun. */
export function begun(run: BegunRun | null): number {
  if (run === null) throw new Error('somebody else trains the run, or it is done')
  return run.id
}

/** A run as a study would start it; its key goes by its variant. */
export function sampleRun(changes: Partial<RunStart> = {}): RunStart {
  return {
    key: createHash('sha256')
      .update(changes.variant ?? 'gmlp')
      .digest('hex'),
    study: 'gating',
    variant: 'gmlp',
    seed: 0,
    spec: { train: { steps: 10 } },
    code: 'export const gated = 1',
    backend: 'cpu',
    device: 'a processor',
    ...changes,
  }
}

/** Metric events for steps `from` to before `to`, of value `step / 2`. */
export function metricEvents(name: string, from: number, to: number): TrainEvent[] {
  return Array.from({ length: to - from }, (_, i) => ({
    type: 'metric',
    name,
    step: from + i,
    value: (from + i) / 2,
    meaning: MEANINGS[name],
  }))
}

/** Every number from `from` to before `to`. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}
