import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { integer, keyOf } from '../../engine/random.ts'
import { LONG } from '../long.ts'
import { goTo, openNotebook, press, setCell } from './workbench.ts'

const UNDO = 'ControlOrMeta+z'
const REDO = 'ControlOrMeta+Shift+z'
/** ms between the keys of somebody who writes slowly: longer than a change waits to be saved. */
const SLOWLY = 600

async function open(text: string) {
  const opened = await openNotebook(text)
  const { page } = opened
  await page.setViewportSize({ width: 1000, height: 700 })
  await page.locator('[data-cell] .monaco-editor').first().waitFor()
  await page.locator('[data-selected="true"]').focus()
  return opened
}

const select = (page: Page, id: string) =>
  page.locator(`[data-cell="${id}"] .cell-head`).click({ position: { x: 200, y: 8 } })
const selected = (page: Page) => page.locator('[data-selected="true"]').getAttribute('data-cell')
const cells = (page: Page) => page.locator('[data-cell]').evaluateAll((all) => all.map((cell) => cell.dataset.cell))
const saved = async (page: Page) => {
  await press(page, 'ControlOrMeta+s')
  await expect.poll(() => page.getByTestId('saving').getAttribute('data-saving')).toBe('saved')
}

describe('undo by keys', () => {
  it('gives back the study of the first notebook after a merge', async () => {
    const text = readFileSync(resolve(import.meta.dirname, '../../experiments/first-comparison.ts'), 'utf8')
    const { page, file, troubles } = await open(text)
    const before = await cells(page)
    await select(page, 'ungated')
    await press(page, 'Shift+M', 'Enter')
    await expect.poll(file).not.toContain('// %% study')
    await press(page, UNDO)
    await expect.poll(() => cells(page)).toEqual(before)
    await expect.poll(file).toBe(text)
    await page.keyboard.type('// here') // where the cells were joined
    await expect.poll(() => page.locator('[data-cell="ungated"] .view-lines').innerText()).toMatch(/\/\/\shere$/)
    await press(page, UNDO, UNDO, REDO, REDO, UNDO, UNDO)
    await expect.poll(file).toBe(text)
    expect(troubles).toEqual([])
  })

  it('takes steps of text and structure in their order, in editors and out of them, and over a visit elsewhere', async () => {
    const text = '// %% a\nconst a = 1\n\n// %% [markdown] b\n// # B\n\n// %% c\nconst c = 1\n'
    const { workspace, page, context, file, troubles } = await open(text)
    writeFileSync(join(workspace, 'other.ts'), '// %% other\nconst other = 1\n')
    await setCell(page, 'a', 'const')
    await page.keyboard.type(' b', { delay: SLOWLY })
    await press(page, 'Escape', 'ArrowDown', 'd', 'd')
    await expect.poll(() => cells(page)).toEqual(['a', 'c'])
    await setCell(page, 'c', 'let c')
    await expect.poll(file).toBe('// %% a\nconst b\n\n// %% c\nlet c\n')

    await press(page, UNDO)
    await expect.poll(file).toContain('const c = 1')
    await press(page, UNDO)
    await expect.poll(() => cells(page)).toEqual(['a', 'b', 'c'])
    expect(await selected(page)).toBe('b')
    await press(page, UNDO)
    await expect.poll(() => selected(page)).toBe('a')
    await expect.poll(file).toBe(text.replace('const a = 1', 'const'))

    await goTo(page, '#/notebook/other.ts')
    await page.locator('[data-cell="other"]').waitFor()
    await goTo(page, '#/notebook/test.ts')
    await page.locator('[data-cell="b"]').waitFor()
    await page.locator('[data-cell="a"] .monaco-editor').waitFor()
    await press(page, UNDO)
    await expect.poll(file).toBe(text)

    // another tab takes back what this one has written, and a reload of it loses nothing
    await setCell(page, 'c', 'const c = 2')
    const second = await context.newPage()
    await second.goto(page.url())
    await second.locator('[data-cell="c"] .monaco-editor').waitFor()
    await setCell(page, 'c', 'const c = 3')
    await second.bringToFront()
    await expect.poll(() => second.locator('[data-cell="c"] .view-lines').innerText()).toMatch(/c\s=\s3/)
    await second.locator('[data-selected="true"]').focus()
    await press(second, 'z')
    await expect.poll(file).toBe(text.replace('c = 1', 'c = 2'))
    await press(second, 'Enter')
    await second.keyboard.type('// more')
    await second.reload()
    await expect.poll(file).toContain('// more')
    expect(troubles).toEqual([])
  })

  const parts = Array.from({ length: 10 }, (_, part) => 20 * part)
  it.runIf(LONG).each(parts)(
    'leaves files as they were after random keys, and brings their last state back: %i to 19 on',
    async (first) => {
      const { workspace, page, troubles } = await open('// %% a\n')
      for (let sequence = first; sequence < first + 20; sequence++) {
        const name = `random-${sequence}`
        const text = TEXTS[sequence % TEXTS.length] ?? ''
        const path = join(workspace, `${name}.ts`)
        writeFileSync(path, text)
        await goTo(page, `#/notebook/${name}.ts`)
        await expect.poll(() => page.getByTestId('notebook-name').inputValue()).toBe(name)
        await page.locator('[data-selected="true"]').focus()
        const made = await pressAtRandom(page, sequence)
        for (let left = 20; left > 0; left--) await press(page, REDO) // nothing is left to be redone
        await saved(page)
        const last = readFileSync(path, 'utf8')
        for (let left = MOST_STEPS; left > 0; left--) await press(page, UNDO)
        await saved(page)
        expect(readFileSync(path, 'utf8'), `${sequence} undone: ${made}`).toBe(text)
        for (let left = MOST_STEPS; left > 0; left--) await press(page, REDO)
        await saved(page)
        expect(readFileSync(path, 'utf8'), `${sequence} redone: ${made}`).toBe(last)
      }
      expect(troubles.filter((each) => !each.includes(COLOURS))).toEqual([])
    },
  )
})

/** Presses keys by chance; which. */
async function pressAtRandom(page: Page, sequence: number): Promise<string[]> {
  const key = keyOf(sequence, 'keys')
  const made = Array.from({ length: 15 }, (_, at) => KEYS[integer(key, at, KEYS.length)] ?? '')
  for (const keys of made) {
    if (keys.startsWith('type ')) await page.keyboard.type(keys.slice('type '.length))
    else await press(page, ...keys.split(' '))
  }
  return made
}

const TEXTS = [
  '// %% a\nconst a = 1\n\n// %% [markdown] b\n// # B\n\n// %% c\nconst c = (a)\n',
  '\uFEFF// %%  a\r\nlet w\r\n\r\n\r\n// %%   [md]   b  {"tags": ["x"]}\r\n// # B\r\n//\r\n// so\r\n// %% [sql]\r\n-- select 1',
  'const top = 1\n\n\n// %%\n2\n// %%\n2\n// %% a k="v"\n\n\n3\n\n',
]

/**
 * What Monaco says where a line that was empty gets text and is joined with another before its tokens were found: it keeps
 * those of the other alone, until it finds them. Nobody presses keys that fast.
 */
const COLOURS = 'Token length and text length do not match'

/** More than a sequence has. */
const MOST_STEPS = 50

/** What is pressed; on a selected cell the letters that are typed do nothing. */
const KEYS = [
  ...['ArrowUp', 'ArrowDown', 'a', 'b', 'd d', 'x', 'c', 'v', 'Shift+V', 'Alt+ArrowUp', 'Alt+ArrowDown'],
  ...['Shift+M', 'm', 'y', 'r', 's', 'z', 'Escape', 'Enter', 'Enter', UNDO, REDO, 'ControlOrMeta+s'],
  ...['Enter Home', 'Enter ControlOrMeta+End', 'Enter ControlOrMeta+a Delete', 'Enter End Backspace Backspace'],
  ...['type we new q', 'type (u', 'type {', 'Enter End Enter', 'Enter Tab'],
]
