import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { StoredRun } from '../../engine/records/run.ts'
import { isTiming } from '../../engine/train/timings.ts'
import { LONG } from '../long.ts'
import { cell, mixlab, openNotebook, status, workspaceWith } from './workbench.ts'

const NOTEBOOK = `// %%
import { compare, gmlp, image, shapes } from 'mixlab'
export const same = compare('same', {
  task: image({ data: shapes({ train: 256, test: 40 }) }),
  model: { patch: 4, dim: 16, ffn: 128, depth: 1, dropPath: 0.2 },
  variants: {
    tokens1024: gmlp({ patch: 1 }), // from the largest on, so that memory is given back
${LONG ? 'tokens256: gmlp({ patch: 2 }), tokens64: gmlp(),' : ''}
    tokens16: gmlp({ patch: 8 }),
  },
  train: { steps: 4, batch: 32, ema: 0.9 },
  seeds: 1,
})
`

/** What the runs of a workspace measured, but for times, by variant, and the bytes of the weights of the largest model. */
function trained(workspace: string) {
  const call = (...words: string[]) => mixlab(...words, '--workspace', workspace)
  const runs = JSON.parse(call('runs', '--json')) as StoredRun[]
  const metrics = runs.map(({ variant, backend, metrics }) => [
    variant,
    { backend, metrics: Object.entries(metrics).filter(([name]) => !isTiming(name)) },
  ])
  const file = join(workspace, 'weights.safetensors')
  call('export', String(runs.find(({ variant }) => variant === 'tokens1024')?.id), '-o', file)
  return { metrics: Object.fromEntries(metrics), weights: readFileSync(file) }
}

it.runIf(LONG)('trains models of several sizes to the same bits in the page and on the command line', async () => {
  const { page, workspace: inPage, server, troubles } = await openNotebook(NOTEBOOK)
  await page.getByTestId('run-all').click()
  await expect.poll(() => page.getByTestId('status').getAttribute('data-status')).toBe('done')
  server.process.kill('SIGTERM')

  const inNode = workspaceWith('same.ts', NOTEBOOK)
  mixlab('run', join(inNode, 'same.ts'), '--json', '--threads', '1', '--workspace', inNode)

  const [a, b] = [trained(inPage), trained(inNode)]
  expect(Object.keys(a.metrics).sort()).toEqual(['tokens1024', 'tokens16', 'tokens256', 'tokens64'])
  expect(a.metrics.tokens16.backend).toBe('simd')
  expect(a.metrics).toEqual(b.metrics)
  expect(a.weights.equals(b.weights)).toBe(true)
  expect(troubles).toEqual([])
})

it.runIf(LONG)('says below the cell why a block runs operation by operation, once for all seeds', async () => {
  const text = `// %% mine
import { add, block, compare, dense, image, mean, mul, shapes } from 'mixlab'
const mine = block('mine', (x, { dim }) => {
  const y = dense(x, dim)
  return add(x, mul(y, mean(y).dataSync()[0]))
})
// %% study
export const study = compare('study', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 8, dim: 16, depth: 2 },
  variants: { mine },
  train: { steps: 20, batch: 16 },
  seeds: 3,
})
`
  const { page, troubles } = await openNotebook(text)
  await page.getByTestId('run-all').click()
  await expect.poll(() => status(page, 'study')).toBe('done')
  const shown = (await cell(page, 'study').getByTestId('console').textContent()) ?? ''
  expect(shown).toMatch(/^mine: runs operation by operation, .+: mine:4: reads values of a tensor\n$/)
  expect(troubles).toEqual([])
})
