import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { LONG } from '../long.ts'
import { axeFaults, clipboard, openNotebook, points, source, status } from './workbench.ts'

const NOTEBOOK = `// %% block
import { add, block, dense, layerNorm } from 'mixlab'
export const plain = block('plain', (x, { dim }) => add(x, dense(layerNorm(x), dim)))

// %% study
import { compare, image, mixer, shapes } from 'mixlab'
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 64, test: 40 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { plain, mixer: mixer(), wide: mixer({ ffn: 64 }) }, // three
  train: { steps: 16, batch: 8 },
  seeds: 6, // a few
})
`

/** How many runs are in the means of the variants. */
const counts = async (page: Page) =>
  (await page.getByTestId('mean').allInnerTexts()).map((text) => Number(/\((\d+)\)$/.exec(text)?.[1] ?? 0))
const verdictsOf = (page: Page) => page.getByTestId('verdict').allInnerTexts()

it.runIf(LONG)(
  'leads from a study over its verdicts, more seeds and another baseline to a table for the paper',
  async () => {
    const { page, context, troubles } = await openNotebook(NOTEBOOK)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])

    // what so many seeds can show is said before anything is trained
    await expect.poll(() => page.getByTestId('prospect').textContent()).toContain('6 seeds cannot reach 0.05')

    await page.getByTestId('run-all').click()
    await expect.poll(() => points(page)).toBeGreaterThan(0)
    const seen: number[] = []
    const grown = async () => {
      const [first = 0] = await counts(page)
      if (seen.at(-1) !== first) seen.push(first)
      return counts(page)
    }
    await expect.poll(grown, { interval: 20 }).toEqual([6, 6, 6])
    expect(seen.length).toBeGreaterThan(2) // the table grew with the runs
    await expect.poll(() => status(page, 'study')).toBe('done')

    const first = await verdictsOf(page)
    expect(first).toHaveLength(2)
    for (const sentence of first)
      expect(sentence).toMatch(/too few seeds to tell .*: .* points \(.*better on \d.* of 6 seeds\); .*seeds?/)

    // two more seeds: only those are trained
    await expect.poll(() => page.getByTestId('add-seeds').innerText()).toBe('Add 2 seeds')
    await page.getByTestId('add-seeds').click()
    await expect.poll(() => counts(page)).toEqual([8, 8, 8])
    await expect.poll(() => status(page, 'study')).toBe('done')
    await expect.poll(() => page.locator('.study-head').innerText()).toContain('24 runs; 18 taken from the store')
    const text = () => source(page, 'study')
    await expect.poll(text).toContain('seeds: 8, // a few')
    await page.locator('[data-cell="study"] .view-lines').click()
    await page.keyboard.press('ControlOrMeta+Z')
    await expect.poll(text).toContain('seeds: 6, // a few')
    await page.keyboard.press('ControlOrMeta+Shift+Z')
    await expect.poll(text).toContain('seeds: 8, // a few')
    await expect.poll(() => status(page, 'study')).toBe('done')
    const second = await verdictsOf(page)
    for (const sentence of second)
      expect(sentence).toMatch(/ is (more accurate than|less accurate than|not shown to differ from) .* 8 seeds/)
    for (const sentence of second)
      expect(sentence).toContain('exploratory: planned with seeds 1 to 6, shown with 1 to 8')
    expect(await page.getByTestId('plan').innerText()).toMatch(/^planned .*: seeds 1 to 6, 2 variants against plain/)

    // the values of an earlier step in place of the last ones
    await page.getByTestId('value').selectOption('step')
    await page.getByLabel('step', { exact: true }).fill('8')
    await expect.poll(() => page.getByTestId('variants').innerText()).toContain('validation/accuracy@8, %')
    await expect.poll(() => counts(page)).toEqual([8, 8, 8])
    expect(await verdictsOf(page)).not.toEqual(second)
    await page.getByTestId('value').selectOption('last')
    await expect.poll(() => verdictsOf(page)).toEqual(second)

    // another baseline: all sentences are about that
    await page.locator('[data-variant="mixer"]').getByTestId('pin').click()
    await expect.poll(() => verdictsOf(page)).not.toEqual(second)
    await expect.poll(() => page.locator('[data-variant="mixer"]').getByTestId('baseline').count()).toBe(1)
    await page.reload()
    await expect.poll(() => page.locator('[data-variant="mixer"]').getByTestId('baseline').count()).toBe(1)
    await expect.poll(() => counts(page)).toEqual([8, 8, 8])

    await page.getByTestId('variants').getByText('by seed').last().click()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeFaults(page, '.study')).toEqual([])
    }

    await page.getByTestId('copy-latex').click()
    await expect.poll(() => clipboard(page)).toContain('\\begin{tabular}{lrrrrrr}')
    await expect
      .poll(() => clipboard(page))
      .toMatch(/difference to mixer, points[\s\S]*plain & \$[\d.]+ \\pm [\d.]+\$ \(8\)/)
    await page.getByTestId('copy-markdown').click()
    await expect.poll(() => clipboard(page)).toMatch(/^\| variant +\|/)

    await page.getByTestId('compare').click()
    await expect.poll(() => page.url()).toContain('#/compare/study%3Atiny')
    await expect.poll(() => page.locator('main.compare').innerText()).toMatch(/tiny[\s\S]*Metrics[\s\S]*Configuration/)
    await page.goBack()
    await page.locator('[data-variant="plain"] a.seed').first().click()
    await expect.poll(() => page.url()).toMatch(/#\/run\/\d+$/)
    await expect.poll(() => page.locator('main').innerText()).toMatch(/tiny[\s\S]*plain/)
    expect(troubles).toEqual([])
  },
)
