import { expect, it } from 'vitest'
import { openNotebook, referenceCases } from './workbench.ts'

it('the reference cases pass in the page, asked for by name', async () => {
  const { page, troubles } = await openNotebook('1 + 1\n')
  expect(await referenceCases(page, 'simd')).toMatch(/^\d\d passed, 0 failed$/)
  expect(await page.getByRole('dialog').getByRole('row').count()).toBeGreaterThan(40)
  await page.keyboard.press('Escape')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(troubles).toEqual([])
})
