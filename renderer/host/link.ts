import type { Channel } from '../../engine/channel.ts'
import { MixlabError } from '../../engine/errors.ts'
import { desktop } from './desktop.ts'

/** An open way to the host. */
export interface Link {
  channel: Channel
  /** Resolves when the way is gone. */
  closed: Promise<void>
}

const PORT_WAIT = 10_000 // ms

/** Opens a way to the host: a port in the desktop application, else a socket. Throws MixlabError `backend`. */
export function openLink(): Promise<Link> {
  return desktop() ? openPort() : openSocket()
}

function openSocket(): Promise<Link> {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const socket = new WebSocket(`${scheme}://${location.host}/host`)
  socket.binaryType = 'arraybuffer'
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()))
  const channel: Channel = {
    post: (message) => socket.send(message as Uint8Array<ArrayBuffer>),
    listen: (receive) => {
      socket.addEventListener('message', ({ data }) => receive(new Uint8Array(data as ArrayBuffer)))
    },
  }
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve({ channel, closed }))
    void closed.then(() => reject(new MixlabError('backend', '', 'the workspace does not answer')))
  })
}

function openPort(): Promise<Link> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      window.removeEventListener('message', receivePort)
      reject(new MixlabError('backend', '', 'the workspace does not answer'))
    }, PORT_WAIT)
    function receivePort({ data, source, ports }: MessageEvent) {
      const port = ports[0]
      if (data !== 'mixlab:host' || source !== window || !port) return
      clearTimeout(timer)
      window.removeEventListener('message', receivePort)
      resolve(portLink(port))
    }
    window.addEventListener('message', receivePort)
    window.postMessage('mixlab:host?', location.origin)
  })
}

function portLink(port: MessagePort): Link {
  const channel: Channel = {
    post: (message) => port.postMessage(message),
    listen: (receive) => {
      port.addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => receive(data))
      port.start()
    },
  }
  return { channel, closed: new Promise((resolve) => port.addEventListener('close', () => resolve())) }
}
