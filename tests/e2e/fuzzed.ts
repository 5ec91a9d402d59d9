import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { fuzzedNotebook } from '../engine/notebook/fuzz.ts'

/** How long opening may keep the page from everything else, in ms. */
export const MOST_BLOCKED = 100

/** What opening a notebook did to the page. */
export interface Opening {
  number: number
  /** The longest time for which the page did nothing else, in ms, as its observer of long tasks has it; 0 below 50. */
  blocked: number
  /** The most processor time of one task of the page, in ms: the same on a machine that does nothing else. */
  busy: number
  /** What the page says instead of the notebook, if anything. */
  problem: string | null
}

/** Opens a notebook that nobody would write in the page, until the page rests. */
export async function openFuzzed(browser: Browser, page: Page, workspace: string, number: number): Promise<Opening> {
  const name = `fuzzed-${number}.ts`
  writeFileSync(join(workspace, name), fuzzedNotebook(number))
  await browser.startTracing(page, { categories: ['toplevel'] })
  const blocked = await page.evaluate(opened, name)
  const busy = longestTask(JSON.parse((await browser.stopTracing()).toString()).traceEvents)
  const alert = page.locator('main .empty-state[role="alert"]')
  const problem = (await alert.count()) > 0 ? await alert.innerText() : null
  return { number, blocked, busy, problem }
}

/** Runs in the page. */
async function opened(name: string): Promise<number> {
  let longest = 0
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
  })
  observer.observe({ type: 'longtask' })
  location.hash = `#/notebook/${encodeURIComponent(name)}`
  const title = name.replace(/\.ts$/, '')
  const there = () =>
    document.querySelector<HTMLInputElement>('[data-testid="notebook-name"]')?.value === title ||
    document.querySelector('main [role="alert"]') !== null
  for (let rested = 0; rested < 5; rested += there() ? 1 : 0) {
    await new Promise((resolve) => requestIdleCallback(resolve))
  }
  observer.disconnect()
  return longest
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Processor time of the thread, in microseconds. */
  tdur?: number
  args?: { name?: string }
}

function longestTask(events: TraceEvent[]): number {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const named = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const main = new Set(named.map(threadOf))
  const tasks = events.filter((event) => event.name === 'ThreadControllerImpl::RunTask' && main.has(threadOf(event)))
  return Math.round(tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur), 0) / 1000)
}
