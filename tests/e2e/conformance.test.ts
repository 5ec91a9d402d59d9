import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { referenceCases } from './cells.ts'
import { launchBrowser, openPage, serve, workspaceWith } from './workbench.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

it('the reference cases pass in the page, asked for by name', async () => {
  const { page, troubles } = await openPage(browser, (await serve(workspaceWith('n.ts', '1 + 1\n'))).url)
  expect(await referenceCases(page, 'simd')).toMatch(/^\d\d passed, 0 failed$/)
  expect(await page.getByRole('dialog').getByRole('row').count()).toBeGreaterThan(40)
  await page.keyboard.press('Escape')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(troubles).toEqual([])
})
