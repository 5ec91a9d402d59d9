import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { callByName, callsOf, type Implementation } from '../engine/call.ts'
import { Packed, unpack } from '../engine/channel.ts'
import { MixlabError } from '../engine/errors.ts'
import { type Host, hostCalls } from '../engine/host.ts'
import type { MachineOrder, QueueView } from '../engine/records/workspace.ts'
import manifest from '../package.json' with { type: 'json' }
import { bind } from './bind.ts'
import { capabilitiesOf } from './capability/index.ts'
import { importingFolders } from './journal/import.ts'
import { openPictures } from './pictures/pictures.ts'
import {
  forkQuery,
  isQuestion,
  openQueries,
  openReaders,
  openRecordings,
  openStore,
  type QuestionName,
  type StartQuery,
  type StartReader,
  type Store,
} from './store/index.ts'
import {
  binNotebook,
  checkName,
  listDeleted,
  listNotebooks,
  listVersions,
  openDataFiles,
  openWorkspace,
  openWorkspaceToRead,
  readNotebook,
  readVersion,
  renameNotebook,
  resolveData,
  statData,
  unbinNotebook,
  type Workspace,
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
  /** Only reads: the workspace may be one that this process cannot write to. */
  reads?: boolean
  /** Where runs are kept; left out: in the workspace. */
  store?: Store
  /** Starts the process of an SQL query; left out: one of Node. */
  startQuery?: StartQuery
  /** Starts a thread that answers questions to the store, so that nothing waits for them; left out: they are answered here. */
  startReader?: StartReader
  /** The script of the threads that decode pictures; by default the one of the sources. */
  pictureThread?: string
  /** Opens the queue of a workspace for its page; left out: there is none to be seen or set. */
  openQueue?: (workspace: Workspace) => QueueOfPage
}

/** The queue of a workspace as its page shows and sets it. */
export interface QueueOfPage {
  /** What there is to be seen; why it does not answer stands in it, too. */
  view(): Promise<QueueView>
  /** Sets the address, and forgets it where it is empty. Throws MixlabError. */
  set(address: string): void
  /** Tells a machine something. Throws MixlabError. */
  tell(machine: string, order: MachineOrder): Promise<void>
  close(): void
}

/** A host on this machine. */
export interface LocalHost extends Host {
  /** A question to the store where threads answer them. The answer may be `Packed`: who passes it on need not unpack it. */
  question?(name: QuestionName, given: unknown[]): Promise<unknown>
  /** Ends the runs begun here that are still in training as interrupted. */
  close(): void
}

/** Opens a workspace. Relative paths are those of the working directory. Throws MixlabError. */
export function openHost(options: HostOptions): LocalHost {
  const { notebook = null, data = [], unrestricted = false, startQuery = forkQuery, startReader } = options
  if (notebook !== null) checkName(notebook)
  const workspace = (options.reads ? openWorkspaceToRead : openWorkspace)(options.workspace)
  const allowedNow = data.map((path) => resolveData(workspace, resolve(path)))
  const store = options.store ?? openStore(workspace)
  const recordings = openRecordings(store)
  const queries = openQueries(workspace.database, startQuery)
  const readers = startReader && openReaders(() => startReader(workspace))
  const queue = options.openQueue?.(workspace)
  const { locate, ...files } = openDataFiles({
    ...{ workspace, unrestricted },
    allowed: () => [...allowedNow, ...store.allowedPaths()],
  })
  const pictures = openPictures({ cache: workspace.pictures, locate, script: options.pictureThread })

  const calls: Implementation<typeof hostCalls> = {
    ...store,
    ...{ list: files.list, read: files.read },
    ...{ lookAtPictures: pictures.lookAtPictures, decodePictures: pictures.decodePictures },
    record: recordings.record,
    ...bind({ listNotebooks, readNotebook, writeNotebook, listVersions, readVersion, listDeleted }, workspace),
    listLive: () => ({
      started: store.listStarted().map(({ held, ...each }) => ({ ...each, by: held ? 'other' : null })),
      running: store.listRuns({ status: 'running' }),
    }),
    describe: () => ({ version: manifest.version, workspace: workspace.root, notebook }),
    renameNotebook(from, to) {
      renameNotebook(workspace, from, to)
      store.moveOutputs(from, to)
      store.moveRuns(from, to)
      store.moveStarted(from, to)
    },
    deleteNotebook(name) {
      const started = store.listStarted().filter(({ notebook }) => notebook === name)
      if (started.some(({ held }) => held)) throw new MixlabError('notebook', name, 'trains; stop it first')
      for (const { cell } of started) store.endStarted(name, cell)
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
    async importJournals(folder) {
      const importing = importingFolders(store, [resolve(workspace.root, folder)])
      for (;;) {
        const { done, value } = importing.next()
        if (done) return value
        await setImmediate() // the page asks other things meanwhile
      }
    },
    watchQueue: () => shown(queue).view(),
    setQueue: (address) => shown(queue).set(address),
    tellMachine: (...told) => shown(queue).tell(...told),
    querySql: queries.run,
    cancelSql: queries.cancel,
    admitRuns() {}, // who has the host itself needs nobody's leave
    issueCapability: (asked) => capabilitiesOf(host).issue(asked),
    callWith: (id, name, given) => capabilitiesOf(host).call(host, id, name, given),
    endCapability: (id) => capabilitiesOf(host).end(id),
  }
  /**
   * Asks a thread where there are any; one that has ended leaves the answer to this one. What was recorded before is
   * written first.
   */
  async function answer(name: string, given: unknown[]): Promise<unknown> {
    if (name !== 'record') recordings.flush()
    if (readers && isQuestion(name)) {
      store.interruptOrphans()
      const packed = await readers.ask(name, given)
      if (packed) return packed
    }
    return callByName(calls, name, given)
  }

  const host: LocalHost = {
    ...callsOf(hostCalls, async (name, given) => {
      const answered = await answer(name, given)
      return answered instanceof Packed ? unpack(answered.bytes) : answered
    }),
    ...(readers && { question: answer }),
    close() {
      queue?.close()
      queries.close()
      readers?.close()
      pictures.close()
      recordings.flush()
      store.close()
    },
  }
  return host
}

/** The queue of a host that serves a page. */
function shown(queue: QueueOfPage | undefined): QueueOfPage {
  if (!queue) throw new MixlabError('option', 'queue', 'is shown by the workbench alone')
  return queue
}

/** What the store calls a notebook in the bin: no other can have that name, and it says where the file is. */
function nameInBin(id: string): string {
  return `.mixlab/bin/${id}`
}
