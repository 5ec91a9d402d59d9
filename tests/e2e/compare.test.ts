import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LONG } from '../long.ts'
import { axeFaults, goTo, mixlab, openNotebook, openPage, serve, workspaceWith } from './workbench.ts'

const NOTEBOOK = `// %% width
const width = { hidden: 12 }

// %% own
import { add, block, dense } from 'mixlab'
const own = block('own', (x, { dim }) => add(x, dense(dense(x, width.hidden), dim)))

// %% study
import { compare, image, mixer, shapes } from 'mixlab'
export const gating = compare('gating', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { own, mixer: mixer() },
  train: { steps: 6, batch: 8 },
  seeds: 2,
})
`

/** A page on a store with the runs of the notebook, of which one variant was trained on one thread. */
async function open(hash: string) {
  const workspace = workspaceWith('gating.ts', NOTEBOOK)
  const run = (...more: string[]) => mixlab('run', join(workspace, 'gating.ts'), '--workspace', workspace, ...more)
  run('--only', 'own', '--threads', '1')
  run('--threads', '2')
  const opened = await openPage((await serve(workspace)).url)
  await opened.page.getByTestId('notebooks').getByText('gating').waitFor()
  await goTo(opened.page, hash)
  return { workspace, ...opened }
}

describe('runs side by side', () => {
  it.runIf(LONG)('shows what they came to and what differs, and takes runs in and out', async () => {
    const { page, troubles } = await open('#/compare/study:gating')
    const finals = page.getByTestId('finals')
    await finals.getByRole('row').nth(2).waitFor()
    await expect.poll(() => finals.locator('tbody th').allInnerTexts()).toEqual(['own', 'mixer'])
    await finals.getByText(/^too few seeds/).waitFor()
    await page.locator('.chart .js-plotly-plot').waitFor()

    const configuration = page.getByTestId('compare-configuration')
    const block = configuration.getByRole('row').filter({ hasText: 'model.block' })
    await expect.poll(() => block.getByRole('cell').allInnerTexts()).toEqual(['own', 'mixer'])
    expect(await configuration.getByText('train.batch').isVisible()).toBe(false)
    await configuration.getByText(/the same/).click()
    await expect.poll(() => configuration.getByText('train.batch').isVisible()).toBe(true)
    const threads = page.getByTestId('compare-environment').getByRole('row').filter({ hasText: 'threads' })
    await expect.poll(() => threads.getByRole('cell').allInnerTexts()).toEqual(['1', '2'])
    await expect.poll(() => page.getByTestId('compare-notebook').getByText('No difference.').count()).toBe(1)

    const code = page.getByTestId('compare-code')
    await code.getByText('width.hidden').waitFor()
    await code.getByText('built in: mixer').waitFor()
    await page.getByTestId('code-right').selectOption('own')
    await code.getByText('No difference.').waitFor()

    expect(await axeFaults(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await axeFaults(page)).toEqual([])

    await page.getByTestId('add-run').fill('gating/mixer/2')
    await page.keyboard.press('Enter')
    const compared = page.getByTestId('compared').getByRole('listitem')
    await compared.nth(1).waitFor()
    await compared.getByText('gating / mixer, seed 2').waitFor()
    await compared.first().getByRole('button').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => compared.allInnerTexts()).toEqual(['gating / mixer, seed 2'])
    await expect.poll(() => finals.locator('tbody th').allInnerTexts()).toEqual(['mixer'])
    await page.goBack()
    await expect.poll(() => finals.locator('tbody th').allInnerTexts()).toEqual(['own', 'mixer'])
    expect(troubles).toEqual([])
  })
})

describe('a run that the page trains', () => {
  it.runIf(LONG)('records notebook, cell and browser', async () => {
    const { page, workspace, troubles } = await openNotebook(NOTEBOOK.replace('seeds: 2', 'seeds: 1'), 'here.ts')
    await page.getByTestId('run-all').click()
    await page.getByText('2 of 2 runs').first().waitFor()
    const { origin, environment } = JSON.parse(mixlab('show', '1', '--json', '--workspace', workspace))
    expect(origin).toMatchObject({ notebook: 'here.ts', cell: 'study', name: 'gating', quick: false })
    expect(origin.source).toContain('width.hidden')
    expect(environment).toMatchObject({
      runtime: expect.stringMatching(/^(Chromium|Chrome) \d/),
      numerics: expect.any(Number),
    })
    expect(troubles).toEqual([])

    // the compiler is for whoever writes: nobody has
    await page.locator('.monaco-editor').first().waitFor()
    expect(page.workers().filter((worker) => worker.url().includes('language-worker'))).toEqual([])
  })
})

describe('the page of a run', () => {
  it.runIf(LONG)('shows where it comes from, leads to its cell and back, and makes a notebook of it', async () => {
    const { page, workspace, troubles } = await open('#/run/1')
    await page.getByRole('heading', { name: 'gating / own, seed 1' }).waitFor()
    await page.locator('.chart .js-plotly-plot').first().waitFor()
    await expect
      .poll(() => page.getByTestId('run-summaries').getByRole('rowheader').allInnerTexts())
      .toContain('test/accuracy, %')
    const source = page.getByTestId('run-source')
    await source.getByText('width.hidden').waitFor()
    await expect
      .poll(() => source.locator('summary').allInnerTexts())
      .toEqual(['width', 'own', 'study defines the study'])
    await expect.poll(() => page.getByTestId('compare-environment').innerText()).toContain(process.versions.node)
    await page.getByTestId('related').getByRole('link', { name: '2', exact: true }).waitFor()

    await page.getByTestId('run-tags').fill('keep first')
    await page.getByTestId('run-note').fill('the one of the paper')
    await page.getByTestId('run-facts').click()
    expect(await axeFaults(page)).toEqual([])
    await page.reload()
    await expect.poll(() => page.getByTestId('run-tags').inputValue()).toBe('first keep')
    await expect.poll(() => page.getByTestId('run-note').inputValue()).toBe('the one of the paper')

    await page.getByTestId('run-cell').click()
    await page.locator('[data-cell="study"][data-selected="true"]').waitFor()
    await page.keyboard.press('t')
    await expect
      .poll(() => page.evaluate(() => decodeURIComponent(location.hash)))
      .toBe('#/runs/notebook:"gating.ts" cell:"study"')

    await goTo(page, '#/run/gating/own/2')
    await page.getByTestId('recreate').click()
    await page.locator('[data-cell="study"]').waitFor()
    expect(readFileSync(join(workspace, 'gating-own-seed-2.ts'), 'utf8')).toContain("only(compare('gating', {")
    await page.getByTestId('run-all').click()
    await page.getByText('nothing to train: 1 of 1 runs are in the store').waitFor()
    expect(troubles).toEqual([])
  })
})
