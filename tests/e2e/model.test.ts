import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { axeFaults, cell, openNotebook, run, setCell, status } from './workbench.ts'

const NOTEBOOK = `// %% block
import { add, block, dense, gelu, layerNorm, residual, spatialGating } from 'mixlab'
export const fork = block('fork', { ffnRatio: 6 }, (x, { dim, ffn }) => {
  let y = dense(layerNorm(x), ffn, { name: 'up' })
  y = spatialGating(gelu(y), { name: 'sgu' })
  return residual(x, dense(y, dim))
})

// %% study
import { compare, gmlp, image, shapes } from 'mixlab'
export const study = compare('drawn', {
  task: image({ data: shapes({ size: 16, train: 16, test: 4 }) }),
  model: { patch: 4, dim: 8, depth: 3 },
  variants: { fork, gmlp },
  train: { steps: 2, batch: 4 },
  seeds: 1,
})
`

/** By how many pixels the legend of the cost by formula lies over its panel, and whether that is drawn in the size of its box. */
const legendOver = (page: Page) =>
  page
    .locator('.cost-curves .js-plotly-plot')
    .first()
    .evaluate((element) => {
      const { width, _size } = (element as unknown as { _fullLayout: { width: number; _size: { t: number } } })
        ._fullLayout
      const legend = element.querySelector('.legend .bg')?.getBoundingClientRect()
      const over = (legend?.bottom ?? 0) - element.getBoundingClientRect().top - _size.t
      return { fits: width === element.clientWidth, over: Math.max(0, Math.round(over)) }
    })

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('data-part'))

it('draws the models of a cell before training, by keyboard, anew as one types, with faults at their place', async () => {
  const { page, troubles } = await openNotebook(NOTEBOOK)
  await page.locator('[data-cell="study"]').focus()
  await page.keyboard.press('g')
  const total = page.getByTestId('model-total')
  await expect.poll(() => total.textContent()).toMatch(/^3,402 parameters, 52,304 multiply-adds forward/)

  const part = (id: string) => page.locator(`[data-part="${id}"]`)
  await part('/input').focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'Enter'])
    await page.keyboard.press(key)
  const repeat = '/blocks.0 … blocks.2'
  await expect.poll(() => focused(page)).toBe(`${repeat}/up`)
  expect(await part(`${repeat}/up`).getAttribute('aria-expanded')).toBe('true')
  await part(`${repeat}/up/matMul`).waitFor()
  expect(await page.getByTestId('part-facts').textContent()).toContain('432')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  expect(await focused(page)).toBe(repeat)

  await page.getByTestId('model-cost').click()
  const steps = page.getByTestId('step-times')
  await expect.poll(() => steps.textContent()).toContain('No finished run of these models is stored')
  await page.getByTestId('measure-steps').focus()
  await page.keyboard.press('Enter')
  await steps.getByText('timed here').first().waitFor()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe('measure-steps')
  for (const width of [800, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => legendOver(page)).toEqual({ fits: true, over: 0 })
  }

  await page.getByTestId('model-against').selectOption('gmlp')
  await expect.poll(() => total.textContent()).toMatch(/^fork does the same operations as gmlp/)
  expect(await axeFaults(page, '[data-testid=cell-model]')).toEqual([])

  const [block = ''] = NOTEBOOK.replace('// %% block\n', '').split('\n\n// %% study')
  await setCell(page, 'block', block.replace('gelu(y)', 'layerNorm(y)'))
  await expect.poll(() => total.textContent()).toMatch(/3 operations added, 3 removed, 0 changed/)
  await setCell(page, 'block', block.replace('dense(y, dim))', 'dense(y, ffn))'))
  const fault = 'fails in block:5, in blocks.0: residual: shapes [1,16,8] and [1,16,48] do not fit'
  await expect.poll(() => total.textContent()).toContain(fault)
  await part('/blocks.0/fails here').waitFor()
  await page.getByTestId('model-fault').click()
  expect(await cell(page, 'block').getAttribute('data-selected')).toBe('true')
  expect(troubles).toEqual([])
})

it('has the steps of stored runs among the measured ones, and keeps open what is inside of models that are trained anew', async () => {
  const { page } = await openNotebook(NOTEBOOK)
  await run(page, 'study')
  await expect.poll(() => status(page, 'study')).toBe('done')

  // what was opened inside of the models is open when they are trained anew
  const inside = page.getByTestId('inside')
  await inside.locator('summary').click()
  await inside.getByTestId('weights').waitFor()
  const [, study = ''] = NOTEBOOK.split('// %% study\n')
  await setCell(page, 'study', study.replace('steps: 2', 'steps: 3'))
  await run(page, 'study')
  await expect.poll(() => status(page, 'study')).toBe('done')
  expect(await inside.getByTestId('weights').isVisible()).toBe(true)

  await page.locator('[data-cell="study"]').focus()
  await page.keyboard.press('g')
  await page.getByTestId('model-cost').click()
  const steps = page.getByTestId('step-times')
  await expect
    .poll(() => steps.locator('.legendtext').allTextContents())
    .toEqual(['fork, stored runs', 'gmlp, stored runs'])
})
