import { createSocket } from 'node:dgram'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A server of this machine; it ends with the test. */
export async function listen(answer: RequestListener, connected = () => {}): Promise<string> {
  const server = createServer(answer)
  server.on('connection', connected)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** A port of this machine that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

/** A place elsewhere that would answer anybody, and what has come to it: requests, connections, and datagrams. */
export async function elsewhere() {
  const asked: string[] = []
  const url = await listen(
    (request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('cross-origin-resource-policy', 'cross-origin')
      response.setHeader('content-type', typeOf(request.url ?? ''))
      response.end('1')
    },
    () => void asked.push('a connection'),
  )
  const datagrams = createSocket('udp4').on('message', () => void asked.push('a datagram'))
  await new Promise<void>((ready) => datagrams.bind(Number(new URL(url).port), '127.0.0.1', ready))
  onTestFinished(() => void datagrams.close())
  return { url, asked }
}

const TYPES = { js: 'text/javascript', css: 'text/css', json: 'application/json' }

function typeOf(path: string): string {
  return TYPES[/\.(\w+)$/.exec(path)?.[1] as keyof typeof TYPES] ?? 'text/plain'
}
