import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { LONG } from '../long.ts'
import { cell, downloaded, openNotebook, setCell } from './workbench.ts'

const NOTEBOOK = String.raw`// %% [markdown] text
// # Formulas
// The gate is $\sigma(W x + b)$, and
//
// $$ \mathrm{SGU}(Z) = Z_1 \odot f_{W,b}(Z_2) $$
//
// It costs $5, and this is wrong: $\frac{1}$.

// %% study
import { compare, display, image, mixer, plot, shapes, table } from 'mixlab'
import * as tf from '@tensorflow/tfjs'
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { mixer: mixer() },
  train: { steps: 8, batch: 8 },
  seeds: 2,
})

// %% [sql] rows
// select id, study, variant, seed, status from runs order by id

// %% [sql] points
// select step, value, run from metric where name = 'train/loss'

// %% shown
display('two', 2)
display(plot.line({ y: { a: [1, 3, 2], b: [2, 2, 4] }, title: 'Two lines', xLabel: 'step' }))
display(plot.histogram(tf.tidy(() => tf.randomNormal([500], 0, 1, 'float32', 3))))
display(table([{ name: 'a', value: 2 }, { name: 'b', value: 10 }]))
display(tf.tidy(() => tf.linspace(0, 1, 4 * 16 * 16 * 3).reshape([4, 16, 16, 3])))
display({ nested: { deep: { list: [1, 2, 3], text: 'x'.repeat(100) } }, more: [{ a: 1 }, 'b'] })
tf.tidy(() => tf.linspace(-1, 1, 40 * 30).reshape([40, 30]))

// %% stored
plot.panels([
  plot.runs({ filter: 'study:tiny', y: 'train/loss' }),
  plot.runs({ filter: 'study:tiny', y: 'test/accuracy', x: 'seed' }),
])

// %% tensors
const big = tf.ones([100]).mul(3)
`

const done = (at: Locator) => expect.poll(() => at.getByTestId('status').getAttribute('data-status')).toBe('done')
const drawn = (at: Locator) => expect.poll(() => at.locator('.js-plotly-plot .subplot.xy').count()).toBeGreaterThan(0)

async function run(page: Page, id: string): Promise<Locator> {
  const at = cell(page, id)
  await at.scrollIntoViewIfNeeded()
  await at.getByTestId('run').click()
  await done(at)
  return at
}

describe('outputs', () => {
  it('sets formulas with bundled fonts, shows wrong ones with the reason, and keeps no tensor of an earlier run', async () => {
    const { page, troubles } = await openNotebook(NOTEBOOK)
    const text = cell(page, 'text')
    await expect.poll(() => text.locator('.katex').count()).toBe(2)
    await expect.poll(() => text.locator('.bad-formula').getAttribute('title')).toContain('KaTeX')
    await expect.poll(() => page.evaluate(() => document.fonts.check('16px KaTeX_Main'))).toBe(true)
    expect(
      await page.evaluate(() =>
        [...document.fonts].some(({ family, status }) => /KaTeX/.test(family) && status === 'loaded'),
      ),
    ).toBe(true)

    await run(page, 'tensors')
    const tensors = () => page.getByTestId('memory').innerText()
    await expect.poll(tensors).toMatch(/tensor/)
    const once = await tensors()
    for (let i = 0; i < 3; i++) await run(page, 'tensors')
    await expect.poll(tensors).toBe(once)
    expect(troubles).toEqual([])
  })

  it.runIf(LONG)('asks the store: a table that sorts, a chart, a file, and mistakes with their line', async () => {
    const { page, troubles } = await openNotebook(NOTEBOOK)
    await page.getByTestId('run-all').click()
    const rows = cell(page, 'rows')
    await done(rows)
    await expect.poll(() => rows.locator('tbody tr').count()).toBe(2)
    const stored = await run(page, 'stored')
    await drawn(stored)
    await expect.poll(() => stored.locator('.js-plotly-plot').count()).toBe(2)
    const ids = () => rows.locator('tbody tr td:first-child').allInnerTexts()
    await expect.poll(ids).toEqual(['1', '2'])
    for (let i = 0; i < 2; i++) await rows.getByRole('button', { name: 'id' }).click()
    await expect.poll(ids).toEqual(['2', '1'])
    await expect.poll(() => rows.locator('th').first().getAttribute('aria-sort')).toBe('descending')

    const csv = await downloaded(page, () => rows.getByTestId('csv').click())
    expect(csv.bytes.toString()).toMatch(/^id,study,variant,seed,status\r\n1,tiny,mixer,\d+,done\r\n2,/)

    const points = cell(page, 'points')
    await done(points)
    await points.getByRole('button', { name: 'Chart' }).click()
    await points.getByTestId('chart-y').selectOption({ label: 'value' })
    await points.getByTestId('chart-x').selectOption({ label: 'step' })
    await points.getByTestId('chart-colour').selectOption({ label: 'run' })
    await drawn(points)
    await expect.poll(() => points.locator('.legendtext').allTextContents()).toEqual(['1', '2'])

    await page.reload()
    await drawn(cell(page, 'points'))
    await setCell(page, 'rows', 'select id\nfrom runs\nwhere wrong = 1')
    await expect.poll(() => rows.getByTestId('status').getAttribute('data-status')).toBe('stale')
    await rows.getByTestId('run').click()
    await expect.poll(() => rows.getByTestId('error').innerText()).toContain('no such column: wrong')
    await expect.poll(() => rows.getByTestId('error').innerText()).toContain('line 3')
    await setCell(page, 'rows', 'delete from run')
    await rows.getByTestId('run').click()
    await expect.poll(() => rows.getByTestId('error').innerText()).toContain('cannot change the store')
    expect(troubles).toEqual([])
  })

  it.runIf(LONG)('stops a query, and asks the next one', async () => {
    const { page, troubles } = await openNotebook(NOTEBOOK)
    const endless = 'with n(i) as (select 1 union all select i + 1 from n) select count(*) from n'
    await setCell(page, 'rows', endless)
    const rows = cell(page, 'rows')
    const status = () => rows.getByTestId('status').getAttribute('data-status')
    await rows.getByTestId('run').click()
    await rows.getByTestId('interrupt').click()
    await expect.poll(status).toBe('interrupted')
    await expect.poll(() => rows.getByTestId('error').innerText()).toContain('the query was stopped')
    expect(await rows.getByTestId('error').innerText()).not.toContain('after')

    await setCell(page, 'rows', 'select 1 as one')
    await rows.getByTestId('run').click()
    await expect.poll(status).toBe('done')
    expect(troubles).toEqual([])
  })

  it.runIf(LONG)('shows values of many kinds, and again after a reload', async () => {
    const { page, troubles } = await openNotebook(NOTEBOOK)
    const shown = await run(page, 'shown')
    const kinds = () =>
      shown.getByTestId('value').evaluateAll((all) => all.map((each) => each.getAttribute('data-kind')))
    const expected = [null, null, 'marks', 'marks', 'table', 'images', 'tree', 'tensor']
    await expect.poll(kinds).toEqual(expected)
    await expect.poll(() => shown.locator('.js-plotly-plot .subplot.xy').count()).toBe(3)
    const red = () =>
      shown
        .locator('.pictures canvas')
        .nth(3)
        .evaluate((it) => (it as HTMLCanvasElement).getContext('2d')?.getImageData(15, 15, 1, 1).data[0])
    await expect.poll(red).toBe(255)
    await shown.locator('summary').first().click()
    await expect.poll(() => shown.locator('.tree').first().innerText()).toContain('deep')
    await page.reload()
    await expect.poll(kinds).toEqual(expected)
    await expect.poll(red).toBe(255)
    expect(troubles).toEqual([])
  })
})
