// What the page does on graphics cards, here emulated by the browser: `npm run cards`.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHost } from '../../app/host.ts'
import { keyOf, uniform } from '../../engine/random.ts'
import { cell, referenceCases, status } from '../e2e/cells.ts'
import { launchBrowser, openPage, serve, workspaceWith } from '../e2e/workbench.ts'

const SWITCHES = {
  webgl: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  webgpu: ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'],
}
/** Moments at which the graphics process is ended: MIXLAB_LOSSES=20 for more. */
const LOSSES = Number(process.env.MIXLAB_LOSSES ?? 4)
const [STEPS, EVERY] = [120, 5]

const NOTEBOOK = (seed: number) => `// %% study
import { compare, gmlp, image, shapes } from 'mixlab'
export const s = compare('lost', {
  task: image({ data: shapes({ train: 100, test: 50 }) }),
  model: { patch: 8, dim: 8, ffn: 16, depth: 1 },
  variants: { gmlp: gmlp() },
  train: { steps: ${STEPS}, batch: 8, logEvery: ${EVERY}, evalEvery: 30, checkpointEvery: { steps: 10 } },
  seeds: [${seed}],
})
`

describe.each(['webgl', 'webgpu'] as const)('on %s', (backend) => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser(['--disable-gpu-process-crash-limit', ...SWITCHES[backend]])
  })
  afterAll(() => browser.close())

  it('the reference cases pass', async () => {
    const { page } = await openPage(browser, (await serve(workspaceWith('n.ts', '1 + 1\n'))).url)
    expect(await referenceCases(page, backend)).toMatch(/^\d\d passed, 0 failed$/)
  })

  it.each(Array.from({ length: LOSSES }, (_, i) => i))(
    'a run ends done that loses its card, moment %i',
    async (moment) => {
      const workspace = workspaceWith('n.ts', NOTEBOOK(moment))
      const { page } = await openPage(browser, (await serve(workspace)).url)
      await page.getByTestId('backend').selectOption(backend)
      await expect.poll(() => page.getByTestId('device').textContent()).toContain(backend)
      await page.getByTestId('run-all').click()
      await expect.poll(() => status(page, 'study')).toBe('running')
      const browsers = await browser.newBrowserCDPSession()
      const after = uniform(keyOf(moment, backend), 0) * 12_000 // ms; while it compiles, steps, evaluates or saves
      const since = Date.now()
      await expect.poll(() => Date.now() - since).toBeGreaterThan(after)
      const over = (await status(page, 'study')) === 'done'
      await browsers.send('Browser.crashGpuProcess').catch(() => {})
      await expect.poll(() => page.locator('.notice').innerText()).toMatch(/^The graphics card was lost \(.*\)\. T/)
      await expect.poll(() => status(page, 'study')).toBe('done')
      if (!over) await expect.poll(() => cell(page, 'study').getByTestId('output').innerText()).toContain('1 of 1 runs')

      const host = openHost({ workspace })
      const [run, ...others] = await host.listRuns({})
      expect(others).toEqual([])
      expect(run).toMatchObject({ status: 'done', step: STEPS, backend })
      const [losses] = await host.readSeries([run?.id ?? 0], 'train/loss')
      host.close()
      expect(losses?.steps).toEqual(Array.from({ length: STEPS }, (_, i) => i + 1))
      expect(losses?.values.every((value) => value > 0 && value < 10)).toBe(true)
    },
  )
})
