import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { headersFor } from '../../../app/headers.ts'
import { newToken, recallAddress, rememberAddress } from '../../../app/server/address.ts'
import { openBrowser } from '../../../app/server/browser.ts'
import { createGate } from '../../../app/server/gate.ts'
import { readPageFile } from '../../../app/server/page-files.ts'
import { freshFolder } from '../store/samples.ts'
import { pageFolder } from './page-folder.ts'

describe('readPageFile', () => {
  it('gives index.html for the root', async () => {
    const file = await readPageFile(pageFolder(), '/')
    expect(file?.type).toBe('text/html; charset=utf-8')
    expect(new TextDecoder().decode(file?.bytes)).toContain('<title>Mixlab')
  })

  it.each([
    ['/assets/main-1a.js', 'text/javascript; charset=utf-8'],
    ['/assets/with%20space.css', 'text/css; charset=utf-8'],
    ['/assets/font.ttf', 'font/ttf'],
  ])('knows the type of %s', async (path, type) => {
    expect((await readPageFile(pageFolder(), path))?.type).toBe(type)
  })

  it('gives bytes as they are', async () => {
    const file = await readPageFile(pageFolder(), '/assets/font.ttf')
    expect([...(file?.bytes ?? [])]).toEqual([0, 1, 2, 255])
  })

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..%5csecret.txt',
    '/../page-2/secret.txt',
    '//etc/passwd',
    '/etc/passwd',
    '/assets/main-1a.js%00.html',
    '/%zz',
    '/assets',
    '/assets/',
    '/missing.js',
    '',
  ])('has nothing at %j', async (path) => {
    expect(await readPageFile(pageFolder(), path)).toBeNull()
  })
})

describe('createGate', () => {
  const token = 'a-token'
  const host = '127.0.0.1:4000'
  const gate = createGate(4000, token)
  const offering = (protocols?: string) => ({ headers: { host, 'sec-websocket-protocol': protocols } })

  it('prints an address whose token a browser sends nowhere', () => {
    expect(gate.url).toBe(`http://127.0.0.1:4000/#token=${token}`)
  })

  it.each(['127.0.0.1:4000', 'localhost:4000'])('answers to %s', (name) => {
    expect(gate.refusal({ headers: { host: name } })).toBeNull()
    expect(gate.refusal({ headers: { host: name, origin: `http://${name}` } })).toBeNull()
  })

  it.each([undefined, '', 'evil.example', 'evil.example:4000', '127.0.0.1', '127.0.0.1:4001', '127.0.0.1:4000.evil'])(
    'does not answer to the host %j',
    (name) => {
      const headers = name === undefined ? {} : { host: name }
      expect(gate.refusal({ headers })).toMatch(/answers to 127\.0\.0\.1:4000 and localhost:4000 only/)
    },
  )

  it.each(['null', 'http://evil.example', 'http://localhost:4001', 'https://localhost:4000', 'mixlab://workbench', ''])(
    'does not talk to pages of the origin %j',
    (origin) => {
      expect(gate.refusal({ headers: { host, origin } })).toMatch(/other origins/)
    },
  )

  it.each([token, `mixlab, ${token}`, `mixlab,${token},x`])('admits who offers %j', (protocols) => {
    expect(gate.admits(offering(protocols))).toBe(true)
  })

  it.each([undefined, '', 'mixlab', 'wrong', `${token}x`, token.toUpperCase(), `mixlab ${token}`, `"${token}"`])(
    'does not admit who offers %j',
    (protocols) => {
      expect(gate.admits(offering(protocols))).toBe(false)
    },
  )

  it('takes no token from an address or a cookie', () => {
    const headers = { host, cookie: `mixlab-4000=${token}`, authorization: token }
    const request = { url: `/host?token=${token}`, headers }
    expect(gate.admits(request)).toBe(false)
  })

  it('does without a port number where the browser leaves it out', () => {
    expect(createGate(80, token).refusal({ headers: { host: 'localhost' } })).toBeNull()
  })
})

describe('headersFor', () => {
  it.each(['/', '/index.html', '/assets/kernel-1a2b.js', '/assets/main-3c4d.css'])('isolates %s', (path) => {
    expect(headersFor(path)).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })

  it('lets the page run its own scripts only, without eval', () => {
    const policy = directives('/')
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('script-src')).toBe("'self'")
    expect(policy.get('connect-src')).toBe("'self'")
    expect(policy.get('worker-src')).toBe("'self'")
    for (const name of ['frame-ancestors', 'form-action', 'base-uri']) expect(policy.get(name)).toBe("'none'")
  })

  it('lets the kernel evaluate and reach nothing', () => {
    const policy = directives('/assets/kernel-1a2b.js')
    expect(policy.get('script-src')).toBe("'self' 'unsafe-eval' 'wasm-unsafe-eval'")
    expect(policy.get('connect-src')).toBe("'none'")
    expect(policy.get('default-src')).toBe("'none'")
  })

  it('gives the kernel policy to the kernel script alone', () => {
    for (const path of ['/assets/editor.worker-1a.js', '/kernel-1a.js', '/assets/', '/assets/x/kernel-1.js'])
      expect(directives(path).get('script-src')).toBe("'self'")
  })

  it('names the WebSocket origin for the page and never for the kernel', () => {
    expect(directives('/', 'ws://localhost:1').get('connect-src')).toBe("'self' ws://localhost:1")
    expect(directives('/assets/kernel-1a.js', 'ws://localhost:1').get('connect-src')).toBe("'none'")
  })

  it('keeps hashed files for good and asks again for the page', () => {
    expect(headersFor('/assets/main-3c4d.js')['cache-control']).toContain('immutable')
    expect(headersFor('/')['cache-control']).toBe('no-cache')
    expect(headersFor('/index.html')['cache-control']).toBe('no-cache')
  })
})

function directives(path: string, socket?: string): Map<string, string> {
  const policy = headersFor(path, socket)['content-security-policy'] ?? ''
  return new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources.join(' ')]
    }),
  )
}

const url = 'http://127.0.0.1:4000/?token=a'

describe.runIf(process.platform !== 'win32')('openBrowser', () => {
  it.each([
    ['linux', 'xdg-open'],
    ['darwin', 'open'],
  ] as const)('hands the address to the opener of %s', async (platform, command) => {
    const folder = freshFolder()
    const seen = join(folder, 'seen')
    writeFileSync(join(folder, command), `#!/bin/sh\necho "$@" > ${seen}.part && /bin/mv ${seen}.part ${seen}\n`)
    chmodSync(join(folder, command), 0o755)
    vi.stubEnv('PATH', folder)
    openBrowser(url, platform)
    vi.unstubAllEnvs()
    await vi.waitUntil(() => existsSync(seen))
    expect(readFileSync(seen, 'utf8')).toBe(`${url}\n`)
  })

  it('does nothing where there is no opener', () => {
    vi.stubEnv('PATH', freshFolder())
    expect(() => openBrowser(url, 'linux')).not.toThrow()
    vi.unstubAllEnvs()
  })
})

const file = () => join(freshFolder(), 'address.json')

describe('the address of a workspace', () => {
  it('is new where there is none: any port, a token of its own', () => {
    const [first, second] = [recallAddress(file()), recallAddress(file())]
    expect(first.port).toBe(0)
    expect(first.token).toMatch(/^[\w-]{43}$/)
    expect(second.token).not.toBe(first.token)
  })

  it('is the one that was kept, which nobody else can read', () => {
    const path = file()
    const address = { port: 4321, token: newToken() }
    rememberAddress(path, { port: 1, token: newToken() })
    rememberAddress(path, address)
    expect(recallAddress(path)).toEqual(address)
    const changed = recallAddress(path, true)
    expect(changed).toEqual({ port: address.port, token: expect.any(String) })
    expect(changed.token).not.toBe(address.token)
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it.skipIf(process.platform === 'win32')('is given up where others can read it', () => {
    const path = file()
    rememberAddress(path, { port: 4321, token: newToken() })
    chmodSync(path, 0o640)
    expect(recallAddress(path).port).toBe(0)
  })

  it.each([
    '',
    'null',
    '{"port":-1,"token":"x"}',
    '{"port":80,"token":""}',
    '{"port":80,"token":"a b c d e f g h i j k l m n o p q"}',
  ])('is new where it is damaged: %j', (text) => {
    const path = file()
    writeFileSync(path, text, { mode: 0o600 })
    expect(recallAddress(path).port).toBe(0)
  })
})
