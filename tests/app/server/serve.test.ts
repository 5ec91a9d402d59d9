import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type ServeOptions, serve, type WorkbenchServer } from '../../../app/server/serve.ts'
import { socketChannel } from '../../../app/server/socket-channel.ts'
import { connect } from '../../../engine/channel.ts'
import type { Host } from '../../../engine/host.ts'
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
  const { port, searchParams, host } = new URL(server.url)
  return { server, port: Number(port), host, token: searchParams.get('token') ?? '' }
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

function openSocket(url: string, headers = {}): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers })
    socket.on('open', () => resolve(socket))
    socket.on('error', reject)
  })
}

function closing(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => socket.on('close', resolve))
}

describe('the page', () => {
  it('opens with the printed address, which is exchanged for a cookie', async () => {
    const { port, token } = await start()
    expect(token).toMatch(/^[\w-]{43}$/)
    const entry = await ask(port, `/?token=${token}`)
    expect(entry.status).toBe(303)
    expect(entry.headers.location).toBe('/')
    const [cookie = ''] = entry.headers['set-cookie'] ?? []
    const page = await ask(port, '/', { cookie: cookie.split(';')[0] })
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toContain(`connect-src 'self' ws://127.0.0.1:${port}`)
    expect(page.body).toContain('<title>Mixlab')
  })

  it('gives the kernel script its own policy', async () => {
    const { port, token } = await start()
    const kernel = await ask(port, `/assets/kernel-2b.js?token=${token}`)
    expect(kernel.headers['content-security-policy']).toContain("connect-src 'none'")
    expect(kernel.headers['cache-control']).toContain('immutable')
    const main = await ask(port, `/assets/main-1a.js?token=${token}`)
    expect(main.headers['content-security-policy']).not.toContain('eval')
  })

  it('answers HEAD without a body', async () => {
    const { port, token } = await start()
    const reply = await ask(port, `/assets/main-1a.js?token=${token}`, {}, { method: 'HEAD' })
    expect([reply.status, reply.headers['content-length'], reply.body]).toEqual([200, '9', ''])
  })

  it('tells someone without the token what to do', async () => {
    const { port } = await start()
    for (const path of ['/', '/index.html', '/assets/main-1a.js', '/?token=wrong']) {
      const reply = await ask(port, path)
      expect(reply.status).toBe(403)
      expect(reply.body).toMatch(/<p>.*open the address it printed/)
      expect(reply.headers['set-cookie']).toBeUndefined()
      expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
    }
  })

  it('refuses other hosts and origins even with the token', async () => {
    const { port, token } = await start()
    expect((await ask(port, `/?token=${token}`, { host: `evil.example:${port}` })).status).toBe(403)
    expect((await ask(port, `/?token=${token}`, { origin: 'http://evil.example' })).status).toBe(403)
  })

  it('has no other files and takes nothing', async () => {
    const { port, token } = await start()
    expect((await ask(port, `/..%2fsecret.txt?token=${token}`)).status).toBe(404)
    expect((await ask(port, `/missing?token=${token}`)).status).toBe(404)
    expect((await ask(port, `/host?token=${token}`)).status).toBe(404)
    expect((await ask(port, `/?token=${token}`, {}, { method: 'POST' })).status).toBe(405)
    expect((await ask(port, `http://[/?token=${token}`)).status).toBe(403)
  })
})

describe('the host', () => {
  it('answers calls over the socket', async () => {
    const bytes = new Uint8Array(3_000_000).fill(7)
    const { host, token } = await start({ host: fakeHost({ big: bytes }) })
    const socket = await openSocket(`ws://${host}/host?token=${token}`)
    const { remote } = connect<Host>({}, socketChannel(socket))
    expect((await remote.describe()).notebook).toBe('first.ts')
    expect(Buffer.compare(await remote.read('big'), bytes)).toBe(0)
    await expect(remote.read('none')).rejects.toMatchObject({ code: 'data', path: 'none' })
  })

  it('answers two pages at once', async () => {
    const { host, port, token } = await start()
    const sockets = [
      await openSocket(`ws://${host}/host?token=${token}`),
      await openSocket(`ws://${host}/host`, { cookie: `mixlab-${port}=${token}`, origin: `http://${host}` }),
    ]
    for (const socket of sockets) {
      const { remote } = connect<Host>({}, socketChannel(socket))
      expect(await remote.listNotebooks()).toEqual(['first.ts'])
    }
  })

  it('refuses a socket without the token, of another origin, to another host, or at another path', async () => {
    const { host, port, token } = await start()
    const refusals: [string, object][] = [
      ['/host', {}],
      ['/host?token=wrong', {}],
      [`/host?token=${token}`, { origin: 'http://evil.example' }],
      [`/host?token=${token}`, { host: `evil.example:${port}` }],
      [`/other?token=${token}`, {}],
      [`/?token=${token}`, {}],
    ]
    for (const [path, headers] of refusals)
      await expect(openSocket(`ws://${host}${path}`, headers)).rejects.toThrow('403')
  })

  it.each([
    ['text', 'hello'],
    ['bytes that are no message', new Uint8Array([0xc1])],
    ['a message of nothing', new Uint8Array([0xc0])],
  ])('hangs up on %s, and on that page only', async (_what, rubbish) => {
    const { host, token } = await start()
    const rude = await openSocket(`ws://${host}/host?token=${token}`)
    const polite = await openSocket(`ws://${host}/host?token=${token}`)
    const code = closing(rude)
    rude.send(rubbish)
    expect(await code).toBe(1003)
    const { remote } = connect<Host>({}, socketChannel(polite))
    expect(await remote.listNotebooks()).toEqual(['first.ts'])
  })

  it('ends the runs of a page that goes as interrupted', async () => {
    const record = vi.fn<Host['record']>(async () => ({ ms: 0, stop: false }))
    const { host, token } = await start({ host: { ...fakeHost(), record } })
    const socket = await openSocket(`ws://${host}/host?token=${token}`)
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
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=given$/)
  })

  it('says goodbye to its pages and frees the port on close', async () => {
    const { server, host, port, token } = await start()
    const socket = await openSocket(`ws://${host}/host?token=${token}`)
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

  it('refuses an empty token', async () => {
    await expect(start({ token: '' })).rejects.toMatchObject({ code: 'option', path: 'token' })
  })

  it('refuses a page that is not built', async () => {
    await expect(start({ page: '/no/such/folder' })).rejects.toMatchObject({ code: 'option', path: 'page' })
  })
})
