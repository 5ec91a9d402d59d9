import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { headersFor } from '../../app/headers.ts'
import { openHost } from '../../app/host.ts'
import { fakeHost } from '../app/server/fake-host.ts'
import { forging } from './forging.ts'
import { launchBrowser, openPage, serve, workspaceWith } from './workbench.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

/** A server of this machine; it ends with the test. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** A place elsewhere that would answer anybody, and what it was asked for. */
async function elsewhere() {
  const asked: string[] = []
  const url = await listen((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('cross-origin-resource-policy', 'cross-origin')
    response.setHeader('content-type', request.url?.endsWith('.js') ? 'text/javascript' : 'text/plain')
    response.end('1')
  })
  return { url, asked }
}

/** What foreign code may try to reach the network, by name: expressions that throw, or reject, where it is refused. */
const NETWORK = {
  fetch: 'fetch(away)',
  'fetch with data': "fetch(away, { method: 'POST', mode: 'no-cors', keepalive: true, body: 'secret' })",
  'fetch of the workbench': "fetch('/')",
  XMLHttpRequest:
    'new Promise((ok, no) => { const r = new XMLHttpRequest(); r.onload = ok; r.onerror = no; r.open("GET", away); r.send() })',
  'XMLHttpRequest that waits': "(() => { const r = new XMLHttpRequest(); r.open('GET', away, false); r.send() })()",
  WebSocket:
    "new Promise((ok, no) => { const s = new WebSocket(away.replace('http', 'ws')); s.onopen = ok; s.onerror = no })",
  'the host': "new Promise((ok, no) => { const s = new WebSocket('/host'); s.onopen = ok; s.onerror = no })",
  EventSource: 'new Promise((ok, no) => { const s = new EventSource(away); s.onopen = ok; s.onerror = no })',
  WebTransport: "new WebTransport(away.replace('http:', 'https:')).ready",
  sendBeacon: "navigator.sendBeacon(away, 'secret') || Promise.reject()",
  importScripts: "importScripts(away + 'a.js')",
  import: "new Function('url', 'return import(url)')(away + 'b.js')",
  'import of data': 'new Function(\'return import("data:text/javascript,1")\')()',
  'import of a blob':
    "new Function('url', 'return import(url)')(URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' })))",
  Worker: "new Promise((ok, no) => { const w = new Worker(away + 'c.js'); w.onmessage = ok; w.onerror = no })",
  'a worker of a blob': `new Promise((ok, no) => { const w = new Worker(URL.createObjectURL(new Blob(['postMessage(1); fetch("' + away + 'd")']))); w.onmessage = ok; w.onerror = no })`,
  SharedWorker: "new SharedWorker(away + 'e.js')",
  FontFace: "new FontFace('f', 'url(' + away + 'f.woff2)').load()",
  RTCPeerConnection: "new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1' }] })",
}

/** The same for the storage of the page, other pages, and the page itself. */
const PAGE = {
  localStorage: "localStorage.getItem('secret').length",
  sessionStorage: 'sessionStorage.length',
  indexedDB: "new Promise((ok, no) => { const r = indexedDB.open('x'); r.onsuccess = ok; r.onerror = no })",
  caches: "caches.open('x')",
  'private files': 'navigator.storage.getDirectory()',
  locks: "navigator.locks.request('x', () => 1)",
  BroadcastChannel: "new BroadcastChannel('x').postMessage(1)",
  'messages to the page': 'self.postMessage(new Uint8Array(1))',
  'its window': 'window.document',
  'its parent': 'parent.document',
  'a window': 'open(away)',
  'the end of its worker': 'self.close()',
  'what a worker inherits':
    "(() => { for (let at = self; at; at = Object.getPrototypeOf(at)) for (const name of ['fetch', 'indexedDB', 'caches', 'postMessage']) if (Object.hasOwn(at, name)) return; throw 0 })()",
}

/** Code that gives the names of the attempts that succeed. */
const trying = (attempts: Record<string, string>, away: string) => `const away = '${away}'
const attempts = {
${Object.entries(attempts)
  .map(([name, code]) => `  ${JSON.stringify(name)}: () => ${code},`)
  .join('\n')}
}
const reached = []
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt()
    reached.push(name)
  } catch {}
}
`

/** What the kernel may ask of the host, through the page. */
const OPEN = [
  'list',
  'read',
  'findDone',
  'findResumable',
  'lookAt',
  'recordDesign',
  'beginRun',
  'readState',
  'record',
  'readWeights',
  'admitRuns',
]
const CLOSED = [...Object.keys(fakeHost()).filter((name) => !OPEN.includes(name)), 'constructor', '__proto__', 'then']

const ARGUMENTS = new Map([
  ['allowData', '/'],
  ['querySql', 'select 1'],
])

/** A cell that makes all these calls, and one that the page does offer, and gives those that were not refused. */
const FORGING = `${forging([
  { id: 'print', name: 'print', given: ['code', [{ level: 'log', text: 'forged' }]] },
  ...CLOSED.map((name) => ({ id: name, name, given: [ARGUMENTS.get(name) ?? 'forged.ts', 'forged', null] })),
])}
ids.filter((id) => id !== 'print' && !answerTo(id).includes('not found')).join() || 'all refused'
`

describe('a notebook from elsewhere', () => {
  it('runs nothing and asks nobody when it is opened', async () => {
    const { url, asked } = await elsewhere()
    const workspace = workspaceWith(
      'foreign.ts',
      `// %% [markdown] note
// # Hello
// ![picture](${url}picture.png) <img src="${url}image.png" onerror="fetch('${url}error')"> <script src="${url}s.js"></script>
// <iframe src="${url}frame"></iframe> <style>@import url(${url}style.css);</style> <link rel="prefetch" href="${url}link">

// %% code
await fetch('${url}code')
globalThis.ran = true
`,
    )
    const { page } = await openPage(browser, (await serve(workspace)).url)
    await expect.poll(() => page.getByTestId('kernel').getAttribute('data-phase')).toBe('ready')
    await expect.poll(() => page.locator('[data-cell="note"] h1').count()).toBe(1)
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    expect(await page.locator('[data-cell="code"]').getAttribute('data-status')).toBe('idle')
    expect(asked).toEqual([])
  })

  it('reaches neither network nor storage nor page when it is run', async () => {
    const { url, asked } = await elsewhere()
    const text = `// %% code\n${trying({ ...NETWORK, ...PAGE }, url)}reached.length ? reached : 'nothing'\n`
    const workspace = workspaceWith('foreign.ts', text)
    const { page } = await openPage(browser, (await serve(workspace)).url)
    await page.evaluate(() => localStorage.setItem('secret', 'secret'))
    await page.getByTestId('run-all').click()
    await expect.poll(() => page.getByTestId('status').getAttribute('data-status')).toBe('done')
    await expect.poll(() => page.getByTestId('value').textContent()).toBe('nothing')
    expect(asked).toEqual([])
    expect(readFileSync(join(workspace, 'foreign.ts'), 'utf8')).toBe(text)
  })

  it('makes no call of the host but those for training, even by forged messages', async () => {
    const text = `// %% code\n${FORGING}`
    const workspace = workspaceWith('foreign.ts', text)
    const { page, troubles } = await openPage(browser, (await serve(workspace)).url)
    const cell = page.locator('[data-cell="code"]')
    await cell.getByTestId('run').click()
    await expect.poll(() => cell.getByTestId('status').getAttribute('data-status')).toBe('done')
    await expect.poll(() => cell.getByTestId('output').textContent()).toContain('forged') // what the page does offer
    await expect.poll(() => cell.getByTestId('value').textContent()).toBe('all refused')
    expect(readFileSync(join(workspace, 'foreign.ts'), 'utf8')).toBe(text)
    expect(readdirSync(workspace).toSorted()).toEqual(['.mixlab', 'foreign.ts'])
    const store = openHost({ workspace })
    onTestFinished(() => store.close())
    expect(await store.listRuns()).toEqual([])
    await expect(store.list('/')).rejects.toMatchObject({ code: 'permission' })
    expect(troubles).toEqual([])
  })

  it('tells of what it throws once its cell has ended, and cannot end the kernel by that', async () => {
    const late = "setTimeout(() => { throw new Error('too late') })\nvoid Promise.reject(new Error('not caught'))"
    const workspace = workspaceWith('foreign.ts', `// %% a\n${late}\n\n// %% b\n1 + 1\n`)
    const { page } = await openPage(browser, (await serve(workspace)).url)
    await page.locator('[data-cell="a"]').getByTestId('run').click()
    const output = page.locator('[data-cell="a"]').getByTestId('output')
    await expect.poll(() => output.textContent()).toContain('too late')
    await expect.poll(() => output.textContent()).toContain('not caught')
    await page.locator('[data-cell="b"]').getByTestId('run').click()
    await expect.poll(() => page.locator('[data-cell="b"]').getByTestId('value').textContent()).toBe('2')
  })
})

it('the policy of the kernel bars the network by itself', async () => {
  const { url, asked } = await elsewhere()
  const script = `${trying(NETWORK, url)}postMessage(reached)`
  const own = await listen((request, response) => {
    const path = request.url ?? '/'
    const isProbe = path === '/assets/kernel-probe.js'
    const type = isProbe ? 'text/javascript' : 'text/html'
    response.writeHead(200, { ...headersFor(path), 'cache-control': 'no-store', 'content-type': type })
    response.end(isProbe ? script : '<!doctype html>')
  })
  const { page } = await openPage(browser, own)
  const reached = page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const worker = new Worker('/assets/kernel-probe.js', { type: 'module' })
        worker.onmessage = ({ data }) => resolve(data)
        worker.onerror = ({ message }) => reject(new Error(message))
      }),
  )
  expect(await reached).toEqual([])
  expect(asked).toEqual([])
})
