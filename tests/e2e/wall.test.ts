import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { fillWall } from '../bench/wallRuns.ts'
import { axeFaults, openPage, serve, workspaceWith } from './workbench.ts'

const titles = (page: Page) => page.getByTestId('wall-panel').locator('h2').allInnerTexts()
const drawn = (page: Page, title: string) =>
  page.getByTestId('wall-panel').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

it('a wall follows filter and legend, is arranged by keys, and is there after a reload', async () => {
  const workspace = workspaceWith('first.ts', '// %% a\n1\n')
  fillWall(workspace, { runs: 60, variants: 6, points: 10, running: 1 })
  const server = await serve(workspace)
  const { page, troubles } = await openPage(`${server.url}#/runs`)
  await page.setViewportSize({ width: 800, height: 600 })
  await page.getByTestId('chart-runs').click()
  const lines = drawn(page, 'train/loss').locator('.js-line')
  await expect.poll(() => lines.count()).toBeGreaterThan(6)
  // the axes are in view, whatever there is beside them
  const box = await drawn(page, 'train/loss').locator('.xtick').first().boundingBox()
  expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThan(600)

  await page.getByTestId('wall-side').click()
  expect(await page.getByTestId('wall-groups').locator('li').count()).toBe(6)
  const offered = page.getByTestId('wall-by').locator('optgroup').first()
  await expect
    .poll(() => offered.locator('option').allInnerTexts())
    .toEqual(['block', 'data set', 'depth', 'train.batch'])
  await page.getByTestId('find-group').fill('vit')
  await page.getByRole('button', { name: 'Only these' }).click()
  await expect.poll(() => lines.count()).toBeLessThan(4)
  expect(await axeFaults(page, '.wall')).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByTestId('wall-groups').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: /^Move train\/loss/ }).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => (await titles(page))[1]).toBe('train/loss')
  await page.getByRole('button', { name: 'Remove validation/calibration' }).click()
  await page.getByRole('button', { name: 'Show train/loss alone' }).click()
  await expect.poll(() => titles(page)).toEqual(['train/loss'])
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await titles(page)).length).toBe(5)

  await page.getByTestId('filter').fill('id:1,2,3')
  await expect.poll(() => page.getByTestId('count').innerText()).toBe('3 runs')
  await page.getByTestId('filter').fill('none such')
  await drawn(page, 'train/loss').getByText('No values.').waitFor()

  await page.reload()
  await page.getByTestId('filter').fill('')
  await expect.poll(async () => (await titles(page)).slice(0, 2)).toEqual(['validation/accuracy', 'train/loss'])
  // the groups that were hidden still are
  await expect.poll(() => lines.count()).toBe(2)
  expect(troubles).toEqual([])
})
