import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { LONG } from '../long.ts'
import { goTo, openNotebook, press } from './workbench.ts'

const THREE = '// %% a\nconst gate = 1\n\n// %% [markdown] b\n// # A gate\n\n// %% c\nconst other = gate + 1\nother\n'

async function open(text = THREE) {
  const opened = await openNotebook(text, 'keys.ts')
  const { page } = opened
  await page.locator('[data-cell] .monaco-editor').first().waitFor()
  await page.locator('[data-selected="true"]').focus()
  return opened
}

const cells = (page: Page) => page.locator('[data-cell]').evaluateAll((all) => all.map((cell) => cell.dataset.cell))
const selected = (page: Page) => page.locator('[data-selected="true"]').getAttribute('data-cell')
describe('by keyboard alone', () => {
  it('cells are made, written, run, moved, deleted and brought back; commands are found, and their keys listed', async () => {
    const { page, workspace, file, troubles } = await open()
    await press(page, 'ArrowDown', 'ArrowDown')
    await expect.poll(() => selected(page)).toBe('c')
    await press(page, 'b')
    await page.locator('[data-cell="cell-4"][data-selected="true"]').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-cell'))).toBe('cell-4')
    await press(page, 'Enter')
    await page.keyboard.type('other * 21')
    await press(page, 'Shift+Enter')
    await expect.poll(() => page.locator('[data-cell="cell-4"]').getByTestId('value').innerText()).toBe('42')
    await press(page, 'Escape', 'ArrowUp', 'ArrowUp', 'Alt+ArrowUp')
    await expect.poll(() => selected(page)).toBe('c')
    await expect.poll(async () => (await cells(page)).slice(0, 3)).toEqual(['a', 'c', 'b'])
    await press(page, 'd', 'd')
    await expect.poll(() => cells(page)).not.toContain('c')
    await press(page, 'z')
    await expect.poll(async () => (await cells(page)).slice(0, 3)).toEqual(['a', 'c', 'b'])
    await press(page, 'x', 'v', 'm')
    await expect.poll(() => page.locator('[data-cell="c"]').getAttribute('data-kind')).toBe('markdown')
    await press(page, 'Enter')
    await page.keyboard.type('words ')
    await press(page, 'Control+Enter')
    await expect.poll(file).toContain('// words const other')

    // by name, in another notebook of the same page
    writeFileSync(join(workspace, 'named.ts'), THREE)
    await goTo(page, '#/notebook/named.ts')
    await expect.poll(() => cells(page)).toEqual(['a', 'b', 'c'])
    await page.locator('[data-selected="true"]').focus()
    await press(page, 'Control+Shift+P')
    await page.keyboard.type('down move')
    await press(page, 'Enter')
    await expect.poll(() => cells(page)).toEqual(['b', 'a', 'c'])
    await expect
      .poll(() => page.locator('[data-selected="true"]').evaluate((cell) => cell === document.activeElement))
      .toBe(true)
    await press(page, 'h')
    const help = page.getByRole('dialog', { name: 'Keys' })
    await expect.poll(() => help.innerText()).toContain('D D')
    await press(page, 'Escape')
    await help.waitFor({ state: 'detached' })
    await press(page, 'ArrowUp')
    await expect.poll(() => selected(page)).toBe('b')
    expect(troubles).toEqual([])
  })

  it.runIf(LONG)('a cell is compared with the code that made its output, also after a reload', async () => {
    const { page, file } = await open()
    await press(page, 'ArrowDown', 'ArrowDown', 'Control+Enter')
    await expect.poll(() => page.locator('[data-cell="c"]').getByTestId('value').innerText()).toBe('2')
    await press(page, 'Enter', 'Control+End')
    await page.keyboard.type(' * 3')
    await expect.poll(file).toContain('other * 3')
    await page.reload()
    await page.locator('[data-cell="c"] [data-status="stale"]').first().waitFor()
    await page.locator('[data-selected="true"]').focus()
    await press(page, 'ArrowDown', 'ArrowDown', 'Shift+C')
    const [before, after] = [
      page.getByTestId('diff').locator('.original'),
      page.getByTestId('diff').locator('.modified'),
    ]
    await expect.poll(() => after.locator('.view-lines').innerText()).toMatch(/other\s\*\s3/)
    expect(await before.locator('.view-lines').innerText()).not.toMatch(/\*\s3/)
  })

  it.runIf(LONG)('texts of all cells are found and replaced', async () => {
    const { page, file } = await open()
    await press(page, 'Control+f')
    await page.keyboard.type('gate')
    await expect.poll(() => page.getByTestId('find-count').innerText()).toBe('1 of 3')
    await press(page, 'Enter', 'Enter')
    await expect.poll(() => selected(page)).toBe('c')
    await page.getByLabel('Replace by').fill('door')
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await expect.poll(file).toContain('other = door + 1')
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await expect.poll(file).toContain('const door = 1\n\n// %% [markdown] b\n// # A door')
    await press(page, 'Escape')
    await page.getByTestId('find').waitFor({ state: 'detached' })
  })

  it.runIf(LONG)('code and output are folded, also over a reload', async () => {
    const { page } = await open('// %% a\nconst long = 1\nlong\n')
    await press(page, 'Control+Enter')
    await page.getByTestId('value').waitFor()
    await press(page, 'o', 'Shift+O')
    await page.getByTestId('value').waitFor({ state: 'detached' })
    await page.locator('[data-cell="a"] .monaco-editor').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('button', { name: 'unfold output of a' }).click()
    await page.getByTestId('value').waitFor()
    await page.getByRole('button', { name: 'unfold code of a' }).click()
    await page.locator('[data-cell="a"] .monaco-editor').waitFor()
  })
})

it.runIf(LONG)('cells are dragged to another place', async () => {
  const { page } = await open()
  await page.locator('[data-cell="c"]').hover()
  const target = page.locator('[data-cell="a"]')
  await page.locator('[data-cell="c"] .drag-handle').dragTo(target, { targetPosition: { x: 60, y: 4 } })
  await expect.poll(() => cells(page)).toEqual(['c', 'a', 'b'])
})

describe('a long notebook', () => {
  const CELL = (number: number) => `// %% cell-${number}
import { dense, gelu } from 'mixlab'
export const block${number} = (x: number) => {
  const wide = x * ${number} // twice as wide
  return \`\${wide}\`.length + ${number > 1 ? `block${number - 1}(1)` : '0'}
}
`
  const notebookOf = (cells: number) => Array.from({ length: cells }, (_, index) => CELL(index + 1)).join('\n')

  it.runIf(LONG)('of 300 cells has few editors, and no blank cell wherever one scrolls', async () => {
    const { page, troubles } = await open(notebookOf(300))
    const editors = () => page.locator('.monaco-editor[role="code"]').count()
    const blank = () =>
      page.locator('[data-cell]').evaluateAll((all) =>
        all.flatMap((cell) => {
          const { top, bottom } = cell.getBoundingClientRect()
          const seen = bottom > 0 && top < innerHeight
          return seen && !cell.querySelector('.view-lines, .static-code')?.textContent?.includes('mixlab')
            ? [cell.dataset.cell]
            : []
        }),
      )
    for (const share of [0.25, 0.5, 0.75, 1, 0]) {
      await page.locator('.page').evaluate((element, to) => element.scrollTo(0, to * element.scrollHeight), share)
      await expect.poll(blank).toEqual([])
      expect(await editors()).toBeLessThanOrEqual(50)
    }
    await press(page, 'Control+End', 'Enter')
    await page.keyboard.type('const end = 1;')
    await expect.poll(() => page.locator('[data-cell="cell-300"] .view-lines').innerText()).toContain('end')
    expect(troubles).toEqual([])
  })

  it.runIf(LONG)('leaves nothing in memory when it is opened and closed 20 times', async () => {
    const { page } = await open(notebookOf(60))
    await page.getByTestId('new-notebook').click()
    await expect.poll(() => page.url()).toContain('untitled') // or it would come between two rounds
    await page.locator('[data-cell="cell-60"]').waitFor({ state: 'detached' })
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    const round = async () => {
      await goTo(page, '#/notebook/keys.ts')
      await page.locator('.monaco-editor').nth(5).waitFor()
      await goTo(page, '#/notebook/untitled.ts')
      await page.locator('[data-cell="cell-60"]').waitFor({ state: 'detached' })
    }
    const used = async () => {
      await session.send('HeapProfiler.collectGarbage')
      const { metrics } = await session.send('Performance.getMetrics')
      const value = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0
      return { bytes: value('JSHeapUsedSize'), nodes: value('Nodes'), listeners: value('JSEventListeners') }
    }
    for (let warm = 0; warm < 5; warm++) await round()
    const before = await used()
    for (let count = 0; count < 20; count++) await round()
    const after = await used()
    expect(after.bytes - before.bytes).toBeLessThan(5e6)
    expect(after.nodes - before.nodes).toBeLessThan(1000)
    expect(after.listeners - before.listeners).toBeLessThan(250)
  })
})
