import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cell, openNotebook, run } from './cells.ts'
import { layoutFaults } from './layoutFaults.ts'
import { launchBrowser } from './workbench.ts'

const NOTEBOOK = `// %% clouds
import { compare, display, mixer, points, solids } from 'mixlab'
const clouds = solids({ train: 30, test: 10 })
display(clouds, 'after it')

// %% study
export const which = compare('which', {
  task: points({ data: clouds }),
  model: { dim: 8, depth: 1 },
  variants: { mixer: mixer() },
  train: { steps: 2, batch: 6 },
})
`

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

it('shows data in a cell and on a page, by keyboard, redrawn by seed, in a small window', async () => {
  const { page, troubles } = await openNotebook(browser, NOTEBOOK)
  await run(page, 'clouds')
  const shown = cell(page, 'clouds').getByTestId('value')
  await expect.poll(() => shown.last().textContent()).toBe('after it')
  expect(await shown.first().getAttribute('data-kind')).toBe('data')
  const cloud = cell(page, 'clouds').locator('.data-turn').first()
  await cloud.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => cloud.getAttribute('aria-label')).toContain('turned by 45°, tilted by 20°')
  await page.keyboard.press('Home')
  await expect.poll(() => cloud.getAttribute('aria-label')).toContain('turned by 30°')

  await page.setViewportSize({ width: 800, height: 600 })
  await page.keyboard.press('ControlOrMeta+Shift+P')
  await page.keyboard.type('go to the data')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'which' }).click()
  const [samples, batch] = [page.getByTestId('samples').first(), page.getByTestId('samples').last()]
  await expect.poll(() => page.getByTestId('samples').count()).toBe(2)
  await page.getByText('All examples were read once.').waitFor()
  await expect.poll(() => batch.locator('li').count()).toBe(6) // a whole batch
  const before = await samples.textContent()
  await page.getByTestId('samples-draw').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => samples.textContent()).not.toBe(before)
  expect(await page.evaluate(layoutFaults)).toEqual([])
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8'))
  const found = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target}`)).toEqual([])
  expect(troubles).toEqual([])
})
