import { expect, it } from 'vitest'
import { clipboard, openNotebook, run, status } from './workbench.ts'

const NOTEBOOK = `// %% study
import { adamw, compare, factors, gmlp, image, shapes } from 'mixlab'
export const rates = compare('rates', {
  task: image({ data: shapes({ train: 16, test: 8 }) }),
  model: { patch: 16, dim: 4, depth: 1 },
  variants: factors({ gate: ['linear', 'split'], lr: [1e-3, 3e-3] }, ({ gate, lr }) => ({
    block: gmlp({ gate }),
    train: { optimizer: adamw({ learningRate: lr }) },
  })),
  train: { steps: 1, batch: 4 },
  seeds: 1,
})
`

it('a study of two factors says first which is better at its own best rate, then what it asks, with figures', async () => {
  const { page, context, troubles } = await openNotebook(NOTEBOOK)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await run(page, 'study')
  await expect.poll(() => status(page, 'study')).toBe('done')
  const answers = page.getByTestId('answers')
  await expect
    .poll(() => answers.getByTestId('lead').innerText())
    .toMatch(/^which gate is better, linear or split, each at its best lr .*, is not shown; that the effect of lr dep/)
  const best = await answers.getByRole('listitem').first().innerText()
  expect(best).toMatch(/too few seeds .*; at least 5 more seeds are needed; lr [\d.]+ for split and [\d.]+ for linear/)
  await answers.getByText('figures by question').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => answers.getByRole('row').count()).toBe(5)
  await page.getByTestId('copy-latex').click()
  await expect
    .poll(() => clipboard(page))
    .toMatch(/^which gate is better[\s\S]*tabular[\s\S]*exploratory: question 1 of the plan is open/)
  expect(troubles).toEqual([])
})
