// What the page does on graphics cards, here emulated by the browser: `npm run cards`.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHost } from '../../app/host.ts'
import { keyOf, uniform } from '../../engine/random.ts'
import { cell, chooseBackend, openPage, referenceCases, run, serve, status, workspaceWith } from '../e2e/workbench.ts'
import { launchBrowser } from '../served.ts'

const SWITCHES = {
  webgl: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  webgpu: ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'],
}
/** Moments at which a card is lost, in turns by its own doing and by the end of the graphics process: MIXLAB_LOSSES=20 for more. */
const LOSSES = Number(process.env.MIXLAB_LOSSES ?? 4)
const [STEPS, EVERY] = [120, 5]

/** Its first cell gives up the card after so many ms, if any, as code of a user can at any time. */
const NOTEBOOK = (seed: number, giveUp: number | null) => `// %% trouble
import * as tf from '@tensorflow/tfjs'
const { device, gpgpu } = tf.backend() as any
const give = () => (device ? device.destroy() : gpgpu.gl.getExtension('WEBGL_lose_context').loseContext())
if (${giveUp} !== null) setTimeout(give, ${giveUp})

// %% study
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

  async function training(seed: number, giveUp: number | null) {
    const workspace = workspaceWith('n.ts', NOTEBOOK(seed, giveUp))
    const { page } = await openPage((await serve(workspace)).url, browser)
    await chooseBackend(page, backend)
    await page.getByTestId('run-all').click()
    await expect.poll(() => status(page, 'study')).toBe('running')
    return { workspace, page }
  }

  async function endGraphics() {
    const session = await browser.newBrowserCDPSession()
    await session.send('Browser.crashGpuProcess').catch(() => {})
  }

  const notices = (page: Page) => page.locator('.notice').allInnerTexts()
  const shown = (page: Page) => cell(page, 'study').getByTestId('output').innerText()

  /** The one run of the workspace is whole, with each loss once. */
  async function expectWhole(workspace: string, on: string) {
    const host = openHost({ workspace })
    const [run, ...others] = await host.listRuns({})
    expect(others).toEqual([])
    expect(run).toMatchObject({ status: 'done', step: STEPS, backend: on })
    const [losses] = await host.readSeries([run?.id ?? 0], 'train/loss')
    host.close()
    expect(losses?.steps).toEqual(Array.from({ length: STEPS }, (_, i) => i + 1))
    expect(losses?.values.every((value) => value > 0 && value < 10)).toBe(true)
  }

  it('the reference cases pass', async () => {
    const { page } = await openPage((await serve(workspaceWith('n.ts', '1 + 1\n'))).url, browser)
    expect(await referenceCases(page, backend)).toMatch(/^\d\d passed, 0 failed$/)
  })

  it.each(Array.from({ length: LOSSES }, (_, i) => i))(
    'a run ends done that loses its card, moment %i',
    async (moment) => {
      const after = uniform(keyOf(moment, backend), 0) * 12_000 // ms; while it compiles, steps, evaluates or saves
      const byItself = moment % 2 === 0
      const { workspace, page } = await training(moment, byItself ? after : null)
      const since = Date.now()
      if (!byItself) {
        await expect.poll(() => Date.now() - since).toBeGreaterThan(after)
        await endGraphics()
      }
      await expect
        .poll(() => notices(page))
        .toContainEqual(expect.stringMatching(/^The graphics card was lost \(.*\)\. T/))
      console.log(`${backend}, moment ${moment}, ${after.toFixed(0)} ms: ${(await notices(page)).join(' ')}`)
      await expect.poll(() => status(page, 'study')).toBe('done')
      await expect.poll(() => shown(page)).toContain('1 of 1 runs')
      await expectWhole(workspace, backend)
    },
  )

  it('after two losses the processor goes on, marked', async () => {
    const { workspace, page } = await training(1, 3000)
    await expect.poll(() => notices(page)).toContainEqual(expect.stringContaining('Training continues on it'))
    await expect.poll(() => page.getByTestId('training').textContent()).toMatch(/step [1-9]/)
    await endGraphics()
    await expect.poll(() => notices(page)).toContainEqual(expect.stringContaining('lost twice'))
    await expect.poll(() => status(page, 'study')).toBe('done')
    await expectWhole(workspace, `${backend}, simd`)
  })

  it('is measured, once it has passed its self-test, and the study stays on what was chosen', async () => {
    const workspace = workspaceWith('n.ts', NOTEBOOK(1, null))
    const { page, context } = await openPage('about:blank', browser)
    // the emulated card counts as a real one
    await context.route('**/kernel-*.js', async (route) => {
      const response = await route.fetch()
      const text = (await response.text()).replace(/swiftshader\|/, '').replace(/\w+\.isFallbackAdapter/g, 'false')
      await route.fulfill({ response, body: text })
    })
    const url = (await serve(workspace)).url
    await page.goto(url)
    await page.getByTestId('backend').waitFor()
    await page.getByTestId('run-all').click()
    const said = /lost: trained on (\w+); \w+ [\d.]+ m?s, \w+ [\d.]+ m?s a step/
    await expect.poll(() => cell(page, 'study').innerText()).toMatch(said)
    const [, chosen] = said.exec(await cell(page, 'study').innerText()) ?? []
    console.log(said.exec(await cell(page, 'study').innerText())?.[0])
    expect(await page.evaluate(`localStorage.getItem('mixlab.selfTests')`)).toMatch(/swiftshader.*null/i)
    await page.getByTestId('interrupt-study').click()
    await expect.poll(() => status(page, 'study')).toBe('interrupted')
    await page.reload()
    await run(page, 'study')
    await expect.poll(() => status(page, 'study')).toBe('done')
    expect(await cell(page, 'study').innerText()).not.toMatch(/trained on \w+;/) // nothing was measured again
    await expectWhole(workspace, chosen ?? '')
  })

  it('a run that was interrupted goes on elsewhere when asked to', async () => {
    const { workspace, page } = await training(1, null)
    await expect.poll(() => page.getByTestId('training').textContent()).toMatch(/step [2-9]\d/)
    await page.getByTestId('interrupt-study').click()
    await expect.poll(() => status(page, 'study')).toBe('interrupted')
    await page.getByTestId('backend').selectOption('simd')
    await page.getByTestId('go-on-here').click()
    await expect.poll(() => status(page, 'study')).toBe('done')
    await expectWhole(workspace, `${backend}, simd`)
  })
})
