import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { mixlab } from '../app/cli/recorder.ts'
import { LONG } from '../long.ts'
import { PATIENCE } from '../patience.ts'
import { downloaded, openNotebook, setCell, sharedBrowser } from './workbench.ts'

async function open(text: string) {
  const opened = await openNotebook(text, 'notes.ts')
  const write = (now: string) => writeFileSync(join(opened.workspace, 'notes.ts'), now)
  return { read: opened.file, write, ...opened }
}

/** What a cell shows, without the spaces of the editor. */
async function textOf(page: Page, cell: string): Promise<string> {
  return (await page.locator(`[data-cell="${cell}"] .cell-body`).innerText()).replace(/\s/g, ' ')
}

describe('files from elsewhere', () => {
  const TWO = '// %% a\nconst a = 1\n\n// %% b\nconst b = 1\n'

  it('is merged by itself where other cells changed, and asked about where the same did; a Jupyter notebook is imported', async () => {
    const { page, server, read, write, troubles } = await open(TWO)
    await setCell(page, 'a', 'const a = 2')
    await expect.poll(read).toContain('a = 2')
    write(read().replace('b = 1', 'b = 22'))
    await expect.poll(() => textOf(page, 'b')).toContain('22')
    expect(await page.getByTestId('conflict').count()).toBe(0)

    server.process.kill('SIGSTOP') // so that nothing is saved in between
    await setCell(page, 'b', 'const b = 3')
    write(TWO.replace('b = 1', 'b = 4'))
    server.process.kill('SIGCONT')
    const conflict = page.getByTestId('conflict')
    await conflict.waitFor()
    expect(read()).toContain('b = 4')
    await conflict.getByText('On disk').click()
    await expect.poll(() => conflict.locator('pre').innerText()).toBe('const b = 4')
    await conflict.getByRole('button', { name: 'Take theirs' }).click()
    await expect.poll(() => textOf(page, 'b')).toContain('b = 4')
    await expect.poll(read).toContain('b = 4')

    const cells = [{ cell_type: 'code', source: 'print(1)', metadata: {}, outputs: [] }]
    const chooser = page.waitForEvent('filechooser')
    await page.getByTestId('import').click()
    const notebook = JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells })
    await (await chooser).setFiles({ name: 'py.ipynb', mimeType: 'application/json', buffer: Buffer.from(notebook) })
    await page.locator('[data-cell="cell-1"][data-kind="markdown"]').getByText('print(1)').waitFor()
    await expect.poll(() => page.getByTestId('notebooks').innerText()).toContain('py')
    expect(troubles).toEqual([])
  })
})

describe('sharing', () => {
  const STUDY = `// %% [markdown] why
// # Why $x^2$

// %% study
import { compare, image, mixer, shapes, vit } from 'mixlab'
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 128, test: 40 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { mixer: mixer(), vit: vit({ heads: 2 }) },
  train: { steps: 20, batch: 16 },
  seeds: 2,
})

// %% figure
import { plot } from 'mixlab'
plot.line({ y: { up: [1, 2, 3], down: [3, 2, 1] }, title: 'Both ways' })
`

  it.runIf(LONG)('writes a report that needs nothing but itself, and is that of the command line', async () => {
    const { page, workspace } = await open(STUDY)
    await page.getByTestId('run-all').click()
    for (const cell of ['study', 'figure']) {
      await page.locator(`[data-cell="${cell}"][data-status="done"]`).waitFor()
    }
    const file = join(workspace, 'report.html')
    writeFileSync(file, (await downloaded(page, () => page.getByTestId('share').click())).bytes)

    const context = await (await sharedBrowser()).newContext({ offline: true, viewport: { width: 900, height: 1200 } })
    context.setDefaultTimeout(PATIENCE)
    const report = await context.newPage()
    const asked: string[] = []
    const troubles: string[] = []
    report.on('request', (request) => void (request.url().startsWith('data:') || asked.push(request.url())))
    report.on('console', (message) => void (message.type() === 'error' && troubles.push(message.text())))
    await report.goto(pathToFileURL(file).href)
    await expect.poll(() => report.locator('h1').innerText()).toContain('Why')
    await expect.poll(() => report.locator('.provenance').first().innerText()).toContain('Provenance')
    const chart = report.locator('[data-chart]').last()
    await chart.locator('svg').first().hover()
    await expect.poll(() => chart.locator('.reading').innerText()).toContain('up 2')
    await chart.locator('label', { hasText: 'down' }).click()
    await expect.poll(() => chart.locator('g[data-series="down"]').first().isVisible()).toBe(false)
    expect(troubles).toEqual([])
    expect(asked).toEqual([pathToFileURL(file).href])
    await context.close()

    const again = join(workspace, 'again.html')
    const told = await mixlab(['convert', join(workspace, 'notes.ts'), '-o', again, '--workspace', workspace])
    expect(told).toMatchObject({ code: 0, err: [] })
    const written = readFileSync(file, 'utf8')
    expect(written).toContain('<figcaption>Attention: vit, seed 1</figcaption>')
    expect(readFileSync(again, 'utf8')).toBe(written)
  })
})
