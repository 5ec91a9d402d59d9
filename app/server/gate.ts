import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Decides who may talk to the server: pages of this address that hold the token. */
export interface ServerGate {
  /** The address to open, with the token. */
  url: string
  /** The `set-cookie` value that stands for the token from then on. */
  cookie: string
  /** The sentence a request is refused with, or null if it may pass. */
  refusal(request: Pick<IncomingMessage, 'url' | 'headers'>): string | null
}

/** A gate for the server at `port` of this machine. */
export function createGate(port: number, token: string): ServerGate {
  const addresses = ['127.0.0.1', 'localhost'].map((name) => new URL(`http://${name}:${port}`))
  const hosts = addresses.map((address) => address.host)
  const origins = addresses.map((address) => address.origin)
  const cookieName = `mixlab-${port}` // cookies are shared by all ports of a host

  return {
    url: `http://127.0.0.1:${port}/?token=${encodeURIComponent(token)}`,
    cookie: `${cookieName}=${encodeURIComponent(token)}; HttpOnly; SameSite=Strict; Path=/`,

    refusal({ url, headers }) {
      // a foreign Host is a name that was rebound to this address
      if (!hosts.includes(headers.host ?? ''))
        return `This server answers to ${hosts.join(' and ')} only; a tunnel has to keep the port number.`
      if (headers.origin !== undefined && !origins.includes(headers.origin))
        return 'Pages of other origins may not talk to this server.'
      const given = queryToken(url) ?? cookieValue(headers.cookie, cookieName)
      if (given === null || !sameText(given, token))
        return 'Mixlab needs its token: open the address it printed when it started, which ends in ?token=...'
      return null
    },
  }
}

function queryToken(url: string | undefined): string | null {
  return URL.parse(url ?? '/', 'http://127.0.0.1')?.searchParams.get('token') ?? null
}

function cookieValue(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name && value !== undefined) return decoded(value)
  }
  return null
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

/** Takes the same time wherever the two differ. */
function sameText(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
