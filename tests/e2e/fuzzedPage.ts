// `npm run fuzz:page -- [COUNT [FIRST]]`: opens so many notebooks that nobody would write in Chromium, 1,000 by default,
// one after the other in the same page, and tells which of them kept it from everything else for over 100 ms of
// processor time. A test opens a sample.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser, startServer } from '../served.ts'
import { longestTasks, MOST_BLOCKED, openFirst, openFuzzed, type Task } from './fuzzed.ts'

/** How many are opened between two looks at what the page did. */
const AT_ONCE = 20

const [count, first] = [Number(process.argv[2] ?? 1_000), Number(process.argv[3] ?? 0)]
const start = performance.now()
const workspace = mkdtempSync(join(tmpdir(), 'mixlab-fuzzed-'))
const server = startServer(workspace)
const browser = await launchBrowser()
const tasks: Task[] = []
let failed = 0
const fail = (...what: unknown[]) => {
  failed++
  console.error(...what)
}
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.on('pageerror', (error) => fail('an error of the page:', error))
  await page.goto(await server.url)
  const [loaded] = await longestTasks(browser, page, [() => openFirst(page, workspace)])
  console.log(`with the first notebook came the editors: ${loaded?.busy} ms of processor time at once`)
  for (let next = first; next < first + count; next += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, first + count - next) }, (_, index) => next + index)
    const open = async (number: number) => {
      const problem = await openFuzzed(page, workspace, number)
      if (problem !== null) fail(`${number}: ${problem}`)
    }
    const done = await longestTasks(
      browser,
      page,
      numbers.map((number) => () => open(number)),
    )
    done.forEach(({ busy, blocked }, index) => {
      if (busy > MOST_BLOCKED) fail(`${numbers[index]}: ${busy} ms of processor time at once, ${blocked} by the clock`)
    })
    tasks.push(...done)
  }
} finally {
  await browser.close()
  server.process.kill()
  rmSync(workspace, { recursive: true, force: true })
}
const said = (of: keyof Task) => {
  const times = tasks.map((task) => task[of]).sort((a, b) => a - b)
  const over = times.filter((time) => time > MOST_BLOCKED).length
  return `over ${MOST_BLOCKED} ms for ${over}, median ${times[times.length >> 1]} ms, at most ${times.at(-1)} ms`
}
console.log(`${tasks.length} notebooks in ${Math.round((performance.now() - start) / 1000)} s. At once the page had`)
console.log(`processor time to spend: ${said('busy')}`)
console.log(`by the clock of this machine: ${said('blocked')}`)
if (failed > 0) process.exitCode = 1
