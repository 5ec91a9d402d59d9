import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openHost } from '../../app/host.ts'
import type { Served } from '../served.ts'
import type { BarePage } from './bareBrowser.ts'
import { DECIDED, inWorkspace, NOTEBOOK, runAll, when, withPage } from './firstPage.ts'

// Trains the first notebook in the page and by `mixlab run`, in turns, each time in a new workspace, and prints the time
// from the start of the first run to the end of the last one, as the store has both, and their ratio; and the processor
// time of every process of Chromium and of the server, by thread, from the click to the verdict. On Linux alone, for it
// reads /proc.
//   npm run bench:turns -- [--rounds 3] [--size 1440x900]

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, size: { type: 'string', default: '1440x900' } },
})
const [width = 0, height = 0] = values.size.split('x').map(Number)

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

async function train(page: BarePage, server: Served): Promise<string[]> {
  const before = await timesNow(page, server)
  await runAll(page)
  await when(page, DECIDED)
  return used(before, await timesNow(page, server))
}

const inPage = () =>
  inWorkspace(async (folder) => {
    const lines = await withPage(folder, { width, height }, train)
    return { seconds: await trained(folder), lines }
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

const ratios: number[] = []
for (let round = 0; round < Number(values.rounds); round++) {
  const load = loadavg()[0]?.toFixed(1)
  const page = await inPage()
  const command = await byCommand()
  const ratio = page.seconds / command.seconds
  ratios.push(ratio)
  console.log(
    `load ${load}: page of ${values.size} ${page.seconds.toFixed(1)} s, mixlab run ${command.seconds.toFixed(1)} s, ratio ${ratio.toFixed(2)}; processor time of the page by process and thread:`,
  )
  console.log(page.lines.join('\n'))
  console.log(`    mixlab run, its start included: ${command.processor.toFixed(2)} s`)
}
console.log(`ratios ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`)
