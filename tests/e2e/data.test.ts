import { expect, it } from 'vitest'
import { layoutFaults } from './layoutFaults.ts'
import { axeFaults, cell, command, goTo, openNotebook, run, status } from './workbench.ts'

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

it('shows data in a cell and on a page, and examples of a run with why it answers so, by keyboard, in a small window', async () => {
  const { page, troubles } = await openNotebook(NOTEBOOK)
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
  await command(page, 'go to the data')
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
  expect(await axeFaults(page)).toEqual([])

  // a run of the study: its test examples, a validation example to try, and why it is answered so
  await goTo(page, '#/notebook/test.ts')
  await cell(page, 'study').waitFor()
  await run(page, 'study')
  await expect.poll(() => status(page, 'study')).toBe('done')
  await goTo(page, '#/run/1')
  const examples = page.getByTestId('run-examples')
  await examples.locator('summary').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => examples.getByRole('listitem').count()).toBe(10)
  await examples.locator('.data-turn').first().waitFor()
  const tried = page.getByTestId('try')
  await tried.getByTestId('try-example').focus()
  await page.keyboard.press('Enter')
  await tried.getByText('what it is').waitFor()
  await tried.getByTestId('try-why').focus()
  await page.keyboard.press('Enter')
  await tried.getByTestId('why').locator('.data-turn').waitFor()
  await tried.getByTestId('shares').waitFor()
  await expect.poll(() => page.getByTestId('memory').textContent()).toContain('0 tensors')
  expect(await page.evaluate(layoutFaults)).toEqual([])
  expect(await axeFaults(page)).toEqual([])
  expect(troubles).toEqual([])
})
