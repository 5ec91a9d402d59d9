import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type ServeOptions, serve, type WorkbenchServer } from '../../../app/server/serve.ts'
import { socketChannel } from '../../../app/server/socket-channel.ts'
import { connect } from '../../../engine/channel.ts'
import { type Host, socketProtocols } from '../../../engine/host.ts'
import { begun, sampleRun } from '../store/samples.ts'
import { fakeHost } from './fake-host.ts'
import { pageFolder } from './page-folder.ts'

const running: WorkbenchServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})

async function start(options: Partial<ServeOptions> = {}) {
  const server = await serve({ host: fakeHost(), page: pageFolder(), ...options })
  running.push(server)
  const { port, hash, host } = new URL(server.url)
  return { server, port: Number(port), host, token: hash.replace('#token=', '') }
}

interface Reply {
  status: number | undefined
  headers: IncomingHttpHeaders
  body: string
}

function ask(port: number, path: string, headers = {}, options: RequestOptions = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, headers, agent: false, ...options }, (response) =>
      text(response).then((body) => resolve({ status: response.statusCode, headers: response.headers, body }), reject),
    )
    request.on('error', reject)
    request.end()
  })
}

const { open, refused } = socketProtocols

/** A socket to the host, as a page with that token opens it. */
function openSocket(url: string, token: string, headers = {}): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, [open, refused, ...(token ? [token] : [])], { headers })
    socket.on('open', () => resolve(socket))
    socket.on('error', reject)
  })
}

function closing(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => socket.on('close', resolve))
}

describe('the page', () => {
  it('is there for every browser of this machine, without a token and without a cookie', async () => {
    const { port, token } = await start()
    expect(token).toMatch(/^[\w-]{43}$/)
    for (const path of ['/', '/?token=wrong', '/index.html']) {
      const page = await ask(port, path)
      expect(page.status).toBe(200)
      expect(page.headers['set-cookie']).toBeUndefined()
      expect(page.headers['referrer-policy']).toBe('no-referrer')
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(page.headers['content-security-policy']).toContain(`connect-src 'self' ws://127.0.0.1:${port}`)
      expect(page.body).toContain('<title>Mixlab')
      expect(page.body).not.toContain(token)
    }
  })

  it('gives the kernel script its own policy', async () => {
    const { port } = await start()
    const kernel = await ask(port, `/assets/kernel-2b.js`)
    expect(kernel.headers['content-security-policy']).toContain("connect-src 'none'")
    expect(kernel.headers['cache-control']).toContain('immutable')
    const main = await ask(port, `/assets/main-1a.js`)
    expect(main.headers['content-security-policy']).not.toContain('eval')
  })

  it('answers HEAD without a body', async () => {
    const { port } = await start()
    const reply = await ask(port, `/assets/main-1a.js`, {}, { method: 'HEAD' })
    expect([reply.status, reply.headers['content-length'], reply.body]).toEqual([200, '9', ''])
  })

  it('refuses other hosts and origins, in a sentence', async () => {
    const { port } = await start()
    for (const headers of [{ host: `evil.example:${port}` }, { origin: 'http://evil.example' }]) {
      const reply = await ask(port, '/', headers)
      expect(reply.status).toBe(403)
      expect(reply.body).toMatch(/<p>.*this server/i)
      expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
    }
  })

  it('has no other files and takes nothing', async () => {
    const { port } = await start()
    for (const path of ['/..%2fsecret.txt', '/missing', '/host', '/.mixlab/address.json'])
      expect((await ask(port, path)).status).toBe(404)
    expect((await ask(port, '/', {}, { method: 'POST' })).status).toBe(405)
    expect((await ask(port, 'http://[/')).status).toBe(404)
  })
})

describe('the host', () => {
  it('answers calls over the socket', async () => {
    const bytes = new Uint8Array(3_000_000).fill(7)
    const { host, token } = await start({ host: fakeHost({ big: bytes }) })
    const socket = await openSocket(`ws://${host}/host`, token)
    const { remote } = connect<Host>({}, socketChannel(socket))
    expect((await remote.describe()).notebook).toBe('first.ts')
    expect(Buffer.compare(await remote.read('big'), bytes)).toBe(0)
    await expect(remote.read('none')).rejects.toMatchObject({ code: 'data', path: 'none' })
  })

  it('answers two pages at once', async () => {
    const { host, token } = await start()
    const sockets = [
      await openSocket(`ws://${host}/host`, token),
      await openSocket(`ws://${host}/host`, token, { origin: `http://${host}` }),
    ]
    for (const socket of sockets) {
      const { remote } = connect<Host>({}, socketChannel(socket))
      expect(await remote.listNotebooks()).toEqual(['first.ts'])
    }
  })

  it('refuses a socket of another origin, to another host, or at another path', async () => {
    const { host, port, token } = await start()
    const refusals: [string, object][] = [
      ['/host', { origin: 'http://evil.example' }],
      ['/host', { host: `evil.example:${port}` }],
      ['/other', {}],
      ['/', {}],
    ]
    for (const [path, headers] of refusals)
      await expect(openSocket(`ws://${host}${path}`, token, headers)).rejects.toThrow('403')
  })

  it.each(['', 'wrong'])(
    'tells a page with the token %j that it is refused, hears nothing from it, and hangs up',
    async (wrong) => {
      const listNotebooks = vi.fn(async () => [])
      const { host, token } = await start({ host: { ...fakeHost(), listNotebooks } })
      const cookie = `token=${token}`
      const socket = await openSocket(`ws://${host}/host?token=${token}`, wrong, { cookie, authorization: token })
      expect(socket.protocol).toBe(refused)
      const code = closing(socket)
      const { remote } = connect<Host>({}, socketChannel(socket))
      void remote.listNotebooks()
      expect([1008, 1009]).toContain(await code)
      expect(listNotebooks).not.toHaveBeenCalled()
      expect((await openSocket(`ws://${host}/host`, token)).protocol).toBe(open)
    },
  )

  it.each([
    ['text', 'hello'],
    ['bytes that are no message', new Uint8Array([0xc1])],
    ['a message of nothing', new Uint8Array([0xc0])],
  ])('hangs up on %s, and on that page only', async (_what, rubbish) => {
    const { host, token } = await start()
    const rude = await openSocket(`ws://${host}/host`, token)
    const polite = await openSocket(`ws://${host}/host`, token)
    const code = closing(rude)
    rude.send(rubbish)
    expect(await code).toBe(1003)
    const { remote } = connect<Host>({}, socketChannel(polite))
    expect(await remote.listNotebooks()).toEqual(['first.ts'])
  })

  it('ends the runs of a page that goes as interrupted', async () => {
    const record = vi.fn<Host['record']>(async () => ({ ms: 0, stop: false }))
    const { host, token } = await start({ host: { ...fakeHost(), record } })
    const socket = await openSocket(`ws://${host}/host`, token)
    const { remote } = connect<Host>({}, socketChannel(socket))
    const id = begun(await remote.beginRun(sampleRun()))
    await remote.record(id, [{ type: 'step', step: 3, ms: 1 }])
    socket.close()
    await expect.poll(() => record).toHaveBeenLastCalledWith(id, [{ type: 'interrupted', step: 3 }], { epoch: 1 })
  })
})

describe('serve', () => {
  it('takes a given token', async () => {
    const { server } = await start({ token: 'given' })
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=given$/)
  })

  it('says goodbye to its pages and frees the port on close', async () => {
    const { server, host, port, token } = await start()
    const socket = await openSocket(`ws://${host}/host`, token)
    const code = closing(socket)
    await server.close()
    expect(await code).toBe(1001)
    running.splice(0)
    expect((await start({ port })).port).toBe(port)
  })

  it('names a port that is in use', async () => {
    const { port } = await start()
    await expect(start({ port })).rejects.toMatchObject({
      code: 'option',
      path: 'port',
      message: `port: ${port} is in use; choose another, or 0 for any`,
    })
  })

  it.each([-1, 65536, 1.5, Number.NaN])('refuses the port %s', async (port) => {
    await expect(start({ port })).rejects.toMatchObject({ code: 'option', path: 'port' })
  })

  it.each(['', 'a b', 'ä', 'a,b'])('refuses the token %j', async (token) => {
    await expect(start({ token })).rejects.toMatchObject({ code: 'option', path: 'token' })
  })

  it('refuses a page that is not built', async () => {
    await expect(start({ page: '/no/such/folder' })).rejects.toMatchObject({ code: 'option', path: 'page' })
  })
})
