import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundled } from '../bundled.ts'
import { launchBrowser } from '../served.ts'

// A sample of what `npm run cards` does at length (tests/cards/webgl.test.ts).

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await launchBrowser(['--use-angle=swiftshader', '--enable-unsafe-swiftshader'])
  page = await browser.newPage()
  const open = await bundled(join(import.meta.dirname, '../cards/webgl.ts'), 'webglReady')
  await open(page)
})
afterAll(() => browser.close())

it.each(['functions()', 'places()', 'padding(40, [3])', "steps('mixer', '3 classes')"])(
  'webgl has right numbers: %s',
  async (call) => {
    expect(await page.evaluate(`${call}.then(({ wrong }) => wrong)`)).toEqual([])
  },
)
