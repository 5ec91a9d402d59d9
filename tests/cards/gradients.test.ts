// The gradients of all operations on WebGL, here emulated by the browser: `npm run cards`.

import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundled } from '../bundled.ts'
import { LONG } from '../long.ts'
import { launchBrowser } from '../served.ts'

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await launchBrowser(['--use-angle=swiftshader', '--enable-unsafe-swiftshader'])
  page = await browser.newPage()
  const open = await bundled(join(import.meta.dirname, 'tables.ts'), 'gradientsReady')
  await open(page)
})
afterAll(() => browser.close())

it('are right on webgl, or the operation is none of this backend', async () => {
  const operations = (await page.evaluate('operations')) as string[]
  const wrong: string[] = []
  for (const name of operations) {
    wrong.push(...((await page.evaluate(`wrongOn('webgl', '${name}', ${LONG ? 1 : 3})`)) as string[]))
  }
  expect(wrong).toEqual([])
})
