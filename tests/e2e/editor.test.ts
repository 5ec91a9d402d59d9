import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { LONG } from '../long.ts'
import { cell, openNotebook, setCell, source } from './workbench.ts'

const NOTEBOOK = `// %% block
import { add, block, dense, layerNorm } from 'mixlab'
/** Only channels. */
export const plain = block('plain', (x, { dim }) => add(x, dense(layerNorm(x), dim)))

// %% study
import { compare, image, shapes } from 'mixlab'
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 128, test: 40 }) }),
  model: { patch: 8, dim: 16, depth: 1 },
  variants: { plain },
  train: { steps: 6, batch: 16 },
  seeds: 2,
})

// %% use
plain
`

/** Writes at the end of a cell. */
async function type(page: Page, id: string, text: string) {
  await setCell(page, id, '')
  await page.keyboard.type(text)
}

it.runIf(LONG)('completes and describes what other cells define', async () => {
  const { page, troubles } = await openNotebook(NOTEBOOK)
  await type(page, 'use', 'tiny.')
  const rows = page.locator('.suggest-widget.visible .monaco-list-row')
  await expect.poll(() => rows.allInnerTexts()).toEqual(expect.arrayContaining([expect.stringContaining('spec')]))
  await page.keyboard.press('Escape')

  await type(page, 'use', "compare('x', { va")
  await page.keyboard.press('Control+Space')
  await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining('variants')])
  await page.keyboard.press('Escape')

  await setCell(page, 'use', 'plain')
  await page.keyboard.press('Home')
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.press('ControlOrMeta+I')
  const hover = page.locator('.monaco-hover:visible')
  await expect.poll(() => hover.allInnerTexts()).toEqual([expect.stringMatching(/const plain[\s\S]*Only channels\./)])
  expect(troubles).toEqual([])
})

it('marks a type error before anything runs, and goes to a definition in another cell or a module', async () => {
  const { page, troubles } = await openNotebook(NOTEBOOK)
  await setCell(page, 'use', 'tiny.nam')
  const errors = cell(page, 'use').locator('.squiggly-error')
  await expect.poll(() => errors.count()).toBe(1)
  await page.keyboard.press('Home')
  await page.keyboard.press('F12')
  await expect.poll(() => cell(page, 'study').getAttribute('data-selected')).toBe('true')
  await page.keyboard.type('small')
  await expect.poll(() => source(page, 'study')).toContain('export const small = compare')
  expect(await cell(page, 'use').getByTestId('status').getAttribute('data-status')).toBe('idle')

  await setCell(page, 'use', 'compare')
  await page.keyboard.press('F12')
  const declared = page.getByTestId('declaration')
  await expect.poll(() => declared.locator('.view-lines').innerText()).toMatch(/function\scompare/)
  await page.keyboard.press('Escape')
  await expect.poll(() => declared.count()).toBe(0)
  expect(troubles).toEqual([])
})

it.runIf(LONG)('renames in all cells', async () => {
  const { page, file, troubles } = await openNotebook(NOTEBOOK)
  await setCell(page, 'use', 'plain')
  await page.keyboard.press('F2')
  const input = page.locator('.rename-box input')
  await expect.poll(() => input.isVisible()).toBe(true)
  await input.fill('channels')
  await input.press('Enter')
  await expect.poll(() => source(page, 'block')).toContain('export const channels = block')
  await expect.poll(() => source(page, 'study')).toContain('variants: { plain: channels }')
  await expect.poll(() => source(page, 'use')).toContain('channels')
  await expect.poll(file).toContain('plain: channels')

  await cell(page, 'use').locator('.view-lines').click()
  await page.keyboard.press('ControlOrMeta+Z')
  await expect.poll(() => source(page, 'block')).toContain('export const plain = block')
  expect([await source(page, 'study'), await source(page, 'use')]).toEqual([
    expect.stringContaining('variants: { plain }'),
    expect.stringMatching(/^plain/),
  ])
  await page.keyboard.press('ControlOrMeta+Shift+Z')
  await expect.poll(() => source(page, 'block')).toContain('export const channels = block')
  await expect.poll(() => source(page, 'study')).toContain('variants: { plain: channels }')
  expect(troubles).toEqual([])
})

it.runIf(LONG)('forks a built-in block under a free name, and compares the two', async () => {
  const { page, troubles } = await openNotebook(NOTEBOOK)
  await setCell(page, 'use', 'const gmlp = 1')
  await page.getByTestId('fork').click()
  await page.keyboard.type('gmlp')
  await page.keyboard.press('Enter')
  await expect.poll(() => cell(page, 'gmlp').getAttribute('data-selected')).toBe('true')
  await expect.poll(() => source(page, 'gmlp')).toContain('export const myGmlp = block')

  await page.keyboard.press('Shift+D')
  const changed = page.getByTestId('diff').locator('.line-insert')
  await expect.poll(() => changed.count()).toBeGreaterThan(0)
  expect(troubles).toEqual([])
})

it.runIf(LONG)(
  'a block is written from an empty notebook without typing an import, and no key is swallowed',
  async () => {
    const { page, workspace, troubles } = await openNotebook(NOTEBOOK)
    const KEY = { delay: 100 } // ms, as fast as people type
    const keys = async (text: string) => page.keyboard.type(text, KEY)
    const list = page.locator('.suggest-widget.visible')
    /** Writes the beginning of a name, and takes it from the list. */
    const take = async (begun: string, name: string) => {
      await keys(begun)
      const row = list.locator('.monaco-list-row').first().getByText(name, { exact: true })
      // what was typed before the compiler had started may bring no list on a busy machine: it is asked for, then
      let looks = 0
      const listed = async () => {
        if (++looks % 20 === 0) await page.keyboard.press('Control+Space')
        return row.isVisible()
      }
      await expect.poll(listed, { interval: 1_000 }).toBe(true)
      await page.keyboard.press('Tab')
    }
    await page.getByTestId('new-notebook').click()
    await page.locator('.monaco-editor.focused').waitFor()
    await keys('export const own = ')
    await take('bloc', 'block')
    await keys("('own', (x, { dim }) => {\nconst shortcut = x\nx = ")
    await take('dens', 'dense')
    await keys('(')
    await take('laye', 'layerNorm')
    await keys('(x), dim)\nreturn residual(shortcut, x)\n')
    const text = () => readFileSync(join(workspace, 'untitled.ts'), 'utf8')
    await expect.poll(text).toContain("import { block, dense, layerNorm } from 'mixlab'")
    await expect.poll(text).toMatch(
      /own = block\('own', \(x, { dim }\) => {\n {2}const shortcut = x\n {2}x = dense\(layerNorm\(x\), dim\)\n {2}return residual\(shortcut, x\)\s*}\)?/, // the last one is not typed
    )

    // the name that was typed in full: by the editor, then, once undone, by the run that fails on it
    await page.getByText('residual').last().click()
    await page.keyboard.press('ControlOrMeta+.')
    await page.getByText("Import 'residual' from 'mixlab'").click()
    await expect.poll(text).toContain('import { block, dense, layerNorm, residual }')
    await setCell(page, 'cell-1', 'gelu(1)')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByTestId('add-import').click()
    await expect.poll(text).toContain("import { gelu } from 'mixlab'\n\ngelu(1)")
    expect(troubles).toEqual([])
  },
)
