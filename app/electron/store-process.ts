import { MessageChannelMain, type MessagePortMain, type UtilityProcess, utilityProcess } from 'electron'
import { MixlabError } from '../../engine/errors.ts'
import { type Launch, launchArguments } from './launch.ts'
import { serveQueries } from './query-process.ts'

/** How a store process ended that was not asked to: it gave a reason, or it crashed with an exit code. */
export type StoreEnding = { refused: string } | { code: number }

/** The process that has database and files of the workspace. It is started when a page first asks for the host. */
export interface StoreProcess {
  /** The workspace in use. */
  launch(): Launch
  /**
   * One end of a new connection to the host; the other is with the store process, started if there is none. Throws
   * MixlabError `store` after the process has ended unasked, until `move` allows another start.
   */
  newPort(): MessagePortMain
  /** Ends the process, if there is one, with its database closed. */
  stop(): Promise<void>
  /** Stops, and takes this workspace from the next `newPort` on. */
  move(launch: Launch): Promise<void>
}

/** Order of main to the store process; `connect` comes with a port. */
export type StoreOrder = 'connect' | 'stop'

/** Answer of the store process if it cannot open the workspace. */
export interface StoreRefusal {
  refused: string
}

/** A process in which the host closes slower than this, in ms, is killed; SQLite recovers from that. */
const CLOSE_TIMEOUT_MS = 5000

/** The scripts of the store process and of a query of it. */
export interface StoreScripts {
  store: string
  query: string
}

/** The store process of `launch`; `report` is called when the process ends unasked. */
export function createStoreProcess(
  scripts: StoreScripts,
  launch: Launch,
  report: (ending: StoreEnding) => void,
): StoreProcess {
  let current = launch
  let child: UtilityProcess | null = null
  let failed = false

  function fail(ending: StoreEnding): void {
    child = null
    failed = true
    report(ending)
  }

  function start(): UtilityProcess {
    const started = utilityProcess.fork(scripts.store, launchArguments(current), { serviceName: 'Mixlab store' })
    serveQueries(started, scripts.query)
    started.on('message', (message: unknown) => {
      if (!isRefusal(message) || child !== started) return
      fail(message)
      started.kill()
    })
    started.on('exit', (code) => {
      if (child === started) fail({ code })
    })
    return started
  }

  async function stop(): Promise<void> {
    const ending = child
    if (!ending) return
    child = null // this ending is asked for
    const deadline = setTimeout(() => ending.kill(), CLOSE_TIMEOUT_MS)
    const ended = new Promise<void>((resolve) => ending.once('exit', () => resolve()))
    ending.postMessage('stop' satisfies StoreOrder)
    await ended
    clearTimeout(deadline)
  }

  return {
    launch: () => current,
    newPort() {
      if (failed) throw new MixlabError('store', current.workspace, 'its process has ended')
      child ??= start()
      const { port1, port2 } = new MessageChannelMain()
      child.postMessage('connect' satisfies StoreOrder, [port1])
      return port2
    },
    stop,
    async move(next) {
      current = next
      failed = false
      await stop()
    },
  }
}

function isRefusal(message: unknown): message is StoreRefusal {
  return typeof message === 'object' && message !== null && 'refused' in message && typeof message.refused === 'string'
}
