import { homedir } from 'node:os'
import { join } from 'node:path'
import type { MessagePortMain, ParentPort } from 'electron'
import { type Channel, connect } from '../../engine/channel.ts'
import { messageOf } from '../../engine/errors.ts'
import { hostForConnection } from '../connection.ts'
import { type LocalHost, openHost } from '../host.ts'
import { openQueueOfPage } from '../queue/owner/setting.ts'
import { defaultWorkspace, ensureReadyNotebook } from '../ready.ts'
import { type StartReader, startReaderOf } from '../store/index.ts'
import { parseLaunch } from './launch.ts'
import { queriesOf } from './query-client.ts'
import type { StoreOrder, StoreRefusal } from './store-process.ts'

/** What the store process has from its surroundings. */
interface Surroundings {
  parent: ParentPort
  open(): LocalHost
  exit(code: number): void
}

/** Opens the host and gives every port that arrives its own connection to it, until main sends the order to stop. */
export function runStore({ parent, open, exit }: Surroundings): void {
  let host: LocalHost
  try {
    host = open()
  } catch (error) {
    parent.postMessage({ refused: messageOf(error) } satisfies StoreRefusal)
    return // main ends this process when it has read that
  }
  const orders: Record<StoreOrder, (port: MessagePortMain | undefined) => void> = {
    connect: (port) => port && offer(host, port),
    stop: () => {
      host.close()
      exit(0)
    },
  }
  // What is no word answers a query.
  parent.on('message', ({ data, ports }) => typeof data === 'string' && orders[data as StoreOrder](ports[0]))
}

function offer(host: LocalHost, port: MessagePortMain): void {
  const own = hostForConnection(host)
  const connection = connect(own.host, portChannel(port))
  port.on('close', () => {
    connection.close('the page has gone')
    own.release()
  })
}

if (process.parentPort) {
  const launch = parseLaunch(process.argv.slice(2), defaultWorkspace(process.env, homedir()))
  const startQuery = queriesOf(process.parentPort)
  runStore({
    parent: process.parentPort,
    open() {
      const ready = ensureReadyNotebook(launch.workspace)
      const startReader: StartReader = (paths) => startReaderOf(join(import.meta.dirname, 'reader.js'), paths)
      const pictureThread = join(import.meta.dirname, 'pictures.js')
      const parts = { startQuery, startReader, pictureThread, openQueue: openQueueOfPage }
      return openHost({ workspace: launch.workspace, notebook: launch.notebook ?? ready, ...parts })
    },
    exit: (code) => process.exit(code),
  })
}

/** A channel over a port whose other end is in the page. What is no message ends the connection. */
function portChannel(port: MessagePortMain): Channel {
  return {
    post: (message) => port.postMessage(message),
    listen(receive) {
      port.on('message', async ({ data }) => {
        try {
          await receive(data) // reading goes on after the call: a rejection nobody awaits would end the process
        } catch {
          port.close()
        }
      })
      port.start()
    },
  }
}
