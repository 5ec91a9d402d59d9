import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Served, startServer } from '../served.ts'
import { type BarePage, openBare } from './bareBrowser.ts'

export const NOTEBOOK = 'first-comparison.ts'
const text = readFileSync(resolve(import.meta.dirname, '../../experiments', NOTEBOOK), 'utf8')

export const VERDICT = `document.querySelector('[data-testid=verdict]')?.textContent`
/** That all has been trained and compared. */
export const DECIDED = `document.querySelector('[data-cell=study]')?.dataset.status === 'done' && ${VERDICT} && !${VERDICT}.startsWith('so far')`

/** Presses Run all. */
export const runAll = (page: BarePage) =>
  page.evaluate<void>(`window.clicked = performance.now(); document.querySelector('[data-testid=run-all]').click()`)

/**
 * ms from the click until a condition is true; from the start of the page where nothing was clicked. It looks when the
 * page changes: frames that are drawn for the one who waits would be drawn at the expense of training.
 */
export const when = (page: BarePage, condition: string) =>
  page.evaluate<number>(`new Promise((found) => {
    const look = () => {
      if (!(${condition})) return
      observer.disconnect()
      found(performance.now() - (window.clicked ?? 0))
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    look()
  })`)

/** Does something with a workspace that has the first notebook alone, and deletes it. */
export async function inWorkspace<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mixlab-first-'))
  writeFileSync(join(folder, NOTEBOOK), text)
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

/** Resolves once what draws charts has come, which is the last that the page loads, and it has nothing more to do. */
const AT_REST = `new Promise((rested) => {
  const isCharts = ({ name }) => /plotly.*\\.js$/.test(name)
  const observer = new PerformanceObserver((list) => {
    if (!list.getEntries().some(isCharts)) return
    observer.disconnect()
    requestIdleCallback(rested)
  })
  observer.observe({ type: 'resource', buffered: true })
})`

/**
 * Does something with the page of a workspace, once its kernel has started and it has nothing more to load: as somebody
 * who reads the question first.
 */
export async function withPage<T>(
  folder: string,
  size: { width: number; height: number },
  work: (page: BarePage, server: Served) => Promise<T>,
): Promise<T> {
  const server = startServer(folder)
  let page: BarePage | null = null
  try {
    page = await openBare(await server.url, size)
    await when(page, `document.querySelector('[data-testid=device]')?.textContent`)
    await page.evaluate(AT_REST)
    return await work(page, server)
  } finally {
    await page?.close()
    server.process.kill('SIGKILL')
  }
}
