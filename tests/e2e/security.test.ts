import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openHost } from '../../app/host.ts'
import { fakeHost } from '../app/server/fake-host.ts'
import { sample } from '../long.ts'
import { launchBrowser } from '../served.ts'
import { elsewhere } from './elsewhere.ts'
import { type ForgedCall, forging } from './forging.ts'
import { addressOf, BY_CODE, BY_TEXT, BY_VALUE, BY_VIEW, placed, showing, trying } from './waysOut.ts'
import { cell, openPage, run, serve, status, value, workspaceWith } from './workbench.ts'

// of its own, and without a profile: a browser with one connects to where a link leads as soon as the mouse is down on it
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

/** What the kernel may ask of the host, through the page. */
const OPEN = [
  'list',
  'read',
  'findDone',
  'findResumable',
  'lookAt',
  'doubtRuns',
  'recordDesign',
  'earlierDesigns',
  'standingOf',
  'showReadouts',
  'keepReadout',
  'findFloors',
  'keepFloors',
  'readSeries',
  'beginRun',
  'readState',
  'record',
  'readWeights',
  'admitRuns',
]
const CLOSED = [...Object.keys(fakeHost()).filter((name) => !OPEN.includes(name)), 'constructor', '__proto__', 'then']

/** The values that a cell shows: a third of them, with HTML, a getter, a chart and a table, or all. */
const SHOWN = sample(Object.keys(BY_VALUE), 2, 3)

const ARGUMENTS = new Map([
  ['allowData', '/'],
  ['querySql', 'select 1'],
])

const line = [{ level: 'log', text: 'forged' }]
/** What the page does offer: an ear. */
const TOLD: ForgedCall[] = [
  { id: 'of a cell', name: 'print', given: ['code', line] },
  ...['__proto__', 'constructor', 'nobody'].map((id) => ({ id: `of ${id}`, name: 'print', given: [id, line] })),
]

/** A cell that makes all these calls, shows what no value looks like, and gives the calls that were not refused. */
function forgingAll(server: string): string {
  const views = Object.entries(BY_VIEW).map(
    ([name, view]): ForgedCall => ({ id: name, name: 'show', given: ['forged', [placed(view, name, server)]] }),
  )
  const closed = CLOSED.map((name) => ({ id: name, name, given: [ARGUMENTS.get(name) ?? 'forged.ts', 'forged', null] }))
  return `${forging([...TOLD, ...views, ...closed])}const closed = ${JSON.stringify(CLOSED)}
closed.filter((id) => !answerTo(id).includes('not found')).join() || 'all refused'
`
}

/** What a cell throws once it has ended. */
const LATE = `setTimeout(() => { throw new Error('too late') })
void Promise.reject(new Error('not caught'))
reportError(new Error('told by itself'))
`

/** Takes the class of the kernel's own workers where a study starts them, and keeps it. */
const PATCHED = `const { addEventListener: listen } = EventTarget.prototype
globalThis.classes = []
EventTarget.prototype.addEventListener = function (...given) {
  if ('terminate' in this) classes.push(this.constructor)
  return listen.apply(this, given)
}
`

/** Starts workers of that class that are not the workbench's own, and tells which of them have answered. */
const STARTED = (away: string) => `const text = \`postMessage(1); fetch('${away}')\`
const ways = { blob: URL.createObjectURL(new Blob([text])), data: 'data:text/javascript,' + text, elsewhere: '${away}.js' }
const started = []
for (const [name, address] of Object.entries(ways)) {
  try {
    await new Promise((ok, no) => {
      const worker = new classes[0](address)
      worker.onmessage = ok
      worker.onerror = no
    })
    started.push(name)
  } catch {}
}
'class ' + (classes.length > 0 ? 'taken' : 'missing') + ', started: ' + started.join()
`

const STUDY = `import { compare, image, mixer, shapes } from 'mixlab'
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { mixer: mixer() },
  train: { steps: 4, batch: 8 },
  seeds: 2,
})
`

/** A notebook that tries all ways that there are. */
function foreignNotebook(server: string): string {
  const texts = Object.entries(BY_TEXT).map(([name, text]) => `# ${name}\n\n${placed(text, name, server)}\n`)
  const cells = {
    code: `import * as tf from '@tensorflow/tfjs'\n${trying(Object.keys(BY_CODE), server)}await Promise.allSettled(tried)\nreached.join() || 'nothing'`,
    values: `import { display, plot, table } from 'mixlab'\n${showing(SHOWN, server)}'all shown'`,
    forged: forgingAll(server),
    late: LATE,
    patched: PATCHED,
    study: STUDY,
    started: STARTED(addressOf(server, 'class of workers')),
  }
  const markdown = texts.join('\n').trimEnd().replace(/^/gm, '// ')
  const code = Object.entries(cells).map(([id, source]) => `// %% ${id}\n${source.trimEnd()}\n`)
  return [`// %% [markdown] text\n${markdown}\n`, ...code].join('\n')
}

/** What a notebook has no hand in: the page around its cells, its objects, and what the browser keeps for it. */
const surroundings = (page: Page) =>
  page.evaluate(async () => {
    const { origin } = location
    /** Scripts and styles of the workbench, what its editor and charts put beside the page, and the page. */
    const own = (element: Element) =>
      (element instanceof HTMLLinkElement && element.href.startsWith(origin)) ||
      (element instanceof HTMLScriptElement && element.src.startsWith(origin)) ||
      element.matches('style, meta, title, #root, [class*="monaco"], .context-view, #js-plotly-tester')
    const files: string[] = []
    for await (const name of (await navigator.storage.getDirectory()).keys()) files.push(name)
    return {
      address: location.href,
      title: document.title,
      elements: [...document.head.children, ...document.body.children]
        .filter((each) => !own(each))
        .map((each) => each.outerHTML.slice(0, 200)),
      prototype: Object.getOwnPropertyNames(Object.prototype).join(),
      files,
      databases: await indexedDB.databases(),
      caches: await caches.keys(),
      workers: (await navigator.serviceWorker.getRegistrations()).length,
      cookies: document.cookie,
      session: Object.keys(sessionStorage),
      kept: Object.keys(localStorage).filter((key) => !key.startsWith('mixlab.')),
    }
  })

/** The attributes in the page that name a server, and can lead there. */
const leading = (page: Page, server: string) =>
  page.evaluate((server) => {
    const attributes = [...document.querySelectorAll('*')].flatMap(({ tagName, attributes }) =>
      [...attributes].map(({ name, value }) => ({ at: `${tagName} ${name}`, name, value })),
    )
    return attributes
      .filter(({ name, value }) => !/^(title|aria-|data-)/.test(name) && value.includes(server))
      .map(({ at }) => at)
  }, server)

/** The texts that are HTML, beside the one way that no policy knows. */
const htmlOf = (server: string) =>
  Object.entries(BY_TEXT).flatMap(([name, text]) =>
    text.startsWith('<') && name !== 'meta refresh' ? placed(text, name, server) : [],
  )

/** Runs in the page: puts HTML into it and does what code in it could; gives what succeeds. */
async function leaveByPage({ server, html }: { server: string; html: string[] }): Promise<string[]> {
  for (const each of html) document.body.append(document.createRange().createContextualFragment(each))
  const ways: Record<string, () => unknown> = {
    eval: async () => {
      await new Promise((go) => setTimeout(go)) // until then the tool that runs this may evaluate
      new Function('return 1')()
    },
    fetch: () => fetch(server),
    import: () => import(/* @vite-ignore */ `${server}page.js`),
    WebSocket: () =>
      new Promise((ok, no) => {
        Object.assign(new WebSocket(server.replace('http', 'ws')), { onopen: ok, onerror: no })
      }),
    Worker: () =>
      new Promise((ok, no) => {
        Object.assign(new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))), { onmessage: ok, onerror: no })
      }),
    picture: () => Object.assign(new Image(), { src: `${server}page.png` }).decode(),
    font: () => new FontFace('f', `url(${server}page.woff2)`).load(),
  }
  const tried = Object.entries(ways).map(async ([name, way]) => {
    await way()
    return name
  })
  return (await Promise.allSettled(tried)).flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
}

it('a notebook from elsewhere finds no way out, and does no harm', async () => {
  const { url, asked } = await elsewhere()
  const text = foreignNotebook(url)
  const workspace = workspaceWith('foreign.ts', text)
  const ways = [BY_CODE, BY_TEXT, BY_VALUE, BY_VIEW].flatMap((table) => Object.keys(table))
  expect(ways.length).toBeGreaterThanOrEqual(100)
  const { page, context, troubles } = await openPage((await serve(workspace)).url, browser)
  const thrown: string[] = []
  page.on('pageerror', (error) => void thrown.push(String(error)))
  const answered: string[] = []
  page.on('response', (response) => void answered.push(response.url()))
  const done = async (id: string) => {
    await run(page, id)
    await expect.poll(() => status(page, id)).toMatch(/done|failed/)
    expect([id, ...(await cell(page, id).getByTestId('error').allTextContents())]).toEqual([id])
  }

  // opened: nothing runs
  await expect.poll(() => page.getByTestId('kernel').getAttribute('data-phase')).toBe('ready')
  await expect.poll(() => cell(page, 'text').locator('h1').count()).toBe(Object.keys(BY_TEXT).length)
  const before = await surroundings(page)
  expect(await status(page, 'code')).toBe('idle')
  expect(new Set(await leading(page, url))).toEqual(new Set(['A href']))

  // a link asks
  for (const link of await cell(page, 'text').locator('a').all()) {
    await link.click()
    await page.getByRole('heading', { name: `Open ${new URL(url).host}?` }).waitFor()
    await page.keyboard.press('Escape')
  }
  expect(context.pages()).toHaveLength(1)
  expect(asked).toEqual([])

  // run
  await done('code')
  await expect.poll(() => value(page, 'code')).toBe('nothing')
  await done('values')
  await expect.poll(() => cell(page, 'values').getByTestId('value').last().textContent()).toBe('all shown')
  const charts = SHOWN.filter((name) => name.includes('of a chart')).length
  await expect.poll(() => cell(page, 'values').locator('.subplot.xy').count()).toBe(charts)
  await done('forged')
  const forged = cell(page, 'forged').getByTestId('value')
  await expect.poll(() => forged.last().textContent()).toBe('all refused')
  expect(await forged.count()).toBe(Object.keys(BY_VIEW).length + 1)
  await expect.poll(() => cell(page, 'forged').locator('.subplot.xy').count()).toBe(1)
  expect(await cell(page, 'code').getByTestId('output').textContent()).toContain('forged')
  await done('late')
  for (const words of ['too late', 'not caught', 'told by itself'])
    await expect.poll(() => cell(page, 'late').getByTestId('output').textContent()).toContain(words)
  expect(await surroundings(page)).toEqual(before)
  expect(new Set(await leading(page, url))).toEqual(new Set(['A href']))

  // the same kernel trains on, in workers that a cell cannot use
  await page.getByTestId('at-once').selectOption('2')
  await done('patched')
  await done('study')
  await done('started')
  expect(await value(page, 'started')).toBe('class taken, started: ')

  expect(asked).toEqual([])
  expect(troubles).toEqual([])

  // what would find its way into the page all the same, as no text does, would be held by its policy
  expect(await page.evaluate(leaveByPage, { server: url, html: htmlOf(url) })).toEqual([])
  expect(asked.filter((line) => line !== 'a connection')).toEqual([]) // which a browser may prepare for a link
  const { origin } = new URL(page.url())
  expect(answered.filter((address) => !address.startsWith(origin) && !/^(blob|data):/.test(address))).toEqual([])
  expect(thrown).toEqual([])
  expect(readFileSync(join(workspace, 'foreign.ts'), 'utf8')).toBe(text)
  expect(readdirSync(workspace).toSorted()).toEqual(['.mixlab', 'foreign.ts'])
  const store = openHost({ workspace })
  onTestFinished(() => store.close())
  expect((await store.listRuns()).map(({ study, notebook }) => [study, notebook])).toEqual([
    ['tiny', 'foreign.ts'],
    ['tiny', 'foreign.ts'],
  ])
  await expect(store.list('/')).rejects.toMatchObject({ code: 'permission' })
})
