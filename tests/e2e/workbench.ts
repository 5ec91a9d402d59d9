import { type ChildProcess, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { newToken, rememberAddress } from '../../app/server/address.ts'
import { openWorkspace } from '../../app/workspace/index.ts'
import { PATIENCE } from '../patience.ts'
import { launchProfile, startServer } from '../served.ts'
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

/** The browser of this worker. */
export async function sharedBrowser(): Promise<Browser> {
  if (!profile) {
    profile = launchProfile(OPTIONS, SWITCHES)
    free = await profile
    // at the end vitest asks a worker to go, and kills it half a second later: too soon to close a browser, not to kill it
    process.once('SIGTERM', () => process.exit())
  }
  const browser = (await profile).browser()
  if (!browser) throw new Error('a profile without a browser')
  return browser
}

/**
 * A context in which nothing is stored, with one blank page; it ends with the test. The first of a test is the profile of
 * this worker, whose browser need not compile the page again.
 */
async function openContext(url: string, browser: Browser): Promise<BrowserContext> {
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

/** A page that collects what goes wrong in it, in the browser of this worker or another one. */
export async function openPage(
  url: string,
  browser?: Browser,
): Promise<{ page: Page; context: BrowserContext; troubles: string[] }> {
  const context = await openContext(url, browser ?? (await sharedBrowser()))
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

/** A workspace with one notebook, its server, and a page on it, whose kernel uses `simd` where the browser has no card. */
export async function openNotebook(text: string, name = 'test.ts') {
  const workspace = workspaceWith(name, text)
  const server = await serve(workspace)
  const file = () => readFileSync(join(workspace, name), 'utf8')
  return { workspace, server, file, ...(await openPage(server.url)) }
}

/** What `mixlab` prints that is called with some words, in a process of its own. Throws where it fails. */
export const mixlab = (...words: string[]) =>
  execFileSync(process.execPath, [PROGRAM, ...words], { stdio: 'pipe', encoding: 'utf8' })
const PROGRAM = resolve(import.meta.dirname, '../../app/mixlab.js')

export const cell = (page: Page, id: string) => page.locator(`[data-cell="${id}"]`)
export const status = (page: Page, id: string) => cell(page, id).getAttribute('data-status')
export const value = (page: Page, id: string) => cell(page, id).getByTestId('value').textContent()
export const run = (page: Page, id: string) => cell(page, id).getByTestId('run').click()
/** Goes to another place of the page, as a link does. */
export const goTo = (page: Page, hash: string) => page.evaluate((to) => location.assign(to), hash)
/** The text in the editor of a cell. */
export const source = async (page: Page, id: string) =>
  (await cell(page, id).locator('.view-lines').innerText()).replaceAll('\u00a0', ' ')
/** Of a cell or a part of it, how many points its curves have. */
export const points = async (page: Page, id = 'study') =>
  Number(await cell(page, id).getByTestId('curves').first().getAttribute('data-points'))
/** What the page has copied; the context needs the permission. */
export const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Chooses a command of the palette by its name. */
export async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Shift+P')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
}

/** The bytes of what is downloaded by an act, and the name that is proposed for it. */
export async function downloaded(page: Page, act: () => Promise<unknown>): Promise<{ name: string; bytes: Buffer }> {
  const download = page.waitForEvent('download')
  await act()
  const found = await download
  return { name: found.suggestedFilename(), bytes: readFileSync(await found.path()) }
}

/** What axe finds wrong with the page, or with the part that a selector names, and where. */
export async function axeFaults(page: Page, part?: string): Promise<string[]> {
  await page.evaluate(AXE)
  const at = part === undefined ? 'document' : JSON.stringify(part)
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${at}, { resultTypes: ["violations"] })`)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  )
}
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** Replaces the text of a cell, as pasting over a selection of everything does. */
export async function setCell(page: Page, cell: string, text: string): Promise<void> {
  await page.locator(`[data-cell="${cell}"]`).scrollIntoViewIfNeeded() // far from the view a cell has no editor
  await page.locator(`[data-cell="${cell}"] .monaco-editor .view-lines`).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText(text)
}

/** Chooses a backend and waits until the kernel has it. */
export async function chooseBackend(page: Page, backend: string): Promise<void> {
  await page.getByTestId('backend').selectOption(backend)
  await expect.poll(() => page.getByTestId('device').textContent()).toContain(backend)
}

/** Has the page check the reference cases on a backend, and waits until it has begun. */
export async function startReferenceCases(page: Page, backend: string): Promise<void> {
  await chooseBackend(page, backend)
  await command(page, 'reference cases')
  await page.getByTestId('conformance').waitFor()
}

/** Has the page check all reference cases on a backend; what it says when it is through. */
export async function referenceCases(page: Page, backend: string): Promise<string | null> {
  await startReferenceCases(page, backend)
  const summary = page.getByTestId('conformance')
  await expect.poll(() => summary.getAttribute('data-done')).toBe('true')
  return summary.textContent()
}
