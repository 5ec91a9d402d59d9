import { resolve } from 'node:path'
import { MixlabError } from '../engine/errors.ts'
import type { Host } from '../engine/host.ts'
import manifest from '../package.json' with { type: 'json' }
import { forkQuery, openQueries, openStore, type StartQuery } from './store/index.ts'
import {
  checkName,
  listNotebooks,
  listVersions,
  openDataFiles,
  openWorkspace,
  readNotebook,
  readVersion,
  renameNotebook,
  resolveData,
  statData,
  writeNotebook,
} from './workspace/index.ts'

export interface HostOptions {
  /** The workspace folder; made where it is missing. */
  workspace: string
  /** The notebook to show first. */
  notebook?: string
  /** Files and folders outside the workspace that may be read as long as the host is open. */
  data?: string[]
  /** The user runs their own notebook: every path may be read. */
  unrestricted?: boolean
  /** Starts the process of an SQL query; left out: one of Node. */
  startQuery?: StartQuery
}

/** A host on this machine. `close` ends the runs begun here that are still in training as interrupted. */
export type LocalHost = Host & { close(): void }

/** Opens a workspace. Relative paths are those of the working directory. Throws MixlabError. */
export function openHost(options: HostOptions): LocalHost {
  const { notebook = null, data = [], unrestricted = false, startQuery = forkQuery } = options
  if (notebook !== null) checkName(notebook)
  const workspace = openWorkspace(options.workspace)
  const allowedNow = data.map((path) => resolveData(workspace, resolve(path)))
  const store = openStore(workspace)
  const queries = openQueries(workspace.database, startQuery)
  const files = openDataFiles({ workspace, allowed: () => [...allowedNow, ...store.allowedPaths()], unrestricted })

  return {
    describe: async () => ({ version: manifest.version, workspace: workspace.root, notebook }),

    list: files.list,
    read: files.read,
    async allowData(path) {
      const real = resolveData(workspace, path)
      await statData(real, path)
      store.allowPath(real)
    },

    listNotebooks: async () => listNotebooks(workspace),
    readNotebook: async (name) => readNotebook(workspace, name),
    writeNotebook: async (name, text, revision) => writeNotebook(workspace, name, text, revision),
    async renameNotebook(from, to) {
      renameNotebook(workspace, from, to)
      store.moveOutputs(from, to)
      store.moveRuns(from, to)
    },
    listVersions: async (notebook) => listVersions(workspace, notebook),
    readVersion: async (notebook, at) => readVersion(workspace, notebook, at),
    readOutputs: async (notebook) => store.readOutputs(notebook),
    writeOutput: async (notebook, output) => store.writeOutput(notebook, output),

    findDone: async (keys) => store.findDone(keys),
    findResumable: async (keys, backend) => store.findResumable(keys, backend),
    beginRun: async (run) => store.beginRun(run),
    readState: async (id) => store.readState(id),
    record: async (id, events) => store.record(id, events),
    listRuns: async (filter) => store.listRuns(filter),
    queryRuns: async (query) => store.queryRuns(query),
    groupRuns: async (query) => store.groupRuns(query),
    runFields: async () => store.runFields(),
    tagRuns: async (ids, add, remove) => store.tagRuns(ids, add, remove),
    noteRun: async (id, note) => store.noteRun(id, note),
    archiveRuns: async (ids, archived) => store.archiveRuns(ids, archived),
    pinBaseline: async (study, variant) => store.pinBaseline(study, variant),
    baselines: async () => store.baselines(),
    showRun: async (reference) => store.showRun(reference),
    showRuns: async (ids) => store.showRuns(ids),
    readSeries: async (ids, metric, buckets, range) => store.readSeries(ids, metric, buckets, range),
    readBands: async (groups, metrics, buckets, range) => store.readBands(groups, metrics, buckets, range),
    readReport: async (id) => store.readReport(id),
    readWeights: async (id, which) => store.readWeights(id, which),
    listWeights: async (id) => store.listWeights(id),
    listHistograms: async (id) => store.listHistograms(id),
    readHistograms: async (id, name) => store.readHistograms(id, name),
    querySql: queries.run,
    cancelSql: async (sql) => queries.cancel(sql),

    close() {
      queries.close()
      store.close()
    },
  }
}

/** A run that a connection has in training. */
interface InTraining {
  key: string
  /** The last step recorded. */
  step: number
}

/** Of each host the runs that its connections have in training, by id. */
const trainings = new WeakMap<Host, Map<number, { connection: Host; run: InTraining }>>()

/**
 * A host as one connection sees it, without `close`. `release` ends the runs that the connection began and that are
 * still in training as interrupted; afterwards the connection can begin and record nothing more. A run can be recorded by
 * the connection that began it, or by any once that one has gone.
 */
export function hostForConnection(host: Host & { close?: () => void }): { host: Host; release(): void } {
  const { close: _, ...calls } = host
  const training = trainings.get(host) ?? new Map<number, { connection: Host; run: InTraining }>()
  trainings.set(host, training)
  let released = false

  function checkOpen(): void {
    if (released) throw new MixlabError('store', 'connection', 'is closed')
  }

  const mine = () => [...training].flatMap(([id, { connection, run }]) => (connection === own ? [{ id, ...run }] : []))

  const own: Host = {
    ...calls,
    async beginRun(run) {
      checkOpen()
      // A page has one kernel: what it begins again, it has stopped, e.g. by a restart before the page knew the id.
      for (const { id, key, step } of mine()) if (key === run.key) await own.record(id, [{ type: 'interrupted', step }])
      const id = await host.beginRun(run)
      if (id === null) return null
      if (released) {
        await host.record(id, [{ type: 'interrupted', step: 0 }])
        checkOpen()
      }
      training.set(id, { connection: own, run: { key: run.key, step: 0 } })
      return id
    },
    async record(id, events) {
      checkOpen()
      const known = training.get(id)
      if (known && known.connection !== own) throw new MixlabError('store', `run ${id}`, 'is in training elsewhere')
      await host.record(id, events)
      const last = events.at(-1)
      if (!last || !known) return
      if (last.type !== 'start') known.run.step = last.step
      if (events.some(({ type }) => type === 'done' || type === 'failed' || type === 'interrupted')) training.delete(id)
    },
  }

  function release(): void {
    if (released) return
    released = true
    for (const { id, step } of mine()) {
      training.delete(id)
      // A host that is closed has ended its runs already.
      host.record(id, [{ type: 'interrupted', step }]).catch(() => undefined)
    }
  }

  return { host: own, release }
}
