import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { cell, command, openNotebook, run, value } from './workbench.ts'

const notebooks = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.ts'))
const undo = (page: Page) => page.getByTestId('notice').getByRole('button', { name: 'Undo' })

it('a notebook is made once whatever is typed, deleted, brought back and duplicated, by mouse and by keyboard', async () => {
  const { page, context, workspace, troubles } = await openNotebook('// %% a\n20 + 1\n')
  await run(page, 'a')
  await expect.poll(() => value(page, 'a')).toBe('21')

  // by mouse, with what a hand on the keyboard does then
  await page.getByTestId('new-notebook').click()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  // the editor of the notebook before looks focused for a moment longer
  await page.locator('[data-cell="a"]').waitFor({ state: 'detached' })
  await page.locator('.monaco-editor.focused').waitFor()
  await page.keyboard.type('1 + 1;')
  await expect.poll(() => readFileSync(join(workspace, 'untitled.ts'), 'utf8')).toContain('1 + 1;')
  expect(notebooks(workspace)).toEqual(['test.ts', 'untitled.ts'])

  // by keyboard
  await page.keyboard.press('Escape')
  await command(page, 'Delete the notebook')
  await undo(page).waitFor()
  expect(notebooks(workspace)).toEqual(['test.ts'])
  await undo(page).click()
  await expect.poll(() => page.locator('.view-lines').first().innerText()).toMatch(/1\s\+\s1/)

  // a second page shows it meanwhile
  await page.goto(`${new URL(page.url()).origin}/#/notebook/test.ts`)
  await expect.poll(() => value(page, 'a')).toBe('21')
  const second = await context.newPage()
  await second.goto(`${new URL(page.url()).origin}/#/notebook/test.ts`)
  await cell(second, 'a').locator('.monaco-editor').waitFor()
  await page.getByTestId('delete').click()
  await undo(page).waitFor()
  await second.getByTestId('gone').getByText('Bring it back').waitFor()
  expect(existsSync(join(workspace, 'test.ts'))).toBe(false)
  await second.getByTestId('gone').getByText('Bring it back').click()
  await second.getByTestId('gone').waitFor({ state: 'detached' })
  await expect.poll(() => value(second, 'a')).toBe('21')

  await second.getByTestId('duplicate').click()
  await expect.poll(() => second.url()).toContain('test-copy.ts')
  await expect.poll(() => value(second, 'a')).toBe('21')
  expect(notebooks(workspace)).toEqual(['test-copy.ts', 'test.ts', 'untitled.ts'])

  // the ready ones
  await second.getByTitle('Start page').click()
  const card = second.locator('[data-ready="first-comparison"]')
  await expect.poll(() => card.innerText()).toContain('more accurate than ungated by 46.3 points')
  await card.getByRole('button', { name: 'New from' }).click()
  await cell(second, 'ungated').waitFor()
  expect(notebooks(workspace)).toContain('first-comparison.ts')
  await command(second, 'Go to the documents')
  await second.getByTestId('search-documents').fill('fewest seeds')
  await second.getByTestId('found-documents').getByRole('link').first().click()
  await second.getByRole('heading', { name: 'What a number of seeds can show' }).waitFor()
  expect(troubles).toEqual([])
})
