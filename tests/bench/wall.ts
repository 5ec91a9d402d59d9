import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { CDPSession, Page } from 'playwright-core'
import { launchBrowser, startServer } from '../served.ts'
import { fillWall } from './wallRuns.ts'
import { painted, roundsOf, watchPage } from './watch.ts'

// Times the wall of charts in Chromium through `mixlab serve`, from the click to the paint of all its charts in view: of a
// workspace that it fills with generated runs, or of one that is there. The data are there, and the page and its kernel have
// started.
//   npm run bench:wall -- [DIR] [--runs 1000] [--variants 30] [--points 200] [--rounds 5] [--width 1440] [--height 900]

const { values, positionals } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    variants: { type: 'string', default: '30' },
    points: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '5' },
    width: { type: 'string', default: '1440' },
    height: { type: 'string', default: '900' },
  },
  allowPositionals: true,
})
const [given] = positionals
const folder = given ?? mkdtempSync(join(tmpdir(), 'mixlab-wall-'))
const [runs, variants, points] = [values.runs, values.variants, values.points].map(Number) as [number, number, number]
if (!given) fillWall(folder, { runs, variants, points })

const FIGURES = `[...document.querySelectorAll('.wall-figure')].filter((each) => each.getBoundingClientRect().top < innerHeight)`
const DRAWN = `${FIGURES}.length > 0 && ${FIGURES}.every((each) => each.querySelector('.scatterlayer .trace'))`
const PATHS = `document.querySelectorAll('.wall-figure .scatterlayer path').length`
const LINE = `document.querySelector('.wall-figure .js-line')?.getAttribute('d')`

const SELDOM = 300 // ms

const first = async (...given: Parameters<typeof painted>) => (await painted(...given)).times[0]

const table = (page: Page) => page.getByRole('button', { name: 'Runs', exact: true }).click()
async function closed(page: Page): Promise<void> {
  await table(page)
  await page.locator('[data-testid=wall]').waitFor({ state: 'detached' })
}

/** Seconds of a processor that the page has had so far, and the browser around it for drawing. */
async function busy(session: CDPSession): Promise<number> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  return processInfo.reduce((sum, { cpuTime, type }) => (type === 'renderer' ? sum + cpuTime : sum), 0)
}

const { note, results } = roundsOf()

const server = startServer(folder)
const browser = await launchBrowser()
const session = await browser.newBrowserCDPSession()
try {
  const viewport = { width: Number(values.width), height: Number(values.height) }
  const page = await (await browser.newContext({ viewport })).newPage()
  await page.addInitScript(watchPage)
  await page.goto(await server.url)
  await page.getByRole('link', { name: 'Runs', exact: true }).click()
  const charts = page.getByTestId('chart-runs')
  await painted(page, () => charts.click(), DRAWN)
  for (let round = 0; round < Number(values.rounds); round++) {
    await closed(page)
    note('the wall, opened', await first(page, () => charts.click(), DRAWN))
    // watched every frame, the page would spend as much on that as on the charts where it has to wait for a processor
    await closed(page)
    const before = await busy(session)
    await charts.click()
    while (!(await page.evaluate(DRAWN))) await setTimeout(SELDOM)
    note('of it a processor in the page', 1000 * ((await busy(session)) - before))
    const line = JSON.stringify(await page.evaluate(LINE))
    const filter = page.getByTestId('filter')
    await filter.focus()
    const filtered = () => page.keyboard.insertText('validation/accuracy>50%')
    note('another filter, first curve', await first(page, filtered, `${LINE} && ${LINE} !== ${line}`))
    const some = JSON.stringify(await page.evaluate(LINE))
    await painted(page, () => filter.fill(''), `${LINE} && ${LINE} !== ${some}`)
  }
  console.log(
    `${runs} runs of ${variants} variants, ${await page.evaluate(PATHS)} paths, ${viewport.width} x ${viewport.height}`,
  )
  for (const { name, median, least, longest } of results()) {
    console.log(`${name}: ${median.toFixed(0)} ms, from ${least.toFixed(0)} to ${longest.toFixed(0)} ms`)
  }
} finally {
  await browser.close()
  server.process.kill()
  if (!given) rmSync(folder, { recursive: true, force: true })
}
