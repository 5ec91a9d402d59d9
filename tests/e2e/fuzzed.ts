import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { fuzzedNotebook } from '../engine/notebook/fuzz.ts'

/** How long the page may be kept from everything else at once, in ms. */
export const MOST_BLOCKED = 100

/** The most that the page did at once, in ms. */
export interface Task {
  /** Processor time of its thread: the same, whatever else the machine does. */
  busy: number
  /** By the clock, with all the time that others had the processor. */
  blocked: number
}

/** Opens a first notebook, until kernel and editors are there. */
export async function openFirst(page: Page, workspace: string): Promise<void> {
  await openText(page, workspace, 'first', '// %% a\nconst a = 1\n')
  await page.locator('[data-testid="kernel"][data-phase="ready"]').waitFor()
  await page.locator('.monaco-editor .view-line').first().waitFor()
  await rested(page)
}

/** Opens a notebook that nobody would write in the page, until the page rests. Returns what it says instead, or null. */
export async function openFuzzed(page: Page, workspace: string, number: number): Promise<string | null> {
  return openText(page, workspace, `fuzzed-${number}`, fuzzedNotebook(number))
}

/** The same with any text. */
export async function openText(page: Page, workspace: string, name: string, text: string): Promise<string | null> {
  writeFileSync(join(workspace, `${name}.ts`), text)
  await page.evaluate(opened, name)
  await rested(page)
  const alert = page.locator('main .empty-state[role="alert"]')
  return (await alert.count()) > 0 ? alert.innerText() : null
}

/** The longest tasks of the page, by processor time and by the clock, in each of some parts of what it is made to do. */
export async function longestTasks(browser: Browser, page: Page, parts: (() => Promise<unknown>)[]): Promise<Task[]> {
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] })
  for (const part of parts) {
    await page.evaluate((mark) => void performance.mark(mark), MARK)
    await part()
  }
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve))) // the last task answers before it has ended
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const starts = traceEvents.filter(({ name }) => name === MARK).map(({ ts }) => ts)
  const tasks = tasksOf(traceEvents)
  return starts.map((start, index) => {
    const own = tasks.filter(({ ts }) => ts >= start && ts < (starts[index + 1] ?? Infinity))
    const most = (of: 'dur' | 'tdur') => Math.round(own.reduce((sum, task) => Math.max(sum, task[of] ?? 0), 0) / 1000)
    return { busy: most('tdur'), blocked: most('dur') }
  })
}

/** Waits until the page has nothing left to do: what it gave to be read is read, and nothing moves in it. */
export async function rested(page: Page): Promise<void> {
  for (let changed = true; changed; ) {
    const readers = page.workers().filter((worker) => /(analysis|language)-worker/.test(worker.url()))
    await Promise.all(readers.map((worker) => worker.evaluate(() => {}).catch(() => {})))
    changed = await page.evaluate(changing, QUIET)
  }
}

const MARK = 'a part begins'
/** How often in turn the page has to be idle, without a change, to be at rest. */
const QUIET = 2

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Microseconds: when, by the clock, and of processor time of the thread. */
  ts: number
  dur?: number
  tdur?: number
  args?: { name?: string }
}

function tasksOf(events: TraceEvent[]): TraceEvent[] {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const named = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const main = new Set(named.map(threadOf))
  return events.filter((event) => event.name === 'ThreadControllerImpl::RunTask' && main.has(threadOf(event)))
}

/** Runs in the page. */
async function opened(title: string): Promise<void> {
  location.hash = `#/notebook/${encodeURIComponent(`${title}.ts`)}`
  const there = () =>
    document.querySelector<HTMLInputElement>('[data-testid="notebook-name"]')?.value === title ||
    document.querySelector('main [role="alert"]') !== null
  while (!there()) await new Promise((resolve) => requestAnimationFrame(resolve))
}

/** Runs in the page: whether anything in it changes until it was idle so many times and had no task left. */
async function changing(quiet: number): Promise<boolean> {
  let changed = false
  const observer = new MutationObserver(() => {
    changed = true
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  for (let idle = 0; idle < quiet; idle++) {
    await new Promise((resolve) => requestIdleCallback(resolve))
    await new Promise((resolve) => requestAnimationFrame(resolve))
    await new Promise((resolve) => setTimeout(resolve))
  }
  observer.disconnect()
  return changed
}
