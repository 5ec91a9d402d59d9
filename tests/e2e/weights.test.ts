import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mixlab } from '../app/cli/recorder.ts'
import { LONG } from '../long.ts'
import { goTo, openPage, serve, workspaceWith } from './workbench.ts'

const NOTEBOOK = `// %% a
import { block, compare, external, gmlp, image, layerNorm, residual, selfAttention, shapes, vit } from 'mixlab'

const own = block('own', (x) => residual(x, selfAttention(layerNorm(x), { heads: 4 })))

export const inside = compare('inside', {
  task: image({ data: shapes({ size: 16, train: 64, test: 20 }) }),
  model: { patch: 4, dim: 8, depth: 2 },
  variants: { gmlp: gmlp(), vit: vit({ heads: 2 }), own },
  train: { steps: 8, batch: 16, snapshots: 2 },
  seeds: 1,
})

// %% b
export const memory = compare('memory', {
  task: image({ data: shapes({ size: 16, train: 64, test: 20 }) }),
  model: { patch: 4, dim: 8, depth: 2 },
  variants: { external: external({ slots: 4 }) },
  train: { steps: 8, batch: 16 },
  seeds: 2,
})
`

it.runIf(LONG)('shows the weights of runs side by side at a step, and what is inside of them', async () => {
  const workspace = workspaceWith('a.ts', NOTEBOOK)
  expect(await mixlab(['run', join(workspace, 'a.ts'), '--workspace', workspace])).toMatchObject({ code: 0 })
  const { page, troubles } = await openPage(`${(await serve(workspace)).url}#/compare/1,2,3`)
  await page.getByTestId('weights-section').locator('summary').click()
  const weights = page.getByTestId('weights')
  const [gmlp, vit, own] = ['gmlp', 'vit', 'own'].map((name) =>
    weights.locator('section', { hasText: `${name}, seed 1` }),
  )
  await gmlp?.locator('.main-svg').first().waitFor()
  await vit?.getByText('Nothing here mixes tokens by weights.').waitFor()

  await weights.locator('input[type=range]').focus()
  await page.keyboard.press('Home')
  await weights.getByText('gmlp, seed 1: step 0').waitFor()
  await page.keyboard.press('ArrowRight')
  await weights.getByText('gmlp, seed 1: step 1').waitFor() // the best
  await page.keyboard.press('ArrowRight')
  await weights.getByText('gmlp, seed 1: step 4').waitFor()

  const play = weights.getByTestId('play-steps')
  await play.focus()
  await page.keyboard.press('Space')
  await weights.getByText('gmlp, seed 1: step 8').waitFor() // the last
  await play.getByText('Play').waitFor()

  const show = weights.getByLabel('show')
  await show.selectOption('norms')
  await gmlp?.getByText('Update ratio by layer').waitFor()
  await show.selectOption('pace')
  await weights.getByText('Over the steps').waitFor()
  await show.selectOption('histograms')
  await gmlp?.getByText('Gradients of').waitFor()
  await show.selectOption('confusion')
  await vit?.getByText('Confusion, test').waitFor()
  await show.selectOption('attention')
  await vit?.locator('.main-svg').first().waitFor()
  await gmlp?.getByText('Nothing attends here.').waitFor()
  await own?.getByText('head 3').waitFor()
  await show.selectOption('memories')
  await gmlp?.getByText('Nothing here has an external memory.').waitFor()
  await show.selectOption('difference')
  await weights.getByText('There is no other run with as many parameters and weights.').waitFor()

  await goTo(page, '#/run/4')
  await page.getByTestId('weights-section').locator('summary').click()
  await show.selectOption('memories')
  await weights.getByText('External memories', { exact: true }).waitFor()
  await show.selectOption('difference')
  await weights.getByText(/^run 5, step 8, last, minus run 4, step 8/).waitFor()
  const changes = weights.getByTestId('data-table').locator('tbody tr')
  await expect.poll(() => changes.count()).toBeGreaterThan(5)
  expect(await changes.first().locator('td').nth(2).innerText()).toMatch(/^\d+(\.\d+)?(e-?\d+)?$/)
  expect(troubles).toEqual([])
})
