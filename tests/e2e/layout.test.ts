import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { LONG, sample } from '../long.ts'
import { layoutFaults } from './layoutFaults.ts'
import { axeFaults, cell, command, goTo, openNotebook } from './workbench.ts'

const NOTEBOOK = `// %% [markdown] why
// # A gate that multiplies, and one that does not

// %% study
import { compare, image, mixer, resmlp, shapes } from 'mixlab'
export const gating = compare('gating', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { mixer: mixer(), resmlp: resmlp() },
  train: { steps: 6, batch: 8 },
  seeds: 2,
})

// %% wrong
// Forked from the built-in resmlp
console.log('printed')
throw new Error('on purpose')

// %% [sql] runs
// select * from run
`

/** Window sizes in CSS pixels: the first is 800 x 700 at a zoom of 200%. */
const SIZES = [
  [400, 350],
  [800, 600],
  [1000, 700],
  [1280, 800],
  [1920, 1080],
  [2560, 1300],
] as const

/** The one with the least room; all of them where these tests are done in full. */
const sizes = SIZES.slice(0, LONG ? SIZES.length : 1)

/** How axe looks at a place; `npm test` has it look at the first and the last of those that it tries. */
const SCHEMES = LONG ? (['dark', 'light'] as const) : (['light'] as const)

/** Goes to an address, and waits for a part of its page. */
const at = (hash: string, part: (page: Page) => Locator) => async (page: Page) => {
  await goTo(page, hash)
  await part(page).waitFor()
}

/**
 * Each page and window of the workbench, and how one gets there from the one before, whose window is closed. `npm test`
 * tries every sixth: the notebook, the wall of charts and the start page.
 */
const PLACES: [name: string, goThere: (page: Page) => Promise<unknown>][] = [
  ['notebook', (page) => page.getByTestId('study').locator('.chart svg').first().waitFor()],
  [
    'find',
    async (page) => {
      await page.keyboard.press('ControlOrMeta+F')
      await page.keyboard.type('gate')
    },
  ],
  ['commands', (page) => page.keyboard.press('ControlOrMeta+Shift+P')],
  [
    'keys',
    async (page) => {
      await command(page, 'keys')
      await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    },
  ],
  [
    'history',
    async (page) => {
      await page.getByTestId('history').click()
      await page.locator('dialog.history').waitFor()
    },
  ],
  [
    'fork',
    async (page) => {
      await cell(page, 'wrong').click()
      await command(page, 'Compare a fork')
      await page.getByTestId('diff').locator('.view-lines').last().waitFor()
    },
  ],
  [
    'wall of charts',
    async (page) => {
      await goTo(page, '#/runs')
      await page.getByTestId('chart-runs').click()
      await page.getByTestId('wall').locator('svg .js-line').first().waitFor()
    },
  ],
  [
    'runs with columns',
    async (page) => {
      await page.getByRole('button', { name: 'Runs', exact: true }).click()
      await page.locator('tr[data-run]').first().waitFor()
      await page.getByTestId('columns').click()
    },
  ],
  ['run', at('#/run/1', (page) => page.locator('.run-facts'))],
  ['compare', at('#/compare/study:gating', (page) => page.locator('.compare .chart svg').first())],
  [
    'documents',
    at('#/documents/statistics/what-a-number-of-seeds-can-show', (page) =>
      page.getByRole('heading', { name: 'What a number of seeds can show' }),
    ),
  ],
  [
    'search in the documents',
    async (page) => {
      await page.getByTestId('search-documents').fill('holm family')
      await page.getByTestId('found-documents').getByRole('link').first().waitFor()
    },
  ],
  ['start', at('#/start', (page) => page.locator('[data-ready="first-comparison"]'))],
  ['machines', at('#/machines', (page) => page.getByTestId('queue-address'))],
  ['claims of the papers', at('#/papers', (page) => page.locator('[data-claim]').first())],
  [
    'reference cases',
    async (page) => {
      await command(page, 'reference cases')
      await page.getByTestId('conformance').waitFor()
    },
  ],
]

it('every page holds from 800 px at twice its size to 2560 px, and axe finds no fault in it, light or dark', async () => {
  const { page } = await openNotebook(NOTEBOOK)
  await page.getByTestId('run-all').click()
  await page.getByTestId('error').waitFor()
  await cell(page, 'runs').getByRole('table').waitFor()
  const seenByAxe = sample(PLACES, 0, 12).map(([name]) => name)
  for (const [name, goThere] of sample(PLACES, 0, 6)) {
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 900 })
    await goThere(page)
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      // a chart takes its new size when it is told of it
      await expect.poll(() => page.evaluate(layoutFaults), { message: `${name}, ${width} px` }).toEqual([])
      if (name !== 'runs with columns') continue
      const table = page.locator('.runs-scroll')
      const share = await table.evaluate((box) => {
        const around = box.parentElement
        if (!around) return 0
        const margins = 2 * Number.parseFloat(getComputedStyle(around).paddingTop)
        return box.getBoundingClientRect().height / (around.clientHeight - margins)
      })
      expect(share, `${name}, ${width} px`).toBeGreaterThanOrEqual(0.49)
    }
    await page.setViewportSize({ width: 1000, height: 700 })
    if (!seenByAxe.includes(name)) continue
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme })
      expect.soft(await axeFaults(page), `${name}, ${colorScheme}`).toEqual([])
    }
  }
})
