import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { launchBrowser, startServer } from '../served.ts'
import { METRICS } from './generated.ts'
import { type HostCall, painted, roundsOf, watchPage } from './watch.ts'

// Times what the user sees of a workspace that store.ts has filled with 30,000 runs, in Chromium through `mixlab serve`,
// from what they do to the paint of what they asked for: the first time, and the median and the longest of all.
//   npm run bench:page -- DIR [--rounds 5] [--json]

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, json: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const [folder] = positionals
if (!folder) throw new Error('the folder of the workspace is missing')
const rounds = Number(values.rounds)

const { note, results: measured } = roundsOf()
const load = loadavg()[0]?.toFixed(1)

const script = (page: Page, text: string) => () => page.evaluate(`watch.acted = performance.now(); ${text}`)
const show = (page: Page, hash: string) => script(page, `location.hash = ${JSON.stringify(hash)}`)

const ROW = `document.querySelector('[data-testid=runs] tr[data-run]')`
const COUNT = `document.querySelector('[data-testid=count]')?.textContent`
const LINE = `document.querySelector('.chart .scatterlayer .js-line')?.getAttribute('d')`
const PANELS = `document.querySelectorAll('.chart .scatterlayer:has(.js-line)').length`

const text = async (page: Page, expression: string) => JSON.stringify(await page.evaluate(expression))

async function table(page: Page): Promise<void> {
  note('runs: first rows', (await painted(page, show(page, '#/runs'), ROW)).times[0])
  const sort = page.locator('[data-column="test/accuracy"] .sort')
  const first = await text(page, `${ROW}.dataset.run`)
  const sorted = await painted(page, () => sort.click(), `${ROW}?.dataset.run !== ${first}`)
  note('runs: sorted by a metric', sorted.times[0])

  const filter = page.getByTestId('filter')
  for (const [name, typed] of [
    ['runs: filtered by a word', 'gmlp'],
    ['runs: filtered by three fields', 'task:mlm lr<1e-3 tag:keep'],
  ] as const) {
    const all = await text(page, COUNT)
    await filter.focus()
    const found = await painted(page, () => page.keyboard.insertText(typed), `${COUNT} !== ${all}`)
    note(name, found.times[0])
    const some = await text(page, COUNT)
    await painted(page, () => filter.fill(''), `${COUNT} !== ${some}`)
  }

  const top = `document.querySelector('.runs-scroll').scrollTop = 20_000 * 30`
  const far = await painted(page, script(page, top), `document.querySelector('#run-row-20000[data-run]')`)
  note('runs: scrolled to row 20,000', far.times[0])

  const variants = page.getByRole('button', { name: 'By variant' })
  const grouped = await painted(page, () => variants.click(), `document.querySelector('tr[data-baseline]')`)
  note('runs: by variant', grouped.times[0])
  await page.getByRole('button', { name: 'Runs', exact: true }).click()
  await page.evaluate(`location.hash = ''`)
  await page.locator('.runs-page').waitFor({ state: 'detached' })
}

/** The host's part of what was painted: from the first question of some methods to the last answer. */
function answers(name: string, calls: HostCall[], methods: string[]): void {
  const own = calls.filter(({ method }) => methods.includes(method))
  const bytes = own.reduce((sum, call) => sum + call.bytes, 0)
  const ms = Math.max(...own.map(({ answered }) => answered)) - Math.min(...own.map(({ sent }) => sent))
  note(`${name}, ${own.length} × ${methods[0]}, ${(bytes / 1000).toFixed(0)} kB`, ms)
}

async function chart(page: Page, runs: number[]): Promise<void> {
  const name = `chart: ${runs.length} runs x ${METRICS.length} metrics`
  const drawn = await painted(page, show(page, `#/compare/${runs.join(',')}`), `${PANELS} === ${METRICS.length}`)
  note(name, drawn.times[0])
  answers('  the runs', drawn.calls, ['showRuns', 'showRun'])
  answers('  the points', drawn.calls, ['readBands'])
  const end = drawn.calls.findLast(({ method }) => method === 'readBands')?.answered ?? 0
  note('  unpacked and drawn', (drawn.times[0] ?? 0) - end)

  // A tenth of the first panel.
  const panel = page.locator('.chart .nsewdrag').first()
  await panel.scrollIntoViewIfNeeded()
  const box = await panel.boundingBox()
  if (!box) throw new Error('there is no panel')
  const at = (part: number) => [box.x + box.width * part, box.y + box.height / 2] as const
  await page.mouse.move(...at(0.45))
  await page.mouse.down()
  await page.mouse.move(...at(0.5), { steps: 4 })
  await page.mouse.move(...at(0.55), { steps: 4 })
  const whole = await text(page, LINE)
  await page.evaluate(`window.line = ${whole}`)
  const changed = `${LINE} !== window.line && (window.line = ${LINE})`
  const zoomed = await painted(page, () => page.mouse.up(), changed, changed)
  note('chart: zoomed into a tenth', zoomed.times[0])
  note('  with finer points', zoomed.times[1])
  answers('  the finer points', zoomed.calls, ['readBands'])
  await page.evaluate(`location.hash = ''`)
  await page.locator('.compare').waitFor({ state: 'detached' })
}

/** The ids of the runs with 10,000 points of each metric. */
const LONG = Array.from({ length: 100 }, (_, i) => i + 1)

const served = startServer(folder)
const browser = await launchBrowser()
try {
  const url = await served.url
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await context.addInitScript(watchPage)
  const page = await context.newPage()
  await page.goto(url)
  await page.getByTestId('notebooks').waitFor()
  for (let round = 0; round < rounds; round++) await table(page)

  const { origin } = new URL(url)
  for (let round = 0; round < rounds; round++) {
    const fresh = await context.newPage()
    await fresh.goto(`${origin}/#/runs`, { waitUntil: 'commit' })
    note('runs: first rows, with loading the page', (await painted(fresh, async () => {}, ROW)).times[0])
    await fresh.close()
  }

  await show(page, `#/compare/${LONG.join(',')}`)()
  await painted(page, () => page.getByTestId('all-metrics').click(), `${PANELS} === ${METRICS.length}`)
  await page.evaluate(`location.hash = ''`)
  await page.locator('.compare').waitFor({ state: 'detached' })
  for (let round = 0; round < rounds; round++) await chart(page, LONG)
} finally {
  await browser.close()
  served.process.kill()
}

const results = measured()
if (values.json) console.log(JSON.stringify({ load, rounds, results }, null, 2))
else {
  console.log(`ms of ${rounds} rounds at a load of ${load}`.padEnd(54), '   first  median longest')
  for (const { name, ...times } of results) {
    const shown = [times.first, times.median, times.longest].map((ms) => ms.toFixed(0).padStart(8)).join('')
    console.log(name.padEnd(54), shown)
  }
}
