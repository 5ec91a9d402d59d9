import { beforeAll, describe, expect, it, vi } from 'vitest'
import { isPage, pageUrl, registerScheme, servePage } from '../../../app/electron/protocol.ts'
import { headersFor } from '../../../app/headers.ts'
import { pageFolder } from '../server/page-folder.ts'
import { protocol } from './fake-electron.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

let serveRequest: (request: Request) => Response | Promise<Response>
beforeAll(() => {
  servePage(pageFolder())
  const [scheme, handler] = protocol.handle.mock.calls[0] ?? []
  expect(scheme).toBe('mixlab')
  if (handler) serveRequest = handler
})

/** A request as Electron makes it: unlike `new Request`, it takes any scheme. */
function get(path: string, method = 'GET', base = pageUrl) {
  return serveRequest({ url: new URL(path, base).href, method } as Request)
}

it('registers a scheme with origins and secure contexts', () => {
  registerScheme()
  expect(protocol.registerSchemesAsPrivileged).toHaveBeenCalledWith([
    {
      scheme: 'mixlab',
      privileges: expect.objectContaining({ standard: true, secure: true, supportFetchAPI: true, stream: true }),
    },
  ])
  const privileges = protocol.registerSchemesAsPrivileged.mock.calls[0]?.[0][0]?.privileges
  expect(privileges).not.toHaveProperty('bypassCSP')
})

describe('servePage', () => {
  it('serves the page with the headers of the server', async () => {
    const response = await get('/')
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('<title>Mixlab')
    for (const [name, value] of Object.entries(headersFor('/'))) expect(response.headers.get(name)).toBe(value)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  it('gives the kernel script its own policy', async () => {
    const response = await get('/assets/kernel-2b.js')
    expect(response.headers.get('content-security-policy')).toContain("connect-src 'none'")
  })

  it('has nothing outside the folder', async () => {
    expect((await get('/..%2fsecret.txt')).status).toBe(404)
    expect((await get('/missing.js')).status).toBe(404)
  })

  it('answers neither other sites of the scheme nor other methods', async () => {
    expect((await get('/', 'GET', 'mixlab://elsewhere/')).status).toBe(403)
    expect((await get('/', 'POST')).status).toBe(403)
  })
})

describe('isPage', () => {
  it('knows the page, wherever it is scrolled to', () => {
    for (const url of [pageUrl, `${pageUrl}index.html`, `${pageUrl}?a#b`]) expect(isPage(url)).toBe(true)
  })

  it.each([
    '',
    'mixlab:',
    'mixlab://',
    'mixlab://other/',
    'about:blank',
    'https://workbench/',
    'mixlab://workbench:1/',
  ])('does not take %j for the page', (url) => expect(isPage(url)).toBe(false))
})
