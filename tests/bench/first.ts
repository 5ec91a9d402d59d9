import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openHost } from '../../app/host.ts'
import { medianAndLeast } from '../../engine/bench/times.ts'
import type { Served } from '../served.ts'
import type { BarePage } from './bareBrowser.ts'
import { DECIDED, inWorkspace, NOTEBOOK, runAll, VERDICT, when, withPage } from './firstPage.ts'

// Times the first notebook in Chromium through `mixlab serve`, from the click on Run all to the verdict, and what lies
// between; the medians of the rounds, each with a workspace, a server and a browser of its own. With --turns by `mixlab run`,
// too, in turns: then the time from the start of the first run to the end of the last, as the store has both, their ratio,
// and the processor time of every process of Chromium and of the server, by thread. On Linux alone, for it reads /proc.
//   npm run bench:first -- [--turns] [--rounds 5] [--size 1000x700] [--json]

const { values } = parseArgs({
  options: {
    turns: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    size: { type: 'string', default: '1000x700' },
    json: { type: 'boolean', default: false },
  },
})
const [width = 0, height = 0] = values.size.split('x').map(Number)

const RUN = `document.querySelector('[data-testid=progress]')?.textContent.match(/run (\\d+) of/)?.[1]`
const STEP = `document.querySelector('[data-testid=training]')?.textContent.match(/step (\\d+)/)?.[1]`

/** What is waited for, one after the other, as conditions in the words of the page. */
const STAGES: [name: string, condition: string][] = [
  ['the study is planned', `document.querySelector('[data-testid=study]')`],
  ['the first steps', `${STEP} > 0`],
  ['the first run is done', `${RUN} > 1 || (${DECIDED})`],
  ['the verdict', DECIDED],
]

/** Seconds from the start of the first run of a workspace to the end of the last. */
async function trained(folder: string): Promise<number> {
  const host = openHost({ workspace: folder })
  const runs = await host.listRuns()
  host.close()
  if (runs.some(({ status }) => status !== 'done')) throw new Error('a run is not done')
  const start = Math.min(...runs.map(({ startedAt }) => startedAt))
  return (Math.max(...runs.map(({ endedAt }) => endedAt ?? Number.NaN)) - start) / 1000
}

/** Seconds of processor time, by process, thread, and the number of the thread. */
type Times = Map<string, number>

/** Those of every thread of a process until now, and what threads had used that have ended. */
function timesOf(process: string, pid: number): [string, number][] {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread): [string, number] => {
    const [name, nanoseconds] = ['comm', 'schedstat'].map((file) =>
      readFileSync(join('/proc', `${pid}/task`, thread, file), 'utf8'),
    )
    const called = Number(thread) === pid ? 'main' : name?.trim()
    return [`${process}\t${called}\t${thread}`, Number.parseInt(nanoseconds ?? '', 10) / 1e9]
  })
  const [user = 0, system = 0] = fieldsOf(pid).slice(11)
  const ended = (user + system) / TICKS_PER_SECOND - threads.reduce((sum, [, seconds]) => sum + seconds, 0)
  return [...threads, [`${process}\tended\t${pid}`, ended]]
}

const TICKS_PER_SECOND = 100

/** The numbers of a process after its name, from its state on. */
function fieldsOf(process: number | 'self'): number[] {
  return readFileSync(`/proc/${process}/stat`, 'utf8').replace(/.*\) /s, '').split(' ').map(Number)
}

async function timesNow(page: BarePage, server: Served): Promise<Times> {
  const all = [...(await page.processes()), { type: 'server', id: server.process.pid ?? 0 }]
  return new Map(all.flatMap(({ type, id }) => timesOf(type, id)))
}

/** What was used between two looks, as lines: a process, and its threads with more than a hundredth of a second. */
function used(before: Times, after: Times): string[] {
  const processes = new Map<string, Map<string, number[]>>()
  for (const [thread, seconds] of after) {
    const [process = '', name = ''] = thread.split('\t')
    const spent = seconds - (before.get(thread) ?? 0)
    const threads = processes.get(process) ?? new Map<string, number[]>()
    processes.set(process, threads.set(name, [...(threads.get(name) ?? []), spent]))
  }
  const sum = (list: number[]) => list.reduce((all, each) => all + each, 0)
  const shown = (list: number[]) =>
    list
      .filter((each) => each > 0.02)
      .toSorted((a, b) => b - a)
      .map((each) => each.toFixed(2))
      .join(' + ')
  return [...processes].map(([process, threads]) => {
    const large = [...threads].filter(([, list]) => sum(list) > 0.02).toSorted(([, a], [, b]) => sum(b) - sum(a))
    const words = large.map(([name, list]) => `${name} ${shown(list) || sum(list).toFixed(2)}`)
    return `    ${process} ${sum([...threads.values()].flat()).toFixed(2)} s: ${words.join(', ')}`
  })
}

/** Trains the notebook in the page: ms from the click to each stage, and what was used until the verdict. */
async function train(page: BarePage, server: Served) {
  const before = await timesNow(page, server)
  await runAll(page)
  const stages: number[] = []
  // watched stage by stage the page has more to do: for the ratio, what counts is the end
  for (const [, condition] of values.turns ? STAGES.slice(-1) : STAGES) stages.push(await when(page, condition))
  const verdict = await page.evaluate<string>(VERDICT)
  return { stages, verdict, lines: used(before, await timesNow(page, server)) }
}

const inPage = () =>
  inWorkspace(async (folder) => {
    const found = await withPage(folder, { width, height }, train)
    return { ...found, seconds: await trained(folder) }
  })

/** Seconds of processor time of all processes that have ended and were waited for. */
function ofChildren(): number {
  const [user = 0, system = 0] = fieldsOf('self').slice(13)
  return (user + system) / TICKS_PER_SECOND
}

const byCommand = () =>
  inWorkspace(async (folder) => {
    const program = resolve(import.meta.dirname, '../../app/mixlab.js')
    const before = ofChildren()
    const child = spawn(process.execPath, [program, 'run', join(folder, NOTEBOOK), '--workspace', folder], {
      stdio: 'ignore',
    })
    await once(child, 'close')
    return { seconds: await trained(folder), processor: ofChildren() - before }
  })

const shown = values.turns ? STAGES.slice(-1) : STAGES
const stages: number[][] = shown.map(() => [])
const ratios: number[] = []
for (let round = 0; round < Number(values.rounds); round++) {
  const load = loadavg()[0]?.toFixed(1)
  const page = await inPage()
  for (const [i, ms] of page.stages.entries()) stages[i]?.push(ms)
  const words = shown.map(([name], i) => `${name} ${((page.stages[i] ?? 0) / 1000).toFixed(1)} s`)
  if (!values.json) console.log(`load ${load}: page of ${values.size}, ${words.join(', ')}: ${page.verdict}`)
  if (!values.turns) continue
  const command = await byCommand()
  const ratio = page.seconds / command.seconds
  ratios.push(ratio)
  if (values.json) continue
  console.log(`    training in the page ${page.seconds.toFixed(1)} s, by mixlab run ${command.seconds.toFixed(1)} s, ratio \
${ratio.toFixed(2)}; processor time of the page by process and thread:`)
  console.log(page.lines.join('\n'))
  console.log(`    mixlab run, its start included: ${command.processor.toFixed(2)} s`)
}
const medians = shown.map(([name], i) => [name, medianAndLeast(stages[i] ?? [])[0]] as const)
if (values.json) console.log(JSON.stringify({ ...Object.fromEntries(medians), ...(values.turns && { ratios }) }))
else {
  console.log(`medians: ${medians.map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)} s`).join(', ')}`)
  if (values.turns) console.log(`ratios ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`)
}
