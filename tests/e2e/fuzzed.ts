import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { fuzzedNotebook } from '../engine/notebook/fuzz.ts'

/** How long opening may keep the page from everything else, in ms. */
export const MOST_BLOCKED = 100

/** What opening a notebook did to the page. */
export interface Opening {
  number: number
  /** The longest time for which the page did nothing else, in ms; 0 below 50. */
  blocked: number
  /** What the page says instead of the notebook, if anything. */
  problem: string | null
}

/** Has the page note its long tasks. */
export async function watchTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(globalThis, { longTasks: tasks })
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    })
  })
}

/** Opens a notebook that nobody would write in the page, until the page rests. */
export async function openFuzzed(page: Page, workspace: string, number: number): Promise<Opening> {
  const name = `fuzzed-${number}.ts`
  writeFileSync(join(workspace, name), fuzzedNotebook(number))
  const blocked = await page.evaluate(async (opened) => {
    const tasks = (globalThis as unknown as { longTasks: number[] }).longTasks
    tasks.length = 0
    location.hash = `#/notebook/${encodeURIComponent(opened)}`
    const idle = () => new Promise((resolve) => requestIdleCallback(resolve))
    const title = opened.replace(/\.ts$/, '')
    const there = () =>
      document.querySelector<HTMLInputElement>('[data-testid="notebook-name"]')?.value === title ||
      document.querySelector('main [role="alert"]') !== null
    for (let rested = 0; rested < 5; rested += there() ? 1 : 0) await idle()
    return Math.max(0, ...tasks)
  }, name)
  const alert = page.locator('main .empty-state[role="alert"]')
  const problem = (await alert.count()) > 0 ? await alert.innerText() : null
  return { number, blocked, problem }
}
