import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** How a server fails; without any of it, it answers whole files and ranges. */
export interface Trouble {
  /** The bytes of an answer after which it drops the connection, for the first answers; all goes well afterwards. */
  drops?: number[]
  /** It always sends all from the start. */
  noRange?: boolean
}

/**
 * A server on 127.0.0.1 for `name -> bytes`, gone when the test ends. `asked` has a line for each request: the name, and
 * the range if one was asked for. A connection is dropped when `hasCome` is told that the bytes before it have arrived.
 */
export async function serveFiles(files: Record<string, Uint8Array>, { drops = [], noRange = false }: Trouble = {}) {
  const asked: string[] = []
  let hasCome: (bytes: number) => void = () => undefined
  const answer = ({ url = '', headers: { range } }: IncomingMessage, response: ServerResponse) => {
    const name = url.slice(1)
    asked.push(range ? `${name} ${range}` : name)
    const bytes = files[name]
    if (!bytes) return response.writeHead(404).end('no such file')
    const from = noRange ? 0 : Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
    if (range && !noRange && from >= bytes.length) return response.writeHead(416).end()
    const part = bytes.subarray(from)
    const where = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': part.length, ...(from > 0 ? where : {}) })
    const drop = drops.shift()
    if (drop === undefined) return response.end(part)
    hasCome = (bytes) => bytes === from + drop && response.destroy()
    response.write(part.subarray(0, drop))
    hasCome(from)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    hasCome: (bytes: number) => hasCome(bytes),
  }
}
