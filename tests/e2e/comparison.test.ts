import { readFileSync } from 'node:fs'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSafetensors } from '../../engine/weights/safetensors.ts'
import { LONG } from '../long.ts'
import { launchBrowser, openPage, serve, setCell, workspaceWith } from './workbench.ts'

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

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

/** The text of the means in the table, one per variant. */
const means = (page: Page) => page.getByTestId('mean').allInnerTexts()

const points = async (curves: Locator) => Number(await curves.getAttribute('data-points'))

async function open(text = NOTEBOOK) {
  const workspace = workspaceWith('tiny.ts', text)
  const server = await serve(workspace)
  const opened = await openPage(browser, server.url)
  return { workspace, server, ...opened }
}

describe('the workbench in a browser', () => {
  it.runIf(LONG)('brings a study into view when it starts, and tells everywhere how it goes', async () => {
    const long = `// ${'a line\n\n// '.repeat(60)}`
    const { page } = await open(NOTEBOOK.replace('// # A small question', long).replace('steps: 60', 'steps: 20_000'))
    const study = page.getByTestId('study')
    const top = () => study.evaluate((section) => section.getBoundingClientRect().top)
    await page.getByTestId('run-all').click()
    await study.waitFor()
    await expect.poll(top).toBeLessThan(900 / 2)

    await page.evaluate(() => location.assign('#/runs'))
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
      const { page, troubles } = await open()
      await page.getByTestId('run-all').click()

      const curves = page.getByTestId('curves')
      await expect.poll(() => points(curves)).toBeGreaterThan(0)
      expect(await page.getByTestId('progress').getAttribute('data-training')).toBe('true')
      const seen = await points(curves)
      await expect.poll(() => points(curves)).toBeGreaterThan(seen)

      await expect
        .poll(() => means(page))
        .toEqual([expect.stringMatching(/^0?\.\d+ ± 0?\.\d+ \(2\)$|\d+.*±.*\(2\)/), expect.stringMatching(/±.*\(2\)/)])
      const status = page.locator('[data-cell="study"]').getByTestId('status')
      await expect.poll(() => status.getAttribute('data-status')).toBe('done')
      const table = await means(page)

      await page.getByTestId('variants').getByText('by seed').first().click()
      const download = page.waitForEvent('download')
      await page.getByTestId('export').first().click()
      await page.locator('input[value=safetensors]').check()
      await page.getByTestId('export-now').click()
      const weights = readSafetensors(readFileSync(await (await download).path()))
      expect(weights.tensors.map(({ name }) => name)).toContain('stem.proj.weight')
      await page.keyboard.press('Escape')

      await page.reload()
      await expect.poll(() => means(page)).toEqual(table)
      await expect.poll(() => points(curves)).toBeGreaterThan(0)
      await expect.poll(() => status.getAttribute('data-status')).toBe('done')

      await setCell(page, 'block', BLOCK('add(x, gelu(dense(layerNorm(x), dim)))'))
      await expect.poll(() => status.getAttribute('data-status')).toBe('stale')
      await page.getByTestId('run-all').click()
      await expect.poll(() => status.getAttribute('data-status')).toBe('done')
      const changed = await means(page)
      expect(changed[0]).not.toBe(table[0])
      expect(changed[1]).toBe(table[1])
      expect(troubles).toEqual([])
    },
  )

  it.runIf(LONG)('interrupts a study between steps and shows what was done', async () => {
    const { page } = await open(NOTEBOOK.replace('steps: 60', 'steps: 5000'))
    await page.getByTestId('run-all').click()
    await expect.poll(() => points(page.getByTestId('curves'))).toBeGreaterThan(0)
    await page.getByTestId('interrupt-study').click()
    const status = page.locator('[data-cell="study"]').getByTestId('status')
    await expect.poll(() => status.getAttribute('data-status')).toBe('interrupted')
    await page.goto(`${page.url().split('#')[0]}#/runs`)
    await expect.poll(() => page.getByTestId('runs').textContent()).toContain('interrupted')
  })
})
