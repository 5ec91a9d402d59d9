import type { Channel } from '../../engine/channel.ts'
import { MixlabError } from '../../engine/errors.ts'
import { socketProtocols } from '../../engine/host.ts'
import { desktop } from './desktop.ts'
import { settleToken, wantedToken } from './token.ts'

/** An open connection to the host, or between the windows of the desktop application. */
export interface Link {
  channel: Channel
  /** Resolves when the connection is closed. */
  closed: Promise<void>
  /** Closes the connection; messages already sent still arrive. */
  close(): void
}

const PORT_WAIT = 10_000 // ms

/**
 * Connects to the host: by a message port in the desktop application, else by a socket. Throws MixlabError `backend`
 * where nothing answers, `permission` where the workspace has another token.
 */
export function openLink(): Promise<Link> {
  return desktop() ? openPort('mixlab:host', 'the workspace does not answer') : openSocket()
}

/** The latest request for a port, by name: requests for the same name are answered one after the other. */
const asked = new Map<string, Promise<Link>>()

/** Asks the desktop application for the port of a name. Throws MixlabError `backend` with `silence` if none comes. */
export function openPort(name: string, silence: string): Promise<Link> {
  const before = asked.get(name)
  const ask = () => askPort(name, silence)
  const opening = before ? before.then(ask, ask) : ask()
  asked.set(name, opening)
  const forget = () => asked.get(name) === opening && asked.delete(name)
  opening.then(forget, forget)
  return opening
}

function openSocket(): Promise<Link> {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const token = wantedToken()
  const { open, refused } = socketProtocols
  const socket = new WebSocket(`${scheme}://${location.host}/host`, [open, refused, ...(token ? [token] : [])])
  socket.binaryType = 'arraybuffer'
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()))
  const channel: Channel = {
    post: (message) => socket.send(message as Uint8Array<ArrayBuffer>),
    listen: (receive) => {
      socket.addEventListener('message', ({ data }) => receive(new Uint8Array(data as ArrayBuffer)))
    },
  }
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => {
      const opened = socket.protocol === open
      settleToken(token, opened)
      if (opened) resolve({ channel, closed, close: () => socket.close() })
      else reject(new MixlabError('permission', '', 'the workspace has another token'))
    })
    void closed.then(() => reject(new MixlabError('backend', '', 'the workspace does not answer')))
  })
}

function askPort(name: string, silence: string): Promise<Link> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      window.removeEventListener('message', receivePort)
      reject(new MixlabError('backend', '', silence))
    }, PORT_WAIT)
    function receivePort({ data, source, ports }: MessageEvent) {
      const port = ports[0]
      if (data !== name || source !== window || !port) return
      clearTimeout(timer)
      window.removeEventListener('message', receivePort)
      resolve(portLink(port))
    }
    window.addEventListener('message', receivePort)
    window.postMessage(`${name}?`, location.origin)
  })
}

/** A connection by a message port. */
export function portLink(port: MessagePort): Link {
  const channel: Channel = {
    post: (message) => port.postMessage(message),
    listen: (receive) => {
      port.addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => receive(data))
      port.start()
    },
  }
  const closed = new Promise<void>((resolve) => port.addEventListener('close', () => resolve()))
  return { channel, closed, close: () => port.close() }
}
