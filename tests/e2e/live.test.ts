import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { LONG } from '../long.ts'
import { NOTEBOOK, stepsOf, trainsOn, UNENDING, undisturbed, weights } from './training.ts'
import { cell, kill, openNotebook, points, run, serve, status } from './workbench.ts'

async function openAgain(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  return page
}

const STEPS = LONG ? 300 : 150
const RELOADS = LONG ? 3 : 1
const crash = (page: Page) => page.goto('chrome://crash').catch(() => {})
const LEAVING = LONG ? [(page: Page) => page.close(), crash] : []

describe('a study in training', () => {
  it('outlives a reload and a crash of the server, and by npm run long closed tabs and one of the page, to the same bits', async () => {
    const opened = await openNotebook(NOTEBOOK(STEPS))
    const { workspace, context, server } = opened
    let { page } = opened
    await run(page, 'study')
    await trainsOn(workspace)
    for (let reloads = 0; reloads < RELOADS; reloads++) {
      await page.reload()
      await trainsOn(workspace)
    }
    for (const leave of LEAVING) {
      await leave(page)
      page = await openAgain(context, server.url)
      await trainsOn(workspace)
    }
    await kill(server)
    await serve(workspace)
    await expect.poll(() => status(page, 'study')).toBe('done')
    expect(await cell(page, 'study').getByTestId('progress').textContent()).toContain('4 of 4 runs')
    expect(weights(workspace)).toEqual(undisturbed(NOTEBOOK(STEPS)))
  })

  it.runIf(LONG)(
    'is shown with its curves in a second tab, never as interrupted, and stopped there for good',
    async () => {
      const { workspace, context, server, page } = await openNotebook(NOTEBOOK(UNENDING))
      await run(page, 'study')
      await trainsOn(workspace)
      const second = await openAgain(context, server.url)
      const seen = new Set<string | null>()
      await expect.poll(async () => seen.add(await status(second, 'study')).has('running')).toBe(true)
      await expect.poll(() => points(second)).toBeGreaterThan(0)
      const before = await points(second)
      await expect.poll(() => points(second)).toBeGreaterThan(before)
      expect([...seen]).not.toContain('interrupted')
      expect(await status(page, 'study')).toBe('running')

      await cell(second, 'study').getByTestId('interrupt-study').click()
      for (const each of [page, second]) await expect.poll(() => status(each, 'study')).toBe('interrupted')
      await page.close()
      await second.reload()
      await expect.poll(() => status(second, 'study')).toBe('interrupted')
      const stopped = stepsOf(workspace)
      await second.getByTestId('kernel').waitFor()
      expect(stepsOf(workspace)).toBe(stopped)
    },
  )
})
