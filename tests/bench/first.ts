import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { BarePage } from './bareBrowser.ts'
import { DECIDED, inWorkspace, runAll, VERDICT, when, withPage } from './firstPage.ts'

// Times the first notebook in a new workspace, in Chromium through `mixlab serve`, from the click on Run all to the
// verdict, and what lies between; the median of the rounds, each with a workspace, a server and a browser of its own.
//   npm run bench:first -- [--rounds 5] [--json]

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, json: { type: 'boolean', default: false } },
})

const RUN = `document.querySelector('[data-testid=progress]')?.textContent.match(/run (\\d+) of/)?.[1]`
const STEP = `document.querySelector('[data-testid=training]')?.textContent.match(/step (\\d+)/)?.[1]`

/** What is waited for, one after the other, as conditions in the words of the page. */
const STAGES: [name: string, condition: string][] = [
  ['the study is planned', `document.querySelector('[data-testid=study]')`],
  ['the first steps', `${STEP} > 0`],
  ['the first run is done', `${RUN} > 1 || (${DECIDED})`],
  ['the verdict', DECIDED],
]

async function timesOn(page: BarePage): Promise<number[]> {
  await runAll(page)
  const times: number[] = []
  for (const [, condition] of STAGES) times.push(await when(page, condition))
  return times
}

const round = () =>
  inWorkspace((folder) =>
    withPage(folder, { width: 1000, height: 700 }, async (page) => {
      const times = await timesOn(page)
      return { times, verdict: await page.evaluate<string>(VERDICT) }
    }),
  )

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
