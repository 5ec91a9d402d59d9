import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encode } from 'fast-png'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { renderDrawing, type Strokes } from '../../engine/predict/drawing.ts'
import { mixlab } from '../app/cli/recorder.ts'
import { jpegFile } from '../engine/data/images/jpeg-files.ts'
import { digitFiles, strokesOf } from '../engine/predict/digits.ts'
import { LONG } from '../long.ts'
import { goTo, openPage, serve, workspaceWith } from './workbench.ts'

const NOTEBOOK = `// %% a
import { adamw, block, compare, dense, gmlp, idx, image, layerNorm, mixer, residual, sequence, world } from 'mixlab'
const own = block('own', (x, { dim }) => residual(x, dense(layerNorm(x), dim)))
export const digits = compare('digits', {
  task: image({ data: idx({ path: 'digits' }) }),
  model: { patch: 4, dim: 32, depth: 1, ffnRatio: 2 },
  variants: { mixer: mixer() },
  train: { steps: 150, batch: 32, optimizer: adamw({ learningRate: 5e-3 }) },
  seeds: 1,
})
export const others = compare('others', {
  task: sequence({ data: world({ train: 60, test: 20 }), tokens: 12, tokenizer: { vocabulary: 40 } }),
  model: { dim: 8, depth: 1 },
  variants: { own },
  train: { steps: 2, batch: 8 },
  seeds: 1,
})
`

/** Draws lines by the mouse, in some place and size of the pad. */
async function draw(page: Page, strokes: Strokes): Promise<void> {
  const pad = page.getByTestId('try-pad')
  await pad.scrollIntoViewIfNeeded()
  const box = await pad.boundingBox()
  if (!box) throw new Error('there is no pad')
  const place = (x: number, y: number) => [box.x + 50 + 12 * x, box.y + 70 + 12 * y] as const
  for (const [x0 = 0, y0 = 0, ...rest] of strokes) {
    await page.mouse.move(...place(x0, y0))
    await page.mouse.down()
    for (let i = 0; i < rest.length; i += 2)
      await page.mouse.move(...place(rest[i] ?? 0, rest[i + 1] ?? 0), { steps: 3 })
    await page.mouse.up()
  }
}

it.runIf(LONG)(
  'recognises a digit that is drawn by the mouse, reads a file or a text, and says what it cannot read',
  async () => {
    const workspace = workspaceWith('a.ts', NOTEBOOK)
    mkdirSync(join(workspace, 'digits'))
    for (const [name, bytes] of Object.entries(digitFiles(16, 400)))
      writeFileSync(join(workspace, 'digits', name), bytes)
    expect(await mixlab(['run', join(workspace, 'a.ts'), '--workspace', workspace])).toMatchObject({ code: 0 })
    const { page, troubles } = await openPage(`${(await serve(workspace)).url}#/run/1`)
    await page.setViewportSize({ width: 1000, height: 700 })
    const part = page.getByTestId('try')
    const first = part.getByTestId('likely').locator('th').first()

    const clear = part.getByText('Clear the drawing')
    for (const digit of [1, 0]) {
      await draw(page, strokesOf(digit))
      let looks = 0
      const read = async () => {
        const found = (await first.count()) > 0 ? await first.textContent() : null
        // on a busy machine the page may lay itself out while one draws: it is drawn once more, then
        if (found !== String(digit) && ++looks % (found === null ? 60 : 10) === 0) {
          await clear.click()
          await draw(page, strokesOf(digit))
        }
        return found
      }
      await expect.poll(read, { interval: 1_000 }).toBe(String(digit))
      await clear.click()
    }
    await part.getByText('as the model sees it').waitFor()

    const picture = renderDrawing(
      { ground: 0, ink: 1, length: 40, thickness: 5, centred: 'box' },
      strokesOf(7),
      [56, 56, 1],
    )
    const png = Array.from(encode({ ...picture, data: picture.pixels }))
    const dropped = await page.evaluateHandle((bytes) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(bytes)], 'seven.png', { type: 'image/png' }))
      return transfer
    }, png)
    await part.locator('.try-drop').dispatchEvent('drop', { dataTransfer: dropped })
    await expect.poll(() => first.textContent()).toBe('7')
    const isRefused = await page.locator('h1').evaluate((title, dataTransfer) => {
      return !title.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }))
    }, dropped)
    expect(isRefused).toBe(true) // else the browser would open it in place of the page

    await part.getByText('On another data set').click()
    await part.getByTestId('try-data').fill('digits')
    await page.keyboard.press('Enter')
    await part.getByText('test, 80 examples; not kept.').waitFor()
    expect(await part.getByTestId('try-metrics').textContent()).toMatch(/test\/accuracy(9\d|100)\.\d\d %/)
    await part.getByTestId('try-data').fill('world()')
    await page.keyboard.press('Enter')
    await part.getByText("run 1: is of task image: unknown data set 'world'").waitFor()

    const chosen = page.waitForEvent('filechooser')
    await part.getByRole('button', { name: 'Choose a file' }).focus()
    await page.keyboard.press('Enter')
    await (await chosen).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
    await part.getByText('notes.txt: neither a PNG nor a JPEG file').waitFor()
    expect(await part.getByTestId('likely').count()).toBe(0)
    const jpeg = { name: 'quarters.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(jpegFile('quarters')) }
    await part.locator('input[type=file]').setInputFiles(jpeg)
    await part.getByText('notes.txt: neither').waitFor({ state: 'detached' })
    await part.getByTestId('likely').waitFor()

    await goTo(page, '#/run/2')
    await part.getByTestId('try-text-0').fill('what a fine film')
    await page.keyboard.press('Enter')
    await expect.poll(() => part.getByTestId('likely').locator('tr').count()).toBe(2)
    await expect.poll(() => page.getByTestId('memory').textContent()).toContain('0 tensors')
    expect(troubles).toEqual([])
  },
)

const WRITES = `// %% a
import { clm, compare, gmlp, world } from 'mixlab'
export const talk = compare('talk', {
  task: clm({ data: world({ train: 60, test: 20 }), tokens: 12, tokenizer: { vocabulary: 40 } }),
  model: { dim: 8, depth: 1 },
  variants: { gmlp: gmlp({ causal: true }) },
  train: { steps: 2, batch: 8, evalExamples: 16, testExamples: 16 },
  seeds: 1,
})
`

it.runIf(LONG)('goes on with a text, each time another way', async () => {
  const workspace = workspaceWith('a.ts', WRITES)
  expect(await mixlab(['run', join(workspace, 'a.ts'), '--workspace', workspace])).toMatchObject({ code: 0 })
  const { page, troubles } = await openPage(`${(await serve(workspace)).url}#/run/1`)
  await page.setViewportSize({ width: 1000, height: 700 })
  const part = page.getByTestId('try')
  await part.getByTestId('try-prompt').fill('the ')
  await part.getByTestId('try-tokens').fill('6')
  const texts: (string | null)[] = []
  for (let i = 0; i < 2; i++) {
    await part.getByTestId('try-write').click()
    const written = part.getByTestId('try-written')
    await expect.poll(() => written.textContent()).toMatch(/^the .+/)
    await expect.poll(() => written.textContent()).not.toBe(texts[0])
    texts.push(await written.textContent())
  }
  await part.getByTestId('try-temperature').fill('0')
  await part.getByTestId('try-write').click()
  await expect.poll(() => part.getByTestId('try-written').textContent()).not.toBe(texts[1])
  expect(troubles).toEqual([])
})
