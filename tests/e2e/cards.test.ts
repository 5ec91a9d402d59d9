import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHost } from '../../app/host.ts'
import { LONG } from '../long.ts'
import { launchBrowser } from '../served.ts'
import {
  cell,
  chooseBackend,
  openNotebook,
  openPage,
  serve,
  startReferenceCases,
  status,
  workspaceWith,
} from './workbench.ts'

// A sample of what `npm run cards` does at length.

const EMULATED = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader']

let browser: Browser
beforeAll(async () => {
  if (LONG) browser = await launchBrowser([...EMULATED, '--use-angle=swiftshader', '--enable-unsafe-swiftshader'])
})
afterAll(() => browser?.close())

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
  const { page } = await openPage((await serve(workspace)).url, browser)
  await chooseBackend(page, 'webgl')
  await page.getByTestId('run-all').click()
  await expect.poll(() => status(page, 'study')).toBe('done')
  expect(await cell(page, 'study').getByTestId('output').innerText()).toContain('1 of 1 runs')
  const host = openHost({ workspace })
  expect(await host.listRuns({})).toMatchObject([{ status: 'done', step: 4, backend: 'webgl' }])
  host.close()
})

/** Stands before the kernel: the emulated card as two, of which the one that saves power refuses timestamps. */
const TWO = `{
  const { gpu } = navigator
  const request = gpu.requestAdapter.bind(gpu)
  gpu.requestAdapter = async (options) => {
    const adapter = await request(options)
    const small = options.powerPreference === 'low-power'
    const open = adapter.requestDevice.bind(adapter)
    const info = { vendor: 'v', architecture: '', device: '', description: small ? 'Small Card' : 'Fast Card' }
    Object.defineProperty(adapter, 'info', { value: info })
    Object.defineProperty(adapter, 'features', { value: new Set(['timestamp-query']) })
    adapter.requestDevice = async (asked) => {
      if (small && asked.requiredFeatures.length > 0) throw new Error('no timestamps here')
      return open({ ...asked, requiredFeatures: [] })
    }
    return adapter
  }
}
`

/** A page on a machine with both, of which the small one was chosen. */
async function withTwoCards(): Promise<Page> {
  const { page, context } = await openPage('about:blank', browser)
  await context.route('**/kernel-*.js', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: TWO + (await response.text()) })
  })
  await page.goto((await serve(workspaceWith('n.ts', NOTEBOOK))).url)
  const backends = page.getByTestId('backend')
  await expect.poll(() => backends.locator('option').allInnerTexts()).toContain('webgpu – Fast Card')
  await backends.selectOption({ label: 'webgpu – Small Card' })
  await expect.poll(() => page.getByTestId('device').textContent()).toContain('Small Card')
  return page
}

it.runIf(LONG)('chooses between two cards, and keeps the choice', async () => {
  const page = await withTwoCards()
  await page.reload()
  const options = page.getByTestId('backend').locator('option')
  await expect.poll(() => options.allInnerTexts()).toContain('webgpu – Small Card')
  await page.getByTestId('backend').selectOption('webgpu low-power')
  await expect.poll(() => page.getByTestId('device').textContent()).toContain('Small Card')
  expect(await page.getByTestId('backend').inputValue()).toBe('webgpu low-power')
  expect(await page.evaluate(`localStorage.getItem('mixlab.card')`)).toContain('low-power')
})

it.runIf(LONG)('says what a card refuses, and trains on it', async () => {
  const page = await withTwoCards()
  await page.getByTestId('run-all').click()
  await expect.poll(() => status(page, 'study')).toBe('done')
  const said = await cell(page, 'study').getByTestId('output').innerText()
  expect(said).toContain('the graphics card refuses timestamps (no timestamps here) and is used without')
  expect(said).toContain('1 of 1 runs')
})

it('says how a browser is given WebGPU that has none', async () => {
  const { page } = await openNotebook('1 + 1\n')
  await page.getByTestId('backend').selectOption('missing')
  await expect.poll(() => page.locator('.notice').innerText()).toContain('chrome://flags/#enable-unsafe-webgpu')
  expect(await page.getByTestId('backend').inputValue()).toBe('')
})

it.runIf(LONG).each(['webgpu', 'webgl'])('reference cases pass on %s', async (backend) => {
  const { page } = await openPage((await serve(workspaceWith('n.ts', '1 + 1\n'))).url, browser)
  await startReferenceCases(page, backend)
  const passed = () => page.getByRole('dialog').getByRole('row', { name: / ok$/ }).count()
  await expect.poll(passed).toBeGreaterThan(2)
  expect(await page.getByTestId('conformance').textContent()).toContain(' 0 failed')
})
