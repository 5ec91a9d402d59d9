import type { BackendName } from '../../engine/backends/types.ts'
import { callByName, callsOf, checkArguments, type Implementation } from '../../engine/call.ts'
import type { PictureCalls } from '../../engine/data/files.ts'
import { join } from '../../engine/data/paths.ts'
import { MixlabError } from '../../engine/errors.ts'
import { type CapabilityRequest, type Host, kernelCalls } from '../../engine/host.ts'
import { parseNotebook } from '../../engine/notebook/parse.ts'
import type { StoredRun, StudyEvent } from '../../engine/records/run.ts'
import type { KernelHost } from '../capability/capability.ts'
import { hostForConnection } from '../connection.ts'
import { hasCard } from '../machine.ts'
import {
  type AskedCalls,
  aroundCalls,
  type CellsCalls,
  type CellsStart,
  type NamedRun,
  type RunQueue,
  type StudyChoice,
  type UsedFiles,
} from './calls.ts'
import { restartOnExit } from './restartOnExit.ts'
import { type CellsProcess, spawnCells } from './spawn.ts'

/** What the parent offers to the process of cells. */
export interface CellsSurroundings {
  host: Host
  /** What the host calls the notebook whose runs are trained; null where none are. */
  name: string | null
  /** Shows a line: what cells print, and what their process writes. */
  print(line: string): void
  /** Redraws the line that says how far an export is. */
  redraw?: ((line: string) => void) | null
  /** Stops between two steps. */
  stop: AbortSignal
  /** Ends at once. */
  end: AbortSignal
  /** Where runs are trained elsewhere: the queue. */
  queue?: RunQueue | undefined
  /**
   * Called as in `aroundCalls`. `attempts` are the stored attempts at these runs, all of which the text of the notebook
   * defines.
   */
  planned?(study: string, runs: NamedRun[], attempts: StoredRun[]): Promise<void>
  starting?(study: string, attempts: StoredRun[], backend: BackendName, move: boolean): Promise<void>
}

/** The cells of a notebook, which run and train in processes of their own. */
export interface Cells
  extends Pick<CellsCalls, 'studies' | 'diagrams' | 'diagramOfRun' | 'attention' | 'exportRun' | 'lookAtData'>,
    Pick<
      CellsCalls,
      'openModel' | 'askAll' | 'explain' | 'ablate' | 'generate' | 'evaluateOn' | 'outcomesAgain' | 'knownExamples'
    > {
  /** The backend that was started. */
  backend: string
  /**
   * Trains the study of such a number; where the process ends, from the last checkpoint in another one. Throws what
   * `executeStudy` throws, and MixlabError `backend` where processes end too often.
   */
  train(study: number, choice: StudyChoice): AsyncGenerator<StudyEvent>
  /** The finished runs among those of the notebook. Throws MixlabError `permission` for others. */
  findDone: KernelHost['findDone']
  /** Ends the processes; what they train is interrupted. */
  close(): void
}

/** A stop that takes longer says how it can be made quicker, in ms. */
const SLOW_STOP_MS = 1000

/**
 * Opens the cells of a notebook in a process; where that ends while it trains, another one goes on. Throws MixlabError.
 */
export async function openCells(given: Omit<CellsStart, 'card'>, around: CellsSurroundings): Promise<Cells> {
  const card = given.cardName !== undefined || hasCard()
  const start = { ...given, card, ...(around.queue && { queued: true }) }
  let quiet = false
  let restarted = false
  const own: CellsSurroundings = {
    ...around,
    print: (line) => quiet || around.print(line),
    planned: async (...runs) => (restarted ? undefined : around.planned?.(...runs)),
  }
  const writtenAt = Date.now()
  let current = startCells(start, own, writtenAt)
  const backend = await current.backend

  async function restart(): Promise<void> {
    current.close()
    current = startCells(start, own, writtenAt)
    restarted = true
    await current.backend
    quiet = true // what the cells print was shown
    await current.remote.studies().finally(() => {
      quiet = false
    })
  }
  async function* trainHere(study: number, choice: StudyChoice): AsyncGenerator<StudyEvent> {
    const { remote } = current
    await remote.begin(study, choice)
    for (let events = await remote.next(); events; events = await remote.next()) yield* events
  }

  return {
    backend,
    studies: () => current.remote.studies(),
    diagrams: (study) => current.remote.diagrams(study),
    diagramOfRun: (run) => current.remote.diagramOfRun(run),
    attention: (...given) => current.remote.attention(...given),
    exportRun: (...given) => current.remote.exportRun(...given),
    openModel: (of) => current.remote.openModel(of),
    askAll: (...given) => current.remote.askAll(...given),
    explain: (...given) => current.remote.explain(...given),
    ablate: (...given) => current.remote.ablate(...given),
    generate: (...given) => current.remote.generate(...given),
    evaluateOn: (...given) => current.remote.evaluateOn(...given),
    outcomesAgain: (...given) => current.remote.outcomesAgain(...given),
    knownExamples: (...given) => current.remote.knownExamples(...given),
    lookAtData: (...given) => current.remote.lookAtData(...given),
    findDone: (keys) => current.kernel.findDone(keys),
    train(study, choice) {
      restarted = false
      const train = (failed: string[]) => trainHere(study, { ...choice, failed })
      return restartOnExit({ train, restart, ended: () => current.ended }, around.host)
    },
    close: () => current.close(),
  }
}

/** A process of cells with those of its places. */
interface Processes {
  remote: CellsCalls
  kernel: KernelHost
  /** What it is opened on. Rejects with MixlabError where it is not, and is closed then. */
  backend: Promise<string>
  /** Why it ended by itself; null while it lives, and where it was ended. */
  ended: string | null
  close(): void
}

/**
 * Starts the process of cells, and as it asks for them those of its places. They reach the host by the calls of a kernel
 * alone, each checked, as one connection and with one capability: for the runs that the text of the notebook defines.
 */
function startCells(start: CellsStart, around: CellsSurroundings, writtenAt: number): Processes {
  const { host, name, print, stop, end } = around
  const { host: own, release } = hostForConnection(host)
  const places = new Map<number, { process: CellsProcess; open: Promise<unknown> }>()
  let capability = '' // before there is one, no cell has run
  const kernel: KernelHost = callsOf(kernelCalls, (call, given) => own.callWith(capability, call, given))
  const attemptsAt = (runs: NamedRun[]) => kernel.lookAt(runs.map(({ key }) => key))
  let slow: NodeJS.Timeout | undefined
  const queued = new Set<string>()
  const used: UsedFiles = { read: new Set(), listed: new Set() }
  /** The kernel's calls for data, which notes what they read: who trains elsewhere needs it. */
  const noted: Pick<KernelHost, 'read' | 'list' | keyof PictureCalls> = {
    read: (path, ...range) => {
      used.read.add(path)
      return kernel.read(path, ...range)
    },
    list: (path) => {
      used.listed.add(path)
      return kernel.list(path)
    },
    lookAtPictures: (folder, paths, part) => {
      for (const path of paths) used.read.add(join(folder, path))
      return kernel.lookAtPictures(folder, paths, part)
    },
    decodePictures: (folder, wanted, shape) => {
      for (const { path } of wanted) used.read.add(join(folder, path))
      return kernel.decodePictures(folder, wanted, shape)
    },
  }

  const functions: Implementation<typeof aroundCalls> = {
    print,
    showProgress: (line) => around.redraw?.(line),
    planned: async (study, runs) => around.planned?.(study, runs, await attemptsAt(runs)),
    starting: async (study, runs, ...on) => around.starting?.(study, await attemptsAt(runs), ...on),
    async startPlace(place, backend) {
      const full = start.places === 1 || places.size >= start.places
      if (full || places.has(place)) throw new MixlabError('option', 'place', `${place}, of ${start.places}`)
      const broken = (why: string) => {
        places.delete(place)
        main.remote.placeEnded(place, why).catch(() => {})
      }
      const asked: AskedCalls = { ...offered, fromJob: (message) => main.remote.fromPlace(place, message) }
      const process = spawnCells(start.trusted, asked, print, broken)
      const threads = Math.max(1, Math.floor(start.threads / start.places))
      const open = process.remote.open({ ...start, backend, threads, places: 1, place: true })
      places.set(place, { process, open })
      await open
    },
    async toPlace(place, message) {
      const known = places.get(place)
      await known?.open
      await known?.process.remote.toJob(message)
    },
    endPlace(place) {
      places.get(place)?.process.kill()
      places.delete(place)
    },
    async queueRun(of, run, before) {
      await attemptsAt([run]) // throws for a run of no cell
      await kernel.findDone(before)
      queued.add(run.key)
      return around.queue?.attempt({ run, of, before, notebook: start.notebook, files: used }) ?? null
    },
    unqueueRun: async (key) => (queued.has(key) ? around.queue?.takeBack(key) : undefined),
    queuedEvents: async (key, ...given) => (queued.has(key) ? (around.queue?.events(key, ...given) ?? null) : null),
    fromJob() {
      throw new MixlabError('option', 'fromJob', 'this process plans')
    },
  }
  const offered: AskedCalls = {
    ...kernel,
    ...(around.queue && noted),
    ...callsOf(aroundCalls, (call, given) => {
      checkArguments(aroundCalls, call, given)
      return callByName(functions, call, given)
    }),
  }
  const main = spawnCells(start.trusted, offered, print, (why, crashed) => {
    if (crashed) processes.ended = why
  })
  const { remote } = main

  const stopSoon = () => {
    slow = setTimeout(
      () => print('stops after the step or cell that is running; Ctrl-C again ends it at once'),
      SLOW_STOP_MS,
    )
    remote.interrupt().catch(() => {})
  }
  const kill = () => {
    clearTimeout(slow)
    for (const { process } of [{ process: main }, ...places.values()]) process.kill()
    places.clear()
  }
  const close = () => {
    stop.removeEventListener('abort', stopSoon)
    end.removeEventListener('abort', kill)
    kill()
    void own.endCapability(capability)
    release()
  }
  if (stop.aborted) stopSoon()
  stop.addEventListener('abort', stopSoon)
  end.addEventListener('abort', kill)

  const open = async () => {
    capability = await own.issueCapability({ notebook: name, cells: codeCells(start.notebook), writtenAt })
    return remote.open(start)
  }
  const backend = open().catch((error) => {
    close()
    throw error
  })
  const processes: Processes = { remote, kernel, backend, ended: null, close }
  return processes
}

function codeCells(text: string): CapabilityRequest['cells'] {
  return parseNotebook(text).flatMap((cell) => (cell.kind === 'code' ? [{ ...cell, kind: cell.kind }] : []))
}
