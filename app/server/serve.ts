import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { type WebSocket, WebSocketServer } from 'ws'
import { connect } from '../../engine/channel.ts'
import { MixlabError, messageOf } from '../../engine/errors.ts'
import { type Host, socketProtocols } from '../../engine/host.ts'
import { hostForConnection } from '../connection.ts'
import { headersFor } from '../headers.ts'
import { newToken, proofOf } from './address.ts'
import { createGate, type ServerGate } from './gate.ts'
import { readPageFile } from './page-files.ts'
import { socketChannel } from './socket-channel.ts'

export interface ServeOptions {
  host: Host
  /** The folder of the built page, with `index.html` and `assets/`. */
  page: string
  /** 0, or left out: one that is free. */
  port?: number
  /** Of letters, digits, `-` and `_`; left out: 32 random bytes. */
  token?: string
}

export interface WorkbenchServer {
  /** The address to open, with the token. */
  url: string
  port: number
  /** Ends all connections and the server; the host stays open. */
  close(): Promise<void>
}

/** Checkpoints and data files travel in one message. */
const maxMessageBytes = 2 ** 30

/**
 * Serves page and host to browsers of this machine, on 127.0.0.1 only. The page is at `/`, the host at the WebSocket
 * `/host`, which needs the token of the printed URL; `/served?question` proves which workspace this is to who has the token. Throws MixlabError `option` for a page that is not built, a port that
 * cannot be had and a token that no socket can offer.
 */
export async function serve({ host, page, port = 0, token = newToken() }: ServeOptions): Promise<WorkbenchServer> {
  if (!existsSync(join(page, 'index.html')))
    throw new MixlabError('option', 'page', `${page} has no index.html; 'npm run build' makes it`)
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new MixlabError('option', 'port', `${port} is not a whole number from 0 to 65535`)
  if (!/^[\w-]+$/.test(token)) throw new MixlabError('option', 'token', "must be of letters, digits, '-' and '_'")

  const server = createServer()
  const taken = await listen(server, port)
  const gate = createGate(taken, token)
  server.on('request', (request, response) => {
    answer(request, response, gate, { host, page, token }).catch((error) =>
      send(request, response, 500, messageOf(error)),
    )
  })

  const sockets = socketServer(maxMessageBytes, socketProtocols.open)
  const strangers = socketServer(1, socketProtocols.refused) // they learn why, and say nothing
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const refusal = pathOf(request) === '/host' ? gate.refusal(request) : 'The host is at /host.'
    if (refusal)
      socket.end(`HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${refusal}\n`)
    else if (gate.admits(request)) sockets.handleUpgrade(request, socket, head, (open) => offer(host, open))
    else
      strangers.handleUpgrade(request, socket, head, (open) => void hangUp(open, 1008, 'the token is missing or wrong'))
  })

  return {
    url: gate.url,
    port: taken,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await Promise.all([...sockets.clients].map((socket) => hangUp(socket, 1001, 'the workbench is closing')))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Takes sockets that the server hands it, and answers them with one subprotocol. */
function socketServer(maxPayload: number, protocol: string): WebSocketServer {
  return new WebSocketServer({ noServer: true, maxPayload, handleProtocols: () => protocol })
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is in use; choose another, or 0 for any' : `: ${error.message}`
      reject(new MixlabError('option', 'port', `${port} ${reason}`))
    })
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address ? address.port : port
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  gate: ServerGate,
  { host, page, token }: Required<Pick<ServeOptions, 'host' | 'page' | 'token'>>,
): Promise<void> {
  const refusal = gate.refusal(request)
  if (refusal) return send(request, response, 403, refusal)
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return send(request, response, 405, 'Only GET and HEAD are answered here.')

  const url = URL.parse(request.url ?? '/', 'http://127.0.0.1')
  if (url?.pathname === '/served') {
    const { workspace } = await host.describe()
    return void response.end(proofOf(token, workspace, url.search.slice(1)))
  }
  const file = url && (await readPageFile(page, url.pathname))
  if (!file) return send(request, response, 404, 'There is no such file.')
  const headers = headersFor(url.pathname, `ws://${request.headers.host}`)
  response.writeHead(200, { ...headers, 'content-type': file.type, 'content-length': file.bytes.length })
  response.end(request.method === 'HEAD' ? undefined : file.bytes)
}

/** A page of one sentence, for people. */
function send(request: IncomingMessage, response: ServerResponse, status: number, sentence: string): void {
  const text = sentence.replace(/&/g, '&amp;').replace(/</g, '&lt;')
  const html = `<!doctype html><meta charset="utf-8"><title>Mixlab</title><p>${text}</p>\n`
  response.writeHead(status, {
    ...headersFor('/'),
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
  })
  response.end(request.method === 'HEAD' ? undefined : html)
}

function pathOf(request: IncomingMessage): string | undefined {
  return URL.parse(request.url ?? '/', 'http://127.0.0.1')?.pathname
}

/** Gives one page its own connection to the host, for as long as its socket lives. */
function offer(host: Host, socket: WebSocket): void {
  const own = hostForConnection(host)
  const connection = connect(own.host, socketChannel(socket))
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    connection.close('the page has gone')
    own.release()
  })
}

/** Says why, and hangs up on a page that does not answer within a second. */
function hangUp(socket: WebSocket, code: number, why: string): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => socket.terminate(), 1000)
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      clearTimeout(deadline)
      resolve()
    })
    socket.close(code, why)
  })
}
