import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { PATIENCE } from '../patience.ts'
import { launchBrowser, startServer } from '../served.ts'

export { launchBrowser }

export interface Served {
  url: string
  process: ChildProcess
}

/** Starts `mixlab serve` on a workspace, with `more` of its options; it ends with the test. */
export async function serve(workspace: string, ...more: string[]): Promise<Served> {
  const { url, process } = startServer(workspace, ...more)
  onTestFinished(() => void process.kill('SIGKILL'))
  return { url: await url, process }
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
  const gone = new Promise((resolve) => process.once('exit', resolve))
  process.kill('SIGKILL')
  await gone
}

/** A page that collects what goes wrong in it. */
export async function openPage(
  browser: Browser,
  url: string,
): Promise<{ page: Page; context: BrowserContext; troubles: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true })
  context.setDefaultTimeout(PATIENCE)
  onTestFinished(() => context.close())
  const page = await context.newPage()
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
