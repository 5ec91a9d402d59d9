import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { newToken, rememberAddress } from '../../app/server/address.ts'
import { openWorkspace } from '../../app/workspace/index.ts'
import { PATIENCE } from '../patience.ts'
import { launchBrowser as launch, launchProfile, startServer } from '../served.ts'
import { freePort } from './elsewhere.ts'

const OPTIONS = { viewport: { width: 1280, height: 900 }, acceptDownloads: true }

/**
 * Features of Chromium that cost processor time: scripts that are fetched in the background are compiled again, whatever
 * the profile keeps of them, with each page another process starts that none may need, and the suggestions of the address
 * bar are a page of their own. The others Playwright turns off, whose list this one replaces.
 */
const FEATURES = [
  ...['BackgroundResourceFetch', 'SpareRendererForSitePerProcess', 'WebUIOmniboxAimPopup', 'WebUIOmniboxPopup'],
  ...['AimEnabled', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch'],
]

/** V8 keeps where functions stand when it first compiles them: else it parses the whole scripts of workers a second time. */
const POSITIONS = '--js-flags=--no-enable-lazy-source-positions'

/** No process that draws by an emulated graphics card: an eighth less processor time. Tests of cards have a browser of their own. */
const SWITCHES = ['--disable-gpu', POSITIONS, `--disable-features=${FEATURES}`]

/** The profile of the browser that all files of tests of this worker share; it ends with the worker. */
let profile: Promise<BrowserContext> | undefined
/** That profile while no test has it. */
let free: BrowserContext | undefined

/** The browser of this worker, which closing leaves open, or one of its own with `more` of its switches. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  if (more.length > 0) return launch(more)
  if (!profile) {
    profile = launchProfile(OPTIONS, SWITCHES)
    free = await profile
    // at the end vitest asks a worker to go, and kills it half a second later: too soon to close a browser, not to kill it
    process.once('SIGTERM', () => process.exit())
  }
  const browser = (await profile).browser()
  if (!browser) throw new Error('a profile without a browser')
  return Object.assign(browser, { close: async () => {} })
}

/**
 * A context in which nothing is stored, with one blank page; it ends with the test. The first of a test is the profile of
 * this worker, whose browser need not compile the page again.
 */
async function openContext(browser: Browser, url: string): Promise<BrowserContext> {
  if (free?.browser() !== browser) {
    const context = await browser.newContext(OPTIONS)
    onTestFinished(() => context.close())
    await context.newPage()
    return context
  }
  const context = free
  free = undefined
  onTestFinished(async () => {
    const used = context.pages()
    const blank = await context.newPage()
    for (const page of used) await page.close()
    await context.clearPermissions()
    const session = await context.newCDPSession(blank)
    await session.send('Storage.clearDataForOrigin', { origin: new URL(url).origin, storageTypes: 'all' })
    await session.detach()
    free = context
  })
  return context
}

export interface Served {
  url: string
  process: ChildProcess
}

/** One port for the servers of this worker, since a browser knows what it has compiled by its address. */
const port = freePort()

/** Starts `mixlab serve` on a workspace, with `more` of its options; it ends with the test. */
export async function serve(workspace: string, ...more: string[]): Promise<Served> {
  const address = join(openWorkspace(workspace).inner, 'address.json')
  if (!existsSync(address)) rememberAddress(address, { port: await port, token: newToken() })
  const { url, process } = startServer(workspace, ...more)
  const served = { url: '', process }
  onTestFinished(() => kill(served))
  served.url = await url
  return served
}

/** A fresh workspace with one notebook. */
export function workspaceWith(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'mixlab-e2e-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))
  writeFileSync(join(folder, name), text)
  return folder
}

/** Ends a server as a power cut does. */
export async function kill({ process }: Served): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return
  const gone = new Promise((resolve) => process.once('exit', resolve))
  process.kill('SIGKILL')
  await gone
}

/** A page that collects what goes wrong in it. */
export async function openPage(
  browser: Browser,
  url: string,
): Promise<{ page: Page; context: BrowserContext; troubles: string[] }> {
  const context = await openContext(browser, url)
  context.setDefaultTimeout(PATIENCE)
  const page = context.pages()[0] ?? (await context.newPage())
  const troubles: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text())
  })
  page.on('pageerror', (error) => void troubles.push(String(error)))
  await page.goto(url)
  return { page, context, troubles }
}

/** Replaces the text of a cell, as pasting over a selection of everything does. */
export async function setCell(page: Page, cell: string, text: string): Promise<void> {
  await page.locator(`[data-cell="${cell}"]`).scrollIntoViewIfNeeded() // far from the view a cell has no editor
  await page.locator(`[data-cell="${cell}"] .monaco-editor .view-lines`).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText(text)
}
