import { MixlabError } from '../../engine/errors.ts'
import type {
  CellOutput,
  RunFilter,
  Series,
  SeriesBand,
  SeriesGroup,
  StepRange,
  StoredHistogram,
} from '../../engine/host.ts'
import type { TrainEvent } from '../../engine/records/events.ts'
import type { RunReport } from '../../engine/records/report.ts'
import type { RunStart, StoredRun, StoredRunDetails } from '../../engine/records/run.ts'
import type { KeptWeights, WhichWeights } from '../../engine/records/store.ts'
import type { Page, RunFields, RunGroup, RunLine, RunsQuery } from '../../engine/runs/types.ts'
import type { Database } from './database.ts'
import { listHistograms, readHistograms } from './histograms.ts'
import { type Kind, keptBy, listKept, removeUnused } from './kept.ts'
import { findDone, findResumable, listRuns } from './list.ts'
import { openObjects } from './objects.ts'
import { openDatabase } from './open.ts'
import { moveRuns } from './origin.ts'
import { moveOutputs, readOutputs, writeOutput } from './outputs.ts'
import { claimOwner, type Owner, ownerLives } from './owner.ts'
import { readBands } from './points/bands.ts'
import { readSeries } from './points/series.ts'
import { record } from './record.ts'
import { resolveReference } from './reference.ts'
import { readReport } from './report.ts'
import { beginRun, unknownRun } from './run.ts'
import { runFields } from './runs/fields.ts'
import { groupRuns } from './runs/group.ts'
import { archiveRuns, baselines, noteRun, pinBaseline, tagRuns } from './runs/marks.ts'
import { queryRuns } from './runs/query.ts'
import { showRuns } from './show.ts'

/** The store of a workspace. The methods that `Host` has too do what is said there, at once instead of in a promise. */
export interface Store {
  findDone(keys: string[]): StoredRun[]
  findResumable(keys: string[], backend: string): { key: string; step: number }[]
  beginRun(run: RunStart): number | null
  readState(id: number): Uint8Array | null
  record(id: number, events: TrainEvent[]): void
  listRuns(filter?: RunFilter): StoredRun[]
  queryRuns(query: RunsQuery): Page<RunLine>
  groupRuns(query: RunsQuery): Page<RunGroup>
  runFields(): RunFields
  tagRuns(ids: number[], add: string[], remove: string[]): void
  noteRun(id: number, note: string): void
  archiveRuns(ids: number[], archived: boolean): void
  pinBaseline(study: string, variant: string | null): void
  baselines(): Record<string, string>
  showRun(reference: string): StoredRunDetails
  showRuns(ids: number[]): StoredRunDetails[]
  readSeries(ids: number[], metric: string, buckets?: number, range?: StepRange): Series[]
  readBands(groups: SeriesGroup[], metrics: string[], buckets?: number, range?: StepRange): SeriesBand[]
  readReport(id: number): RunReport | null
  listWeights(id: number): KeptWeights[]
  readWeights(id: number, which?: WhichWeights): Uint8Array
  listHistograms(id: number): string[]
  readHistograms(id: number, name?: string): StoredHistogram[]
  readOutputs(notebook: string): CellOutput[]
  writeOutput(notebook: string, output: CellOutput): void
  /** Gives the outputs of a notebook to its new name. */
  moveOutputs(from: string, to: string): void
  /** Gives the runs of a notebook to its new name. */
  moveRuns(from: string, to: string): void
  /** Real paths outside the workspace whose files may be read. */
  allowedPaths(): string[]
  allowPath(path: string): void
  /** The texts of the statements prepared so far. */
  statements(): string[]
  /** Ends the runs begun here that are still in training as interrupted. */
  close(): void
}

/** The database file, and folders that exist. */
export interface StorePaths {
  database: string
  objects: string
  owners: string
}

/** Opens a store. Runs whose process died are interrupted from then on. Throws MixlabError `store`. */
export function openStore(paths: StorePaths): Store {
  const database = openDatabase(paths.database)
  try {
    return storeOn(database, paths)
  } catch (error) {
    database.close()
    throw error
  }
}

function storeOn(database: Database, paths: StorePaths): Store {
  const objects = openObjects(paths.objects)
  let owner: Owner | null = null
  let open = true

  // Before every look at the runs, because a process beside this one can die at any time.
  function interruptOrphans(): void {
    const owners = database.all<{ owner: string }>(
      "select distinct owner from run where status = 'running' and owner <> ?",
      owner?.token ?? '',
    )
    for (const { owner: token } of owners) {
      if (!ownerLives(paths.owners, token)) interruptRunsOf(token, null)
    }
  }

  /** Ends the runs of an owner at `time`, or when each last recorded something. */
  function interruptRunsOf(token: string, time: number | null): void {
    database.run(
      `update run set status = 'interrupted', ended_at = coalesce(?, recorded_at)
       where status = 'running' and owner = ?`,
      time,
      token,
    )
  }

  /** This process as the owner of runs; what crashes left among the objects is removed when it first trains. */
  function claim(): Owner {
    if (owner) return owner
    owner = claimOwner(paths.owners)
    removeUnused(database, objects, objects.list())
    return owner
  }

  function hashOf(id: number, kind: Kind | number): string | null {
    if (!database.get('select 1 from run where id = ?', id)) throw unknownRun(id)
    return keptBy(database, id, kind)
  }

  /** An object that a run keeps; null where it keeps none of the kind. `name` is for errors. */
  function readKept(id: number, kind: Kind | number, name: string): Uint8Array | null {
    for (let hash = hashOf(id, kind); hash !== null; ) {
      const bytes = objects.read(hash)
      if (bytes) return bytes
      // A newer checkpoint may have taken its place meanwhile.
      const newer = hashOf(id, kind)
      if (newer === hash) throw new MixlabError('store', `run ${id}`, `${name} missing: object ${hash}`)
      hash = newer
    }
    return null
  }

  interruptOrphans()
  return {
    findDone: (keys) => findDone(database, keys),
    findResumable(keys, backend) {
      interruptOrphans()
      return findResumable(database, keys, backend)
    },
    beginRun(run) {
      const own = claim()
      interruptOrphans()
      return database.write(() => beginRun(database, own, run))
    },
    readState: (id) => readKept(id, 'state', 'its checkpoint is'),
    record: (id, events) => record(database, objects, owner?.token ?? null, id, events),
    listRuns(filter) {
      interruptOrphans()
      return listRuns(database, filter)
    },
    queryRuns(query) {
      interruptOrphans()
      return queryRuns(database, query)
    },
    groupRuns(query) {
      interruptOrphans()
      return groupRuns(database, query)
    },
    runFields: () => runFields(database),
    tagRuns: (ids, add, remove) => tagRuns(database, ids, add, remove),
    noteRun: (id, note) => noteRun(database, id, note),
    archiveRuns: (ids, archived) => archiveRuns(database, ids, archived),
    pinBaseline: (study, variant) => pinBaseline(database, study, variant),
    baselines: () => baselines(database),
    showRun(reference) {
      interruptOrphans()
      const [run] = showRuns(database, [resolveReference(database, reference)])
      if (!run) throw new MixlabError('store', reference, 'no such run')
      return run
    },
    showRuns(ids) {
      interruptOrphans()
      return database.read(() => showRuns(database, ids))
    },
    readSeries: (ids, metric, buckets, range) => readSeries(database, ids, metric, buckets, range),
    readBands: (groups, metrics, buckets, range) => readBands(database, groups, metrics, buckets, range),
    readReport: (id) => readReport(database, id),
    readWeights(id, which = 'last') {
      const bytes = readKept(id, which === 'last' ? 'weights' : which, 'its weights are')
      if (bytes) return bytes
      const what =
        typeof which === 'number' ? `weights of step ${which}` : which === 'best' ? 'best weights' : 'weights'
      throw new MixlabError('store', `run ${id}`, `has no ${what}`)
    },
    listWeights(id) {
      hashOf(id, 'weights')
      return listKept(database, id)
    },
    listHistograms: (id) => listHistograms(database, id),
    readHistograms: (id, name) => readHistograms(database, id, name),
    readOutputs: (notebook) => readOutputs(database, notebook),
    writeOutput: (notebook, output) => writeOutput(database, notebook, output),
    moveOutputs: (from, to) => moveOutputs(database, from, to),
    moveRuns: (from, to) => moveRuns(database, from, to),
    allowedPaths() {
      return database.all<{ path: string }>('select path from allowed_path order by path').map((row) => row.path)
    },
    allowPath: (path) => void database.run('insert or ignore into allowed_path (path) values (?)', path),
    statements: () => database.statements(),
    close() {
      if (!open) return
      open = false
      try {
        if (owner) interruptRunsOf(owner.token, Date.now())
      } finally {
        database.close()
        owner?.release()
      }
    },
  }
}
