import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHost } from '../../app/host.ts'
import { LONG, sample } from '../long.ts'
import { cell, chooseBackend, startReferenceCases, status } from './cells.ts'
import { launchBrowser, openPage, serve, workspaceWith } from './workbench.ts'

// A sample of what `npm run cards` does at length.

const EMULATED = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader']

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser([...EMULATED, '--use-angle=swiftshader', '--enable-unsafe-swiftshader'])
})
afterAll(() => browser.close())

const NOTEBOOK = `// %% study
import { compare, ffOnly, image, shapes } from 'mixlab'
export const s = compare('emulated', {
  task: image({ data: shapes({ train: 16, test: 8 }) }),
  model: { patch: 16, dim: 4, ffn: 4, depth: 1 },
  variants: { ff: ffOnly() },
  train: { steps: 4, batch: 4, histograms: false },
  seeds: [1],
})
`

it.runIf(LONG)('trains on webgl', async () => {
  const workspace = workspaceWith('n.ts', NOTEBOOK)
  const { page } = await openPage(browser, (await serve(workspace)).url)
  await chooseBackend(page, 'webgl')
  await page.getByTestId('run-all').click()
  await expect.poll(() => status(page, 'study')).toBe('done')
  expect(await cell(page, 'study').getByTestId('output').innerText()).toContain('1 of 1 runs')
  const host = openHost({ workspace })
  expect(await host.listRuns({})).toMatchObject([{ status: 'done', step: 4, backend: 'webgl' }])
  host.close()
})

it.each(sample(['webgpu', 'webgl']))('reference cases pass on %s', async (backend) => {
  const { page } = await openPage(browser, (await serve(workspaceWith('n.ts', '1 + 1\n'))).url)
  await startReferenceCases(page, backend)
  const passed = () => page.getByRole('dialog').getByRole('row', { name: / ok$/ }).count()
  await expect.poll(passed).toBeGreaterThan(2)
  expect(await page.getByTestId('conformance').textContent()).toContain(' 0 failed')
})
