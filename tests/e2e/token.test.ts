import type { IncomingHttpHeaders } from 'node:http'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { listen } from './elsewhere.ts'
import { kill, openPage, serve, workspaceWith } from './workbench.ts'

const SENTENCE = 'Mixlab needs its token: open the address that it printed when it started, which ends in #token=...'

const shown = (page: Page) => page.locator('[data-cell="a"]').waitFor()
const banner = (page: Page) => page.getByTestId('connection')
const kept = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('mixlab.token') ?? 'null'))
const tokenOf = (url: string) => new URL(url).hash.replace('#token=', '')

it('the token opens the workspace for the pages of one address, and is told to no other', async () => {
  const heard: IncomingHttpHeaders[] = []
  const foreign = await listen((request, response) => {
    heard.push({ ...request.headers, path: request.url })
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')
  })
  const workspace = workspaceWith('a.ts', `// %% [markdown] text\n// [there](${foreign})\n\n// %% a\n1 + 1\n`)
  const server = await serve(workspace)
  const { origin } = new URL(server.url)
  const token = tokenOf(server.url)
  const { page, context } = await openPage(server.url)
  await shown(page)
  expect(page.url()).toBe(`${origin}/#/notebook/a.ts`)
  expect(await kept(page)).toBe(token)

  // a page of another port, opened from this one
  await page.locator('[data-cell="text"] a').click()
  const [other] = await Promise.all([context.waitForEvent('page'), page.getByTestId('leave').click()])
  await other.waitForURL(foreign)
  const reach = async (host: string) => {
    const socket = (offered: string[]) =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${host.replace('http', 'ws')}/host`, offered)
        socket.onopen = () => resolve('open')
        socket.onerror = () => resolve('refused')
      })
    await fetch(host, { credentials: 'include', mode: 'no-cors' }).catch(() => {})
    return [document.referrer, window.opener, document.cookie, await socket([]), await socket(['mixlab', 'x'])]
  }
  expect(await other.evaluate(reach, origin)).toEqual(['', null, '', 'refused', 'refused'])
  expect(heard[0]?.path).toBe('/')
  expect(heard.filter(({ cookie }) => cookie)).toEqual([])
  for (const words of [token, origin]) expect(JSON.stringify(heard)).not.toContain(words)
  expect(await context.cookies()).toEqual([])
  await other.goto(`${origin}/#token=foreign`) // a link that would have this page forget its own
  await shown(other)
  expect(await kept(other)).toBe(token)

  // another browser, without the token and then with it
  const { page: stranger } = await openPage(origin)
  await expect.poll(() => banner(stranger).textContent()).toBe(SENTENCE)
  await stranger.goto(server.url)
  await shown(stranger)

  // the same server with another token
  await kill(server)
  const again = await serve(workspace, '--new-token')
  expect(new URL(again.url).origin).toBe(origin)
  await expect.poll(() => banner(page).textContent()).toBe(SENTENCE)
  await other.goto(again.url)
  await shown(other)
  await banner(page).waitFor({ state: 'detached' })
  await expect.poll(() => banner(stranger).textContent()).toBe(SENTENCE)
})
