import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { launchBrowser, openPage, serve, workspaceWith } from './workbench.ts'

const mixlab = resolve(import.meta.dirname, '../../app/mixlab.js')

const NOTEBOOK = `// %%
import { compare, gmlp, image, shapes } from 'mixlab'
export const same = compare('same', {
  task: image({ data: shapes({ train: 256, test: 40 }) }),
  model: { patch: 4, dim: 16, ffn: 128, depth: 1, dropPath: 0.2 },
  variants: {
    tokens1024: gmlp({ patch: 1 }), // from the largest on, so that memory is given back
    tokens256: gmlp({ patch: 2 }),
    tokens64: gmlp(),
    tokens16: gmlp({ patch: 8 }),
  },
  train: { steps: 4, batch: 32, ema: 0.9 },
  seeds: 1,
})
`

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

/** The runs of a workspace by variant: their backend, and the bytes of their weights. */
function trained(workspace: string): Record<string, { backend: string; weights: Buffer }> {
  const call = (...words: string[]) =>
    execFileSync(process.execPath, [mixlab, ...words, '--workspace', workspace], { stdio: 'pipe' }).toString()
  const runs = JSON.parse(call('runs', '--json')) as { id: string; variant: string; backend: string }[]
  const folder = mkdtempSync(join(tmpdir(), 'mixlab-e2e-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const entries = runs.map(({ id, variant, backend }) => {
    const file = join(folder, `${variant}.safetensors`)
    call('export', id, '-o', file)
    return [variant, { backend, weights: readFileSync(file) }]
  })
  return Object.fromEntries(entries)
}

it('trains models of several sizes to the same bits in the page and on the command line', {
  timeout: 240_000,
}, async () => {
  const inPage = workspaceWith('same.ts', NOTEBOOK)
  const server = await serve(inPage)
  const { page, troubles } = await openPage(browser, server.url)
  await page.getByTestId('backend').selectOption('simd')
  await page.getByTestId('run-all').click()
  await expect.poll(() => page.getByTestId('status').getAttribute('data-status'), { timeout: 200_000 }).toBe('done')
  server.process.kill('SIGTERM')

  const inNode = workspaceWith('same.ts', NOTEBOOK)
  const words = ['run', join(inNode, 'same.ts'), '--json', '--threads', '1', '--workspace', inNode]
  execFileSync(process.execPath, [mixlab, ...words], { stdio: 'pipe' })

  const [a, b] = [trained(inPage), trained(inNode)]
  expect(Object.keys(a).sort()).toEqual(['tokens1024', 'tokens16', 'tokens256', 'tokens64'])
  for (const [variant, { backend, weights }] of Object.entries(a)) {
    expect([backend, b[variant]?.backend]).toEqual(['simd', 'simd'])
    expect(weights.equals(b[variant]?.weights as Buffer), variant).toBe(true)
  }
  expect(troubles).toEqual([])
})
