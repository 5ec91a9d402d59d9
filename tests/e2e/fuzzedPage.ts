// `npm run fuzz:page -- [COUNT [FIRST]]`: opens so many notebooks that nobody would write in Chromium, 1,000 by default,
// and tells which of them kept the page from everything else for over 100 ms of processor time. A test opens a sample.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser, startServer } from '../served.ts'
import { MOST_BLOCKED, type Opening, openFuzzed } from './fuzzed.ts'

const [count, first] = [Number(process.argv[2] ?? 1_000), Number(process.argv[3] ?? 0)]
const workspace = mkdtempSync(join(tmpdir(), 'mixlab-fuzzed-'))
const server = startServer(workspace)
const browser = await launchBrowser()
const openings: Opening[] = []
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.on('pageerror', (error) => console.error(error))
  await page.goto(await server.url)
  for (let number = first; number < first + count; number++) {
    const opening = await openFuzzed(browser, page, workspace, number)
    openings.push(opening)
    if (opening.busy > MOST_BLOCKED || opening.problem) console.error(opening)
  }
} finally {
  await browser.close()
  server.process.kill()
  rmSync(workspace, { recursive: true, force: true })
}
const blocking = openings.filter(({ busy }) => busy > MOST_BLOCKED).length
const over = openings.filter(({ blocked }) => blocked > MOST_BLOCKED).length
const longest = (of: 'busy' | 'blocked') => Math.max(0, ...openings.map((opening) => opening[of]))
console.log(`${openings.length} notebooks opened; at once the page had over 100 ms`)
console.log(`of processor time to spend for ${blocking}, at most ${longest('busy')} ms`)
console.log(`by the clock of this machine for ${over}, at most ${longest('blocked')} ms`)
if (blocking > 0 || openings.some(({ problem }) => problem)) process.exitCode = 1
