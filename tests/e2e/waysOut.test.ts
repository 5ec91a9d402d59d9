import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import katex from 'katex'
import { marked } from 'marked'
import { expect, it } from 'vitest'
import { headersFor } from '../../app/headers.ts'
import { elsewhere, listen } from './elsewhere.ts'
import { arrivedOf, BY_CODE, BY_DOORS, BY_TEXT, OF_PAGES, placed, trying, UNSEEN, UNSEEN_TEXTS } from './waysOut.ts'
import { openPage } from './workbench.ts'

/** The ways out that security.test.ts tries, without what holds them: each is seen to lead out. */

const LIBRARY = readFileSync(createRequire(import.meta.url).resolve('@tensorflow/tfjs/dist/tf.min.js'), 'utf8')

/** A page of a server that holds nothing, but that its workers have a policy where one is given; and what it is asked. */
async function openUnheld(files: Record<string, string>, policy: Record<string, string> = {}) {
  const asked: string[] = []
  const url = await listen((request, response) => {
    const path = request.url ?? '/'
    asked.push(`${request.method} ${path}`)
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html'
    response.writeHead(200, { ...(type === 'text/javascript' ? policy : {}), 'content-type': type })
    response.end(files[path] ?? (type === 'text/html' ? '<!doctype html>' : ''))
  })
  return { ...(await openPage(url)), asked }
}

/** Tries ways of `BY_CODE` in a worker with a policy, or in a page. */
async function tryUnheld(names: string[], where: 'worker' | 'page', policy: Record<string, string> = {}) {
  const { url, asked } = await elsewhere()
  const tries = `(async () => {
  ${trying(names, url)}
  let ended = false
  setInterval(() => tell({ reached, ended }), 20)
  await Promise.allSettled(tried)
  ended = true
})()`
  const ways = `importScripts('/tf.js')\nconst tell = postMessage\nvoid ${tries}`
  const { page, asked: askedOfOwn } = await openUnheld({ '/tf.js': LIBRARY, '/ways.js': ways }, policy)
  await page.evaluate((inWorker) => {
    const tell = (found: object) => 'reached' in found && Object.assign(globalThis, { found }) // one of the ways tells, too
    if (inWorker) new Worker('/ways.js').onmessage = ({ data }) => tell(data)
    else Object.assign(globalThis, { tell })
  }, where === 'worker')
  if (where === 'page') {
    await page.addScriptTag({ url: '/tf.js' })
    await page.evaluate(`void ${tries}`)
  }
  const found = async () => (await page.evaluate('globalThis.found ?? { reached: [], ended: false }')) as Found
  const out = async () => {
    const arrived = arrivedOf(names, asked)
    if (asked.includes('a datagram')) arrived.push('WebTransport')
    if (askedOfOwn.includes('GET /host')) arrived.push('the host')
    const known = [...(await found()).reached, ...arrived]
    return names.filter((name) => known.includes(name))
  }
  return { asked, out, ended: async () => (await found()).ended }
}

interface Found {
  reached: string[]
  ended: boolean
}

const SEEN = Object.keys(BY_CODE).filter((name) => !UNSEEN.includes(name))
const OF_WORKERS = SEEN.filter((name) => !OF_PAGES.includes(name))

it('all of these lead out where nothing holds them', async () => {
  const worker = await tryUnheld(OF_WORKERS, 'worker')
  await expect.poll(worker.out).toEqual(OF_WORKERS)
  const ofPages = SEEN.filter((name) => OF_PAGES.includes(name))
  const page = await tryUnheld(ofPages, 'page')
  await expect.poll(page.out).toEqual(ofPages)
})

it('texts ask others where nothing holds them', async () => {
  const { url, asked } = await elsewhere()
  const options = { trust: true, strict: false, output: 'html' } as const
  const html = Object.entries(BY_TEXT).map(([name, way]) => {
    const text = placed(way, name, url)
    const [, formula] = /\$(.*)\$/.exec(text) ?? []
    return formula ? katex.renderToString(formula, options) : marked(text)
  })
  await openUnheld({ '/': `<!doctype html>${html.join('\n')}` })
  const seen = Object.keys(BY_TEXT).filter((name) => !UNSEEN_TEXTS.includes(name))
  await expect.poll(() => arrivedOf(seen, asked)).toEqual(seen)
})

it('the policy of the kernel bars the network by itself', async () => {
  const { asked, out, ended } = await tryUnheld(OF_WORKERS, 'worker', headersFor('/assets/kernel-1a.js'))
  await expect.poll(ended).toBe(true)
  expect(await out()).toEqual(OF_WORKERS.filter((name) => BY_DOORS.includes(name)))
  expect(asked).toEqual([])
})
