import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { readSafetensors } from '../../engine/weights/safetensors.ts'
import { LONG } from '../long.ts'
import { downloaded, goTo, openNotebook, points, setCell, status } from './workbench.ts'

const BLOCK = (body: string) => `import { add, block, dense, gelu, layerNorm } from 'mixlab'
export const plain = block('plain', (x, { dim, ffn }) => ${body})`

const NOTEBOOK = `// %% [markdown] question
// # A small question

// %% block
${BLOCK('add(x, dense(layerNorm(x), dim))')}

// %% study
import { compare, image, mixer, shapes } from 'mixlab'
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 128, test: 40 }) }),
  model: { patch: 8, dim: 16, depth: 1 },
  variants: { plain, mixer: mixer() },
  train: { steps: 60, batch: 16 },
  seeds: 2,
})
`

/** The text of the means in the table, one per variant. */
const means = (page: Page) => page.getByTestId('mean').allInnerTexts()

describe('the workbench in a browser', () => {
  it.runIf(LONG)('brings a study into view when it starts, and tells everywhere how it goes', async () => {
    const long = `// ${'a line\n\n// '.repeat(60)}`
    const { page } = await openNotebook(
      NOTEBOOK.replace('// # A small question', long).replace('steps: 60', 'steps: 20_000'),
    )
    const study = page.getByTestId('study')
    const top = () => study.evaluate((section) => section.getBoundingClientRect().top)
    await page.getByTestId('run-all').click()
    await study.waitFor()
    await expect.poll(top).toBeLessThan(900 / 2)

    await goTo(page, '#/runs')
    const line = page.getByTestId('training')
    await expect.poll(() => line.innerText()).toMatch(/steps\/s · .* left/)
    await expect
      .poll(() => line.getByRole('progressbar').evaluate((bar) => Number(bar.getAttribute('value'))))
      .toBeGreaterThan(0)
    await page.getByTestId('running').click()
    await page.locator('[data-cell="study"][data-selected="true"]').waitFor()

    await page.locator('.page').hover()
    await page.mouse.wheel(0, -20_000)
    await page.getByTestId('interrupt-kernel').click()
    await page.getByTestId('kernel').and(page.locator('[data-phase="ready"]')).waitFor()
    expect(await top()).toBeGreaterThan(900)
  })

  it.runIf(LONG)(
    'trains from a cell to a chart, keeps everything over a reload, and trains only what changed',
    async () => {
      const { page, troubles } = await openNotebook(NOTEBOOK)
      await page.getByTestId('run-all').click()

      await expect.poll(() => points(page)).toBeGreaterThan(0)
      expect(await page.getByTestId('progress').getAttribute('data-training')).toBe('true')
      const seen = await points(page)
      await expect.poll(() => points(page)).toBeGreaterThan(seen)

      await expect
        .poll(() => means(page))
        .toEqual([expect.stringMatching(/^0?\.\d+ ± 0?\.\d+ \(2\)$|\d+.*±.*\(2\)/), expect.stringMatching(/±.*\(2\)/)])
      await expect.poll(() => status(page, 'study')).toBe('done')
      const table = await means(page)

      await page.getByTestId('variants').getByText('by seed').first().click()
      await page.getByTestId('export').first().click()
      await page.locator('input[value=safetensors]').check()
      const { bytes } = await downloaded(page, () => page.getByTestId('export-now').click())
      const weights = readSafetensors(bytes)
      expect(weights.tensors.map(({ name }) => name)).toContain('stem.proj.weight')
      await page.keyboard.press('Escape')

      await page.reload()
      await expect.poll(() => means(page)).toEqual(table)
      await expect.poll(() => points(page)).toBeGreaterThan(0)
      await expect.poll(() => status(page, 'study')).toBe('done')

      await setCell(page, 'block', BLOCK('add(x, gelu(dense(layerNorm(x), dim)))'))
      await expect.poll(() => status(page, 'study')).toBe('stale')
      await page.getByTestId('run-all').click()
      await expect.poll(() => status(page, 'study')).toBe('done')
      const changed = await means(page)
      expect(changed[0]).not.toBe(table[0])
      expect(changed[1]).toBe(table[1])
      expect(troubles).toEqual([])
    },
  )
})
