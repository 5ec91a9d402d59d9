import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { EDITS, type Edit } from '../experiments/edits.ts'
import { LONG } from '../long.ts'
import { cell, openNotebook, run, status } from './workbench.ts'

/** ms between the keys of somebody who writes slowly. */
const SLOWLY = 120

/** How many verdicts the others come to, with what the edit adds. */
const VERDICTS: Record<string, number> = {
  ...{ 'fine-tuning.ts': 3, 'masked-language.ts': 5, 'questions.ts': 3, 'sentiment.ts': 3, 'solids.ts': 3 },
  'which-mixing.ts': 5,
}

/** A ready notebook as it is, or trained for a moment, on few pictures, with seeds that can decide. */
function readyNotebook(name: string): string {
  const text = readFileSync(join(resolve(import.meta.dirname, '../../experiments'), name), 'utf8')
  if (LONG && name === 'first-comparison.ts') return text
  return text
    .replaceAll(/steps: \d+/g, 'steps: 6')
    .replaceAll('shapes({ ', 'shapes({ train: 256, test: 64, ')
    .replaceAll(/, evalEvery: \d+|evalEvery: \d+,/g, '')
    .replaceAll(/^( *)seeds: \d+/gm, '$1seeds: 6')
}

async function openReady(name: string) {
  const opened = await openNotebook(readyNotebook(name), name)
  await opened.page.setViewportSize({ width: 1000, height: 700 })
  return opened
}

/** The cells of a notebook: their texts by their names. */
function cellsOf(text: string): [id: string, source: string][] {
  const cells = text.split(/^\/\/ %% /m).slice(1)
  return cells.map((each) => [/^\S+/.exec(each)?.[0] ?? '', each.slice(each.indexOf('\n') + 1)])
}

/** What two texts do not have in common, and where that begins. */
function difference(a: string, b: string): { at: number; from: string; to: string } {
  const shorter = Math.min(a.length, b.length)
  let [at, end] = [0, 0]
  while (at < shorter && a[at] === b[at]) at++
  while (end < shorter - at && a.at(-1 - end) === b.at(-1 - end)) end++
  return { at, from: a.slice(at, a.length - end), to: b.slice(at, b.length - end) }
}

/** Goes to a text of a cell by keys, selects what is to be another and writes that, slowly. */
async function rewrite(page: Page, notebook: string, [text, wanted]: [string, string]): Promise<void> {
  const [id, source] = cellsOf(notebook).find((each) => each[1].includes(text)) ?? ['', '']
  const { at, from, to } = difference(text, wanted)
  const before = source.slice(0, source.indexOf(text) + at).split('\n')
  await cell(page, id).scrollIntoViewIfNeeded()
  await cell(page, id).locator('.monaco-editor .view-lines').click()
  await page.keyboard.press('ControlOrMeta+Home')
  for (const _ of before.slice(1)) await page.keyboard.press('ArrowDown')
  for (const _ of before.at(-1) ?? '') await page.keyboard.press('ArrowRight')
  for (const _ of from) await page.keyboard.press('Shift+ArrowRight')
  if (to === '') await page.keyboard.press('Delete')
  else await page.keyboard.type(to, { delay: SLOWLY })
  await page.keyboard.press('Escape') // the list of what could be written, or the text
}

/** Writes a cell above that of the study. */
async function insert(page: Page, text: string): Promise<void> {
  await cell(page, 'study').scrollIntoViewIfNeeded() // far from the view a cell has no editor
  await cell(page, 'study').locator('.monaco-editor .view-lines').click()
  for (const key of ['Escape', 'Escape', 'a', 'Enter']) await page.keyboard.press(key)
  await page.keyboard.type(text, { delay: SLOWLY })
  await page.keyboard.press('Escape')
}

/** Makes an edit as a newcomer would, by hand. */
async function make(page: Page, notebook: string, { change }: Edit): Promise<void> {
  for (const each of change) {
    const [, code] = /^\/\/ %% \S+\n(.+?)\n\n\/\/ %%/s.exec(each[1]) ?? []
    if (code) await insert(page, code)
    else await rewrite(page, notebook, each)
  }
}

const verdicts = (page: Page) => page.getByTestId('verdict').allInnerTexts()

/** Runs all cells and waits until the studies have their verdicts; what these say. */
async function decided(page: Page, count: number): Promise<string[]> {
  await page.getByTestId('run-all').click()
  const ended = async () => (await verdicts(page)).filter((text) => !text.startsWith('so far'))
  await expect.poll(ended).toHaveLength(count)
  for (const each of await page.locator('[data-cell]').all()) {
    const status = async () => String(await each.getAttribute('data-status'))
    await expect.poll(status).not.toMatch(/queued|running/)
    expect(await status(), String(await each.getAttribute('data-cell'))).not.toBe('failed')
  }
  const found = await ended()
  for (const text of found) expect(text).not.toMatch(/too few|nothing to compare|missing/)
  return found
}

const first = 'first-comparison.ts'

describe('the first notebook, at 1000 x 700', () => {
  it('ends in a verdict, and so does the edit that it proposes, written slowly; only that is trained anew', async () => {
    const { page, troubles } = await openReady(first)
    const [before] = await decided(page, 1)
    if (LONG) expect(before).toMatch(/ is more accurate than /)
    const [edit] = EDITS.filter(({ notebook }) => notebook === first) as [Edit]
    await make(page, readyNotebook(first), edit)
    await expect.poll(() => cell(page, 'gated').locator('.view-lines').innerText()).toMatch(/x\s=\sadd\(u,/)
    await decided(page, 1)
    expect(await cell(page, 'study').getByTestId('summary').innerText()).toBe(
      '2 variants, 12 runs; 6 taken from the store',
    )
    expect(troubles).toEqual([])
  })

  it.runIf(LONG)('says once what a name lacks, beside the runs that failed, and mends it there', async () => {
    const { page } = await openReady(first)
    await rewrite(page, readyNotebook(first), [
      '  x = gelu(dense(x, ffn))\n  const',
      '  x = relu(dense(x, ffn))\n  const',
    ])
    await run(page, 'study')
    const failed = cell(page, 'study').getByTestId('failed-runs')
    await expect.poll(() => failed.innerText()).toContain('1 of 12 runs failed, 5 not tried')
    const said = "gated:5: relu is not defined; add: import { relu } from 'mixlab'"
    expect(await failed.innerText()).toMatch(
      new RegExp(`gated, seed 1, and every other seed would\\s+${said.replace(/[{}]/g, '\\$&')}`),
    )
    await expect.poll(() => status(page, 'study')).toBe('failed')
    await failed.getByTestId('add-import').click()
    await expect.poll(() => status(page, 'study')).toBe('done')
    expect(await cell(page, 'study').getByTestId('summary').innerText()).toBe(
      '2 variants, 12 runs; 6 taken from the store',
    )
    expect(await cell(page, 'gated').locator('.view-lines').innerText()).toMatch(/relu/)
  })
})

describe('the other ready notebooks', () => {
  const others = EDITS.filter(({ notebook }) => notebook !== first)
  it.runIf(LONG).each(others.map((edit) => [edit.notebook, edit.change.map(([, to]) => to).join(), edit] as const))(
    '%s ends in verdicts after %s',
    async (notebook, _, edit) => {
      const { page, troubles } = await openReady(notebook)
      const text = readyNotebook(notebook)
      await make(page, text, edit)
      await decided(page, VERDICTS[notebook] ?? 0)
      expect(troubles).toEqual([])
    },
  )
})
