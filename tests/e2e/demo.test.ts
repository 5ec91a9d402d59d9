import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mixlab } from '../app/cli/recorder.ts'
import { sharedBrowser, workspaceWith } from './workbench.ts'

// One study with a block of a cell: its code is in the demo, and the answers are those of the command line.
const NOTEBOOK = `// %% a
import { block, compare, dense, layerNorm, residual, scenes, segment, sequence, world } from 'mixlab'
const own = block('own', (x, { dim }) => residual(x, dense(layerNorm(x), dim)))
export const texts = compare('texts', {
  task: sequence({ data: world({ train: 60, test: 20 }), tokens: 12, tokenizer: { vocabulary: 40 } }),
  model: { dim: 8, depth: 1 },
  variants: { own },
  train: { steps: 2, batch: 8 },
  seeds: 1,
})
export const masks = compare('masks', {
  task: segment({ data: scenes({ train: 16, test: 4 }) }),
  model: { patch: 8, dim: 8, depth: 1 },
  variants: { own },
  train: { steps: 2, batch: 8 },
  seeds: 1,
})
`

it('a demo runs from disk, asks for nothing, and says what the command line says', async () => {
  const workspace = workspaceWith('a.ts', NOTEBOOK)
  const command = async (...words: string[]) => {
    const { code, out } = await mixlab([...words, '--workspace', workspace])
    expect(code).toBe(0)
    return out.at(-1) ?? ''
  }
  await command('run', join(workspace, 'a.ts'))
  const paths = ['1', '2'].map((run) => join(workspace, `demo-${run}.html`))
  for (const [i, path] of paths.entries()) await command('export', String(i + 1), '-o', path)
  const [{ name, probability }] = JSON.parse(await command('predict', '1', 'what a fine film', '--json')).top

  const page = await (await sharedBrowser()).newPage({ viewport: { width: 800, height: 600 } })
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  page.on('pageerror', (error) => void asked.push(error.message))
  await page.goto(`file://${paths[0]}`)
  await page.getByTestId('try-text-0').fill('what a fine film')
  await page.keyboard.press('Enter')
  const first = page.getByTestId('likely').locator('tr').first()
  await expect.poll(() => first.textContent()).toBe(`${name}${(100 * probability).toFixed(1)} %`)
  await page.goto(`file://${paths[1]}`)
  await page.getByTestId('try-example').click()
  for (const part of ['as the model sees it', 'what it says', 'what it is']) await page.getByText(part).waitFor()
  expect(asked).toEqual(paths.map((path) => `file://${path}`))
})
