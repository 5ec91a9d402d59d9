import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openPage, serve, workspaceWith } from './workbench.ts'

/** A workspace with one notebook, its server, and a page on it, whose kernel uses `simd` where the browser has no card. */
export async function openNotebook(browser: Browser, text: string) {
  const workspace = workspaceWith('test.ts', text)
  const server = await serve(workspace)
  return { workspace, server, ...(await openPage(browser, server.url)) }
}

export const cell = (page: Page, id: string) => page.locator(`[data-cell="${id}"]`)
export const status = (page: Page, id: string) => cell(page, id).getAttribute('data-status')
export const value = (page: Page, id: string) => cell(page, id).getByTestId('value').textContent()
export const run = (page: Page, id: string) => cell(page, id).getByTestId('run').click()

/** Chooses a backend and waits until the kernel has it. */
export async function chooseBackend(page: Page, backend: string): Promise<void> {
  await page.getByTestId('backend').selectOption(backend)
  await expect.poll(() => page.getByTestId('device').textContent()).toContain(backend)
}

/** Has the page check the reference cases on a backend, and waits until it has begun. */
export async function startReferenceCases(page: Page, backend: string): Promise<void> {
  await chooseBackend(page, backend)
  await page.keyboard.press('ControlOrMeta+Shift+P')
  await page.keyboard.type('reference cases')
  await page.keyboard.press('Enter')
  await page.getByTestId('conformance').waitFor()
}

/** Has the page check all reference cases on a backend; what it says when it is through. */
export async function referenceCases(page: Page, backend: string): Promise<string | null> {
  await startReferenceCases(page, backend)
  const summary = page.getByTestId('conformance')
  await expect.poll(() => summary.getAttribute('data-done')).toBe('true')
  return summary.textContent()
}
