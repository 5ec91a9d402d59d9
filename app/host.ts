import { resolve } from 'node:path'
import { MixlabError } from '../engine/errors.ts'
import type { Host } from '../engine/host.ts'
import manifest from '../package.json' with { type: 'json' }
import { openStore } from './store/index.ts'
import {
  checkName,
  listNotebooks,
  openDataFiles,
  openWorkspace,
  readNotebook,
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
}

/** A host on this machine. `close` ends the runs begun here that are still in training as interrupted. */
export type LocalHost = Host & { close(): void }

/** Opens a workspace. Relative paths are those of the working directory. Throws MixlabError. */
export function openHost(options: HostOptions): LocalHost {
  const { notebook = null, data = [], unrestricted = false } = options
  if (notebook !== null) checkName(notebook)
  const workspace = openWorkspace(options.workspace)
  const allowedNow = data.map((path) => resolveData(workspace, resolve(path)))
  const store = openStore(workspace)
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
    readOutputs: async (notebook) => store.readOutputs(notebook),
    writeOutput: async (notebook, output) => store.writeOutput(notebook, output),

    findDone: async (keys) => store.findDone(keys),
    beginRun: async (run) => store.beginRun(run),
    record: async (id, events) => store.record(id, events),
    listRuns: async (filter) => store.listRuns(filter),
    showRun: async (reference) => store.showRun(reference),
    readSeries: async (ids, metric, buckets) => store.readSeries(ids, metric, buckets),
    readWeights: async (id) => store.readWeights(id),

    close: store.close,
  }
}

/**
 * A host as one connection sees it, without `close`. `release` ends the runs that the connection began and that are
 * still in training as interrupted; afterwards the connection can begin and record nothing more.
 */
export function hostForConnection(host: Host & { close?: () => void }): { host: Host; release(): void } {
  const { close: _, ...calls } = host
  /** The last step of each run in training. */
  const training = new Map<number, number>()
  let released = false

  function checkOpen(): void {
    if (released) throw new MixlabError('store', 'connection', 'is closed')
  }

  const own: Host = {
    ...calls,
    async beginRun(run) {
      checkOpen()
      const id = await host.beginRun(run)
      if (released) {
        await host.record(id, [{ type: 'interrupted', step: 0 }])
        checkOpen()
      }
      training.set(id, 0)
      return id
    },
    async record(id, events) {
      checkOpen()
      await host.record(id, events)
      const last = events.at(-1)
      if (!last || !training.has(id)) return
      if (last.type !== 'start') training.set(id, last.step)
      if (events.some(({ type }) => type === 'done' || type === 'failed' || type === 'interrupted')) training.delete(id)
    },
  }

  function release(): void {
    if (released) return
    released = true
    for (const [id, step] of training) {
      // A host that is closed has ended its runs already.
      host.record(id, [{ type: 'interrupted', step }]).catch(() => undefined)
    }
  }

  return { host: own, release }
}
