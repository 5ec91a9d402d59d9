import { expect, it } from 'vitest'
import { LONG } from '../long.ts'
import { cell, openNotebook, status } from './workbench.ts'

/** A cell with a study whose data are missing and one that is right, and cells that depend on it and that do not. */
const NOTEBOOK = `// %% wrong
import { compare, folder, image, mixer, shapes } from 'mixlab'
const common = { model: { patch: 16, dim: 8, depth: 1 }, variants: { mixer: mixer() }, train: { steps: 3, batch: 8 }, seeds: 1 }
export const lost = compare('lost', { ...common, task: image({ data: folder({ path: 'nowhere' }) }) })
export const found = compare('found', { ...common, task: image({ data: shapes({ train: 64, test: 20 }) }) })

// %% depends
lost.name

// %% broken
throw new Error('no such thing')

// %% last
import { compare, image, mixer, shapes } from 'mixlab'
export const last = compare('last', {
  ...{ model: { patch: 16, dim: 8, depth: 1 }, variants: { mixer: mixer() }, train: { steps: 3, batch: 8 }, seeds: 2 },
  task: image({ data: shapes({ train: 64, test: 20 }) }),
})
`

it.runIf(LONG)(
  'Run all goes on after a study and a cell that fail, with all that does not depend on them',
  async () => {
    const { page } = await openNotebook(NOTEBOOK)
    await page.getByTestId('run-all').click()
    await expect.poll(() => status(page, 'last')).toBe('done')
    const statuses = await Promise.all(['wrong', 'depends', 'broken'].map((id) => status(page, id)))
    expect(statuses).toEqual(['failed', 'failed', 'failed'])
    await expect.poll(() => cell(page, 'wrong').textContent()).toContain('nowhere: does not exist')
    await expect.poll(() => cell(page, 'wrong').getByTestId('progress').textContent()).toContain('1 of 1 runs')
    await expect.poll(() => cell(page, 'depends').textContent()).toContain("depends on 'wrong', which failed")
  },
)

it.runIf(LONG)('Run all asks where there is SQL alone, and does nothing where there is text alone', async () => {
  const { page, troubles } = await openNotebook('// %% [sql] count\n// select 6 * 7 as answer\n')
  await page.getByTestId('run-all').click()
  await expect.poll(() => cell(page, 'count').textContent()).toContain('42')
  await page.reload()
  await expect.poll(() => page.getByTestId('run-all').isEnabled()).toBe(true)
  expect(troubles).toEqual([])
  const text = await openNotebook('// %% [markdown] words\n// # Nothing runs here\n')
  await text.page.getByTestId('run-all').click()
  await expect.poll(() => text.page.getByTestId('kernel').textContent()).not.toContain('busy')
  expect(await cell(text.page, 'words').textContent()).toContain('Nothing runs here')
  expect(text.troubles).toEqual([])
})
