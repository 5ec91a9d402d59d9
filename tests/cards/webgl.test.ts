// What webgl computes, beside simd and float64, in the graphics card that the browser emulates: `npm run cards`.

import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundled } from '../bundled.ts'
import { architectures } from '../engine/models/tiny.ts'
import { LONG } from '../long.ts'
import { launchBrowser } from '../served.ts'

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await launchBrowser(['--use-angle=swiftshader', '--enable-unsafe-swiftshader'])
  page = await browser.newPage()
  const open = await bundled(join(import.meta.dirname, 'webgl.ts'), 'webglReady')
  await open(page)
})
afterAll(() => browser.close())

async function wrong(call: string): Promise<string[]> {
  const found = (await page.evaluate(call)) as { report: string[]; wrong: string[] }
  console.log(found.report.join('\n'))
  return found.wrong
}

it('functions of one and two values are those of float64 to 1e-5', async () => {
  expect(await wrong('functions()')).toEqual([])
})

it('places along odd axes are counted in whole numbers', async () => {
  expect(await wrong('places()')).toEqual([])
})

it('no operation gives or takes what lies in a texture outside of a tensor', async () => {
  expect(await wrong('padding(1, [1, 2, 3, 4, 5, 6, 7])')).toEqual([])
})

it.each(architectures.map(([name]) => name))('three steps of %s are those of simd, over odd axes', async (name) => {
  const tasks = (await page.evaluate('tasks')) as string[]
  for (const task of tasks) expect(await wrong(`steps('${name}', '${task}')`)).toEqual([])
})

it('gradients are right, or the operation is none of this backend', async () => {
  const found: string[] = []
  for (const name of (await page.evaluate('operations')) as string[]) {
    found.push(...((await page.evaluate(`gradients('${name}', ${LONG ? 1 : 3})`)) as string[]))
  }
  expect(found).toEqual([])
})
