import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { LONG } from '../long.ts'
import { cell, kill, openNotebook, serve, setCell, source } from './workbench.ts'

async function open() {
  const opened = await openNotebook('// %% a\nconst a = 1\n', 'notes.ts')
  await cell(opened.page, 'a').locator('.monaco-editor').waitFor()
  return opened
}

const saving = (page: Page) => page.getByTestId('saving').getAttribute('data-saving')
describe('what is typed', () => {
  it('is in the file while one types on, and all of it after the server was killed and started again', async () => {
    const { workspace, server, page, file } = await open()
    await setCell(page, 'a', 'const typed = ')
    let words = 0
    while (!file().includes('word3')) await page.keyboard.type(`word${words++} `, { delay: 15 })
    await kill(server)
    await page.getByTestId('connection').waitFor()
    for (const word of ['typed ', 'without ', 'server']) await page.keyboard.type(word)
    expect(file()).not.toContain('server')
    const again = await serve(workspace)
    expect(again.url).toBe(server.url)
    await expect.poll(file).toContain(`word${words - 1} typed without server`)
    await expect.poll(() => saving(page)).toBe('saved')
    await page.getByTestId('connection').waitFor({ state: 'detached' })
  })

  it.runIf(LONG)('is back after server and page have both gone', async () => {
    const { workspace, server, page, context, file } = await open()
    await kill(server)
    await setCell(page, 'a', 'const kept = 2')
    const inBrowser = () => page.evaluate(() => JSON.stringify({ ...localStorage }))
    await expect.poll(inBrowser).toContain('const kept = 2')
    await page.goto('chrome://crash').catch(() => {})
    expect(file()).toBe('// %% a\nconst a = 1\n')

    const again = await serve(workspace)
    const second = await context.newPage()
    await second.goto(again.url)
    await expect.poll(() => second.getByTestId('notice').innerText()).toContain('are back')
    await expect.poll(() => source(second, 'a')).toBe('const kept = 2')
    await expect.poll(file).toBe('// %% a\nconst kept = 2\n')
    await expect
      .poll(() => second.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('journal'))))
      .toEqual([])
  })
})

describe('history', () => {
  it.runIf(LONG)('shows what changed, restores a version, and takes that back', async () => {
    const { page, file } = await open()
    await setCell(page, 'a', 'const a = 2')
    await expect.poll(file).toContain('a = 2')
    await setCell(page, 'a', 'const a = 3')
    await expect.poll(file).toContain('a = 3')

    await page.getByTestId('history').click()
    const versions = page.getByTestId('versions').getByRole('button')
    await expect.poll(() => versions.count()).toBeGreaterThanOrEqual(2)
    await versions.last().click()
    const sides = page.getByTestId('diff').locator('.view-lines')
    await expect.poll(() => sides.first().innerText()).toMatch(/a\s=\s1/)
    await expect.poll(() => sides.last().innerText()).toMatch(/a\s=\s3/)
    await page.getByTestId('restore').click()
    await expect.poll(() => source(page, 'a')).toBe('const a = 1')
    await expect.poll(file).toContain('a = 1')
    await page.getByTestId('notice').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(file).toContain('a = 3')
  })
})

describe('a notebook without a name', () => {
  it.runIf(LONG)('is kept from the first word on, and named later', async () => {
    const { workspace, page } = await open()
    await page.getByTestId('new-notebook').click()
    await expect.poll(() => page.getByTestId('notebook-name').inputValue()).toBe('untitled')
    await setCell(page, 'cell-1', 'const idea = 1')
    const named = (name: string) => readFileSync(join(workspace, name), 'utf8')
    await expect.poll(() => named('untitled.ts')).toContain('const idea = 1')

    await page.getByTestId('notebook-name').fill('gates')
    await page.getByTestId('notebook-name').press('Enter')
    await expect.poll(() => page.getByTestId('notebooks').innerText()).toMatch(/^gates\s+notes$/)
    await setCell(page, 'cell-1', 'const idea = 2')
    await expect.poll(() => named('gates.ts')).toContain('const idea = 2')
    await page.reload()
    await expect.poll(() => source(page, 'cell-1')).toBe('const idea = 2')
  })
})
