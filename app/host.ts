import { resolve } from 'node:path'
import { callsOf, checkGiven, type Implementation, make } from '../engine/call.ts'
import { MixlabError } from '../engine/errors.ts'
import { type Host, hostCalls } from '../engine/host.ts'
import manifest from '../package.json' with { type: 'json' }
import { bind } from './bind.ts'
import { forkQuery, openQueries, openStore, type StartQuery } from './store/index.ts'
import {
  binNotebook,
  checkName,
  listDeleted,
  listNotebooks,
  listVersions,
  openDataFiles,
  openWorkspace,
  readNotebook,
  readVersion,
  renameNotebook,
  resolveData,
  statData,
  unbinNotebook,
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

  const calls: Implementation<typeof hostCalls> = {
    ...store,
    ...files,
    ...bind({ listNotebooks, readNotebook, writeNotebook, listVersions, readVersion, listDeleted }, workspace),
    describe: () => ({ version: manifest.version, workspace: workspace.root, notebook }),
    renameNotebook(from, to) {
      renameNotebook(workspace, from, to)
      store.moveOutputs(from, to)
      store.moveRuns(from, to)
    },
    deleteNotebook(name) {
      const deleted = binNotebook(workspace, name)
      store.moveOutputs(name, nameInBin(deleted.id))
      store.moveRuns(name, nameInBin(deleted.id))
      return deleted
    },
    restoreNotebook(id) {
      const name = unbinNotebook(workspace, id)
      store.moveOutputs(nameInBin(id), name)
      store.moveRuns(nameInBin(id), name)
      return name
    },
    async allowData(path) {
      const real = resolveData(workspace, path)
      await statData(real, path)
      store.allowPath(real)
    },
    querySql: queries.run,
    cancelSql: queries.cancel,
  }
  return {
    ...callsOf(hostCalls, (name, given) => make(calls, name, given)),
    close() {
      queries.close()
      store.close()
    },
  }
}

/** What the store calls a notebook in the bin: no other can have that name, and it says where the file is. */
function nameInBin(id: string): string {
  return `.mixlab/bin/${id}`
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
 * A host as one connection sees it: what comes from outside is checked against the table of calls. `release` ends the
 * runs that the connection began and that are still in training as interrupted; afterwards it can begin and record
 * nothing more. A run can be recorded by the connection that began it, or by any once that one has gone.
 */
export function hostForConnection(host: Host): { host: Host; release(): void } {
  const training = trainings.get(host) ?? new Map<number, { connection: Host; run: InTraining }>()
  trainings.set(host, training)
  let released = false

  function checkOpen(): void {
    if (released) throw new MixlabError('store', 'connection', 'is closed')
  }

  const mine = () => [...training].flatMap(([id, { connection, run }]) => (connection === own ? [{ id, ...run }] : []))

  const guarded: Host = {
    ...host,
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
      const ms = await host.record(id, events)
      const last = events.at(-1)
      if (!last || !known) return ms
      if (last.type !== 'start') known.run.step = last.step
      if (events.some(({ type }) => type === 'done' || type === 'failed' || type === 'interrupted')) training.delete(id)
      return ms
    },
  }

  const own = callsOf(hostCalls, (name, given) => {
    checkGiven(hostCalls, name, given)
    return make(guarded, name, given)
  })

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
