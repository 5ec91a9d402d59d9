import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchBrowser, openPage, serve, workspaceWith } from './workbench.ts'

/** Backends to check; those of graphics cards are emulated here and take minutes: `MIXLAB_CONFORMANCE=webgl npm run e2e`. */
const BACKENDS = (process.env.MIXLAB_CONFORMANCE ?? 'simd').split(',')

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

it.each(BACKENDS)('the reference cases pass in the page on %s, asked for by name', async (backend) => {
  const { page, troubles } = await openPage(browser, (await serve(workspaceWith('n.ts', '1 + 1\n'))).url)
  await page.getByTestId('backend').selectOption(backend)
  await expect.poll(() => page.getByTestId('device').textContent()).toContain(backend)
  await page.keyboard.press('ControlOrMeta+Shift+P')
  await page.keyboard.type('reference cases')
  await page.keyboard.press('Enter')
  const summary = page.getByTestId('conformance')
  await expect.poll(() => summary.getAttribute('data-done')).toBe('true')
  expect(await summary.textContent()).toMatch(/^\d\d passed, 0 failed$/)
  expect(await page.getByRole('dialog').getByRole('row').count()).toBeGreaterThan(40)
  await page.keyboard.press('Escape')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(troubles).toEqual([])
})
