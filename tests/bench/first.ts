import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, startServer } from '../served.ts'

// Times the first notebook in a new workspace, in Chromium through `mixlab serve`, from the click on Run all to the
// verdict, and what lies between; the median of the rounds, each with a workspace, a server and a browser of its own.
//   npm run bench:first -- [--rounds 5] [--json]

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, json: { type: 'boolean', default: false } },
})

const NOTEBOOK = 'first-comparison.ts'
const text = readFileSync(resolve(import.meta.dirname, '../../experiments', NOTEBOOK), 'utf8')

const RUN = `document.querySelector('[data-testid=progress]')?.textContent.match(/run (\\d+) of/)?.[1]`
const STEP = `document.querySelector('[data-testid=training]')?.textContent.match(/step (\\d+)/)?.[1]`
const VERDICT = `document.querySelector('[data-testid=verdict]')?.textContent`

/** What is waited for, one after the other, as conditions in the words of the page. */
const STAGES: [name: string, condition: string][] = [
  ['the study is planned', `document.querySelector('[data-testid=study]')`],
  ['the first steps', `${STEP} > 0`],
  ['the first run is done', `${RUN} > 1 || ${VERDICT}`],
  [
    'the verdict',
    `document.querySelector('[data-cell=study]')?.dataset.status === 'done' && ${VERDICT} && !${VERDICT}.startsWith('so far')`,
  ],
]

/** ms from the click until a condition is true; from the start of the page where nothing was clicked. */
const when = (page: Page, condition: string) =>
  page.evaluate<number>(`new Promise((found) => {
    const look = () => ${condition} ? found(performance.now() - (window.clicked ?? 0)) : requestAnimationFrame(look)
    look()
  })`)

async function timesOn(page: Page): Promise<number[]> {
  await page.evaluate(`addEventListener('click', (event) => { window.clicked ??= event.timeStamp }, true)`)
  await page.getByTestId('run-all').click()
  const times: number[] = []
  for (const [, condition] of STAGES) times.push(await when(page, condition))
  return times
}

async function round(): Promise<{ times: number[]; verdict: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'mixlab-first-'))
  writeFileSync(join(folder, NOTEBOOK), text)
  const server = startServer(folder)
  let browser: Browser | null = null
  try {
    browser = await launchBrowser()
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 } })
    await page.goto(await server.url)
    // as somebody who reads the question first: the kernel has started
    await when(page, `document.querySelector('[data-testid=device]')?.textContent`)
    const times = await timesOn(page)
    return { times, verdict: await page.evaluate<string>(VERDICT) }
  } finally {
    await browser?.close()
    server.process.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

const rounds: number[][] = []
for (let i = 0; i < Number(values.rounds); i++) {
  const load = loadavg()[0]?.toFixed(1)
  const { times, verdict } = await round()
  rounds.push(times)
  const words = STAGES.map(([name], stage) => `${name} ${((times[stage] ?? 0) / 1000).toFixed(1)} s`)
  if (!values.json) console.log(`load ${load}: ${words.join(', ')}: ${verdict}`)
}
const medians = STAGES.map(
  ([name], stage) => [name, Math.round(median(rounds.map((times) => times[stage] ?? 0)))] as const,
)
if (values.json) console.log(JSON.stringify(Object.fromEntries(medians)))
else console.log(`medians: ${medians.map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)} s`).join(', ')}`)
