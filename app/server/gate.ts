import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Decides who may talk to the server: pages of its own address; to the host only pages that have the token. */
export interface ServerGate {
  /** The address to open, with the token in the part that a browser sends nowhere. */
  url: string
  /** The sentence a request is refused with, or null if it may be answered; the files of the page are no secret. */
  refusal(request: Pick<IncomingMessage, 'headers'>): string | null
  /** Whether a socket offers the token, as one of its subprotocols. */
  admits(request: Pick<IncomingMessage, 'headers'>): boolean
}

/** A gate for the server at `port` of this machine. */
export function createGate(port: number, token: string): ServerGate {
  const addresses = ['127.0.0.1', 'localhost'].map((name) => new URL(`http://${name}:${port}`))
  const hosts = addresses.map((address) => address.host)
  const origins = addresses.map((address) => address.origin)

  return {
    url: `http://127.0.0.1:${port}/#token=${token}`,

    refusal({ headers }) {
      // a foreign Host is a name that was rebound to this address
      if (!hosts.includes(headers.host ?? ''))
        return `This server answers to ${hosts.join(' and ')} only; a tunnel has to keep the port number.`
      if (headers.origin !== undefined && !origins.includes(headers.origin))
        return 'Pages of other origins may not talk to this server.'
      return null
    },

    admits({ headers }) {
      const offered = headers['sec-websocket-protocol']?.split(',') ?? []
      return offered.some((each) => sameText(each.trim(), token))
    },
  }
}

/** Takes the same time wherever the two differ. */
function sameText(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
