import { expect, it } from 'vitest'
import { openNotebook } from './workbench.ts'

it('shows what became of claims, those that pass the filters, and makes a notebook of one', async () => {
  const { page, troubles } = await openNotebook('// %% a\n1\n')
  await page.getByRole('link', { name: 'Papers' }).click()
  const claims = page.locator('[data-claim]')
  const shown = page.getByTestId('claims-shown')
  await expect.poll(() => shown.textContent()).toMatch(/^(\d+) of \1 claims$/)
  const all = await claims.count()
  expect(await page.locator('[data-claim="mixer/patch-order"]').textContent()).toContain('curves alike')
  expect(await page.locator('[aria-labelledby="not-tried"]').textContent()).toContain('without labels, by DINO')
  await page.getByTestId('paper-filter').selectOption('mixer')
  await expect.poll(() => claims.count()).toBeLessThan(all)
  await page.getByTestId('verdict-filter').selectOption('found otherwise')
  await expect.poll(() => page.locator('[data-claim="mixer/patch-order"]').count()).toBe(0)
  await page.getByTestId('verdict-filter').selectOption('found')
  await page.getByRole('button', { name: 'New from this: mixer/patch-order' }).click()
  await expect.poll(() => page.url()).toContain('#/notebook/mixer-patch-order.ts')
  await expect.poll(() => page.locator('.notebook-name').inputValue()).toBe('mixer-patch-order')
  expect(troubles).toEqual([])
})
