import { EventEmitter } from 'node:events'
import { pathToFileURL } from 'node:url'
import { connect } from '../../../engine/channel.ts'
import type { Host } from '../../../engine/host.ts'

/** Runs a built store as Electron would, asks it to describe itself, prints that as JSON, and stops it. */

class Parent extends EventEmitter {
  postMessage(message: unknown): void {
    console.error(message)
  }
}

/** The store's end of a channel; `answer` is called with what the store posts. */
class Port extends EventEmitter {
  answer: (message: Uint8Array) => void = () => {}
  start(): void {}
  postMessage(message: Uint8Array): void {
    this.answer(message)
  }
}

const parentPort = new Parent()
Object.assign(process, { parentPort })
await import(pathToFileURL(process.argv[2] ?? '').href)

const port = new Port()
parentPort.emit('message', { data: 'connect', ports: [port] })
const { remote } = connect<Host>(
  {},
  {
    post: (data) => port.emit('message', { data }),
    listen: (receive) => {
      port.answer = receive
    },
  },
)
console.log(JSON.stringify(await remote.describe()))
port.emit('close')
parentPort.emit('message', { data: 'stop', ports: [] })
