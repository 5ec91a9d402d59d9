import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { StoredRun } from '../../engine/records/run.ts'
import { LONG } from '../long.ts'
import { UNENDING, undisturbed, weights } from './training.ts'
import { cell, mixlab, openNotebook, run, status } from './workbench.ts'

const NOTEBOOK = (steps: number | string) => `// %% one
import { add, block, dense, gelu } from 'mixlab'
const width = 16
export const one = block('one', (x, { dim }) => add(x, dense(x, dim)))

// %% two
export const two = block('two', (x) => add(x, gelu(dense(x, width))))

// %% study
import { compare, image, shapes } from 'mixlab'
console.log('evaluated')
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 128, test: 40 }) }),
  model: { patch: 8, dim: 16, depth: 1 },
  variants: { one, two },
  train: { steps: ${steps}, batch: 16 },
  seeds: 2,
})

// %% after
1 + 1
`

async function open(text: string, atOnce: string) {
  const opened = await openNotebook(text)
  await opened.page.getByTestId('at-once').selectOption(atOnce)
  return opened
}

const progress = (page: Page) => page.getByTestId('progress').textContent()

/** What the store of a workspace has. */
const stored = (workspace: string) => JSON.parse(mixlab('runs', '--json', '--workspace', workspace)) as StoredRun[]

describe('a study in the page, two runs at a time', () => {
  it.runIf(LONG)('shows both in training, and comes to the bits of one at a time', async () => {
    const { page, workspace, troubles } = await open(NOTEBOOK(60), '2')
    await run(page, 'study')
    await expect.poll(() => progress(page)).toContain('; 1 more beside it')
    await expect.poll(() => status(page, 'study')).toBe('done')
    await expect
      .poll(() => cell(page, 'study').getByTestId('output').textContent())
      .toMatch(/evaluated(?!.*evaluated)/s)
    await page.reload()
    await expect.poll(() => page.getByTestId('at-once').inputValue()).toBe('2')
    expect(troubles).toEqual([])
    const found = weights(workspace)
    expect(found).toHaveLength(4)
    expect(found).toEqual(undisturbed(NOTEBOOK(60)))
  })

  it.runIf(LONG)('is interrupted as one, goes on, and is killed as one', async () => {
    const { page, workspace } = await open(NOTEBOOK(UNENDING), '2')
    const statuses = () => stored(workspace).map((known) => known.status)
    await run(page, 'study')
    await expect.poll(() => progress(page)).toMatch(/step \d+ of 1000000; 1 more beside it/)
    await cell(page, 'study').getByTestId('interrupt').click()
    await expect.poll(() => status(page, 'study')).toBe('interrupted')
    expect(statuses()).toEqual(['interrupted', 'interrupted'])

    await run(page, 'study')
    await expect.poll(() => progress(page)).toMatch(/step \d+ of 1000000; 1 more beside it/)
    expect(statuses()).toEqual(['running', 'running'])
    await page.getByTestId('restart-kernel').click()
    await expect.poll(() => status(page, 'study')).toBe('interrupted')
    await expect.poll(statuses).toEqual(['interrupted', 'interrupted'])
    await run(page, 'after')
    await expect.poll(() => cell(page, 'after').getByTestId('value').textContent()).toBe('2')
  })

  it.runIf(LONG)('says so where the notebook is another each time, and trains one run at a time', async () => {
    const { page } = await open(NOTEBOOK('8, clip: 1 + Math.random()'), '2')
    await run(page, 'study')
    await expect.poll(() => status(page, 'study')).toBe('done')
    const output = cell(page, 'study').getByTestId('output')
    await expect
      .poll(() => output.textContent())
      .toContain("study 'tiny' is another each time the notebook is evaluated")
  })
})
