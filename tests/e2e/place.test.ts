import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { LONG } from '../long.ts'
import { openNotebook } from './workbench.ts'

const CELLS = Array.from({ length: 30 }, (_, n) => `// %% c${n}\nconst v${n} = ${n}\n${'// a line\n'.repeat(8)}`).join(
  '\n',
)

const selected = (page: Page) => page.locator('[data-selected="true"]').getAttribute('data-cell')
const topOf = (page: Page, cell: string) =>
  page.locator(`[data-cell="${cell}"]`).evaluate((each) => Math.round(each.getBoundingClientRect().top))

/** Scrolls until a cell is at a height of the page. */
async function scrollTo(page: Page, cell: string, y: number): Promise<void> {
  const shown = page.locator(`[data-cell="${cell}"]`)
  await shown.waitFor()
  await page.mouse.move(600, 400)
  await page.mouse.wheel(0, 1) // as a person does, who ends by that what the page holds
  await expect
    .poll(async () => {
      await shown.evaluate((each, to) => {
        const main = each.closest('main')
        if (main) main.scrollTop += each.getBoundingClientRect().top - to
      }, y)
      return topOf(page, cell)
    })
    .toBe(y)
}

it.runIf(LONG)('a reload keeps cell, scroll and panels, for each notebook, and in each tab its own', async () => {
  const { page, context, server, troubles } = await openNotebook(CELLS)
  const { url } = server
  await page.locator('[data-cell="c12"]').waitFor()
  await page.locator('[data-cell="c12"] .cell-name').click()
  await page.keyboard.press('Control+f')
  await page.getByRole('textbox', { name: 'Find', exact: true }).fill('v1')
  await scrollTo(page, 'c14', 150)

  const second = await context.newPage()
  await second.goto(url)
  await second.locator('[data-cell="c0"]').waitFor()
  expect(await selected(second)).toBe('c0')
  await second.locator('[data-cell="c20"] .view-lines, [data-cell="c20"] .editor').first().click()
  await scrollTo(second, 'c20', 200)

  for (let times = 0; times < 2; times++) {
    await page.reload()
    await expect.poll(() => selected(page)).toBe('c12')
    await expect.poll(() => topOf(page, 'c14')).toBe(150)
    expect(await page.getByRole('textbox', { name: 'Find', exact: true }).inputValue()).toBe('v1')
    await second.reload()
    await expect.poll(() => topOf(second, 'c20')).toBe(200)
    expect(await selected(second)).toBe('c20')
  }
  await expect
    .poll(() => second.evaluate(() => document.activeElement?.closest('[data-cell="c20"]') !== null))
    .toBe(true)

  // other addresses have places of their own
  await page.goto(`${new URL(url).origin}/#/documents/notebook`)
  await page.getByRole('heading', { name: 'The notebook' }).waitFor()
  await page.mouse.wheel(0, 700)
  const scrolled = () => page.locator('main').evaluate((main) => main.scrollTop)
  await expect.poll(scrolled).toBe(700)
  await page.reload()
  await page.getByRole('heading', { name: 'The notebook' }).waitFor()
  await expect.poll(scrolled).toBe(700)
  await page.goBack()
  await expect.poll(() => topOf(page, 'c14')).toBe(150)
  expect(troubles).toEqual([])
})

it.runIf(LONG)('a question to the palette is asked of the documents, and kept', async () => {
  const { page, troubles } = await openNotebook('// %% a\n1\n')
  await page.locator('[data-cell="a"]').waitFor()
  await page.keyboard.press('Control+Shift+P')
  await page.getByRole('combobox', { name: 'Command' }).fill('how do I change the learning rate')
  await page.getByRole('link', { name: 'Search the documents' }).click()
  const first = page.getByTestId('found-documents').locator('a').first()
  await expect.poll(() => first.textContent()).toBe('Recipes: Options')
  await page.reload()
  await first.click()
  await page.getByRole('heading', { name: 'Options' }).waitFor()
  expect(page.url()).toContain('#/documents/recipes/options')
  await page.goBack()
  await first.waitFor()
  expect(troubles).toEqual([])
})
