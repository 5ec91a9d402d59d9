import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { decodeOnnx } from '../../engine/export/formats/onnx/decode.ts'
import { metricText } from '../../engine/records/meaning.ts'
import { readNpz } from '../../engine/weights/files/npz.ts'
import { readSafetensors } from '../../engine/weights/safetensors.ts'
import { mixlab } from '../app/cli/recorder.ts'
import { LONG } from '../long.ts'
import { clipboard, downloaded, goTo, openPage, serve, workspaceWith } from './workbench.ts'

const NOTEBOOK = `// %% a
import { adamw, block, compare, dense, image, resmlp, residual, shapes } from 'mixlab'

const own = block('own', (x, { dim }) => residual(x, dense(x, dim)))

export const taken = compare('taken', {
  task: image({ data: shapes({ size: 16, train: 96, test: 20 }) }),
  model: { patch: 4, dim: 8, depth: 2 },
  variants: { resmlp: resmlp(), own },
  train: { steps: 4, batch: 16, snapshots: 2, optimizer: adamw({ learningRate: 0.3 }) }, // validation gets worse
  seeds: 1,
})
`

const exports = (page: Page) => page.getByTestId('exports').locator('.export-line')
const phase = (page: Page) => exports(page).first().getAttribute('data-phase')

/** What the page gives to the user when it is asked to export. */
async function taken(page: Page) {
  const found = await downloaded(page, () => page.getByTestId('export-now').click())
  await expect.poll(() => phase(page)).toBe('saved')
  return { name: found.name, bytes: new Uint8Array(found.bytes) }
}

it('gives a trained run away in each format, proven, and several as one archive', async () => {
  const workspace = workspaceWith('a.ts', NOTEBOOK)
  const command = async (...words: string[]) => {
    const { code, out } = await mixlab([...words, '--workspace', workspace])
    expect(code).toBe(0)
    return out.join('')
  }
  await command('run', join(workspace, 'a.ts'))
  const { page, context, troubles } = await openPage(`${(await serve(workspace)).url}#/run/1`)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.setViewportSize({ width: 1000, height: 700 })
  await page.getByTestId('export').click()
  const format = (name: string) => page.locator(`input[value=${name}]`).check()

  await format('safetensors')
  const safetensors = await taken(page)
  const { tensors, metadata } = readSafetensors(safetensors.bytes)
  expect([safetensors.name, metadata.format]).toEqual(['taken-resmlp-seed1.safetensors', 'pt'])
  const names = tensors.map(({ name }) => name)
  expect(names).toContain('blocks.1.norm1.alpha')

  // the weights of the test, with the metrics that evaluating the file gives
  const run = JSON.parse(await command('show', '1', '--json'))
  const { weights, step, tested, metrics } = JSON.parse(metadata.mixlab ?? '')
  expect([weights, step, tested]).toEqual(['best', run.metrics['chosen/step'].last, true])
  expect(step).toBeLessThan(4)
  const path = join(workspace, safetensors.name)
  writeFileSync(path, safetensors.bytes)
  const again = JSON.parse(await command('evaluate', path, '--json'))
  const said: string = await exports(page).first().innerText()
  expect(said).toMatch(
    new RegExp(`weights best on validation, after ${step} steps?; the test of the run was made with them`),
  )
  for (const name of ['test/loss', 'test/accuracy']) {
    const { value, meaning } = again.metrics[name]
    expect(metrics[name].value).toBe(value)
    expect(said).toContain(`${name} ${metricText(value, meaning)}`)
  }

  if (LONG) {
    await format('npz')
    expect(readNpz((await taken(page)).bytes, 'npz').map(({ name }) => name)).toEqual(names)
  }

  await format('onnx')
  await page.getByText('fold affine layers').click()
  await page.getByTestId('export-weights').selectOption('2')
  const onnx = decodeOnnx((await taken(page)).bytes)
  expect(JSON.parse(onnx.metadata.mixlab ?? '')).toMatchObject({ weights: 2, tested: false, changed: { folded: true } })
  await exports(page)
    .first()
    .getByText(/^read again by an interpreter of ONNX, \d+ held-out examples, largest /)
    .waitFor()
  await page.getByTestId('snippet-language').selectOption('javascript')
  await page.getByTestId('copy-snippet').click()
  await expect.poll(() => clipboard(page)).toContain("ort.InferenceSession.create('taken-resmlp-seed1.onnx')")

  if (LONG) {
    await format('tfjs')
    const tfjs = unzipSync((await taken(page)).bytes)
    const graph = JSON.parse(new TextDecoder().decode(tfjs['taken-resmlp-seed1.json']))
    const [{ paths }] = graph.weightsManifest
    expect(Object.keys(tfjs)).toEqual(expect.arrayContaining([...paths, 'taken-resmlp-seed1.json.md']))
  }

  if (LONG) {
    await format('torch')
    const torch = await taken(page)
    const files = unzipSync(torch.bytes)
    expect(torch.name).toBe('taken-resmlp-seed1-torch.zip')
    expect(new TextDecoder().decode(files['taken-resmlp-seed1.py'])).toMatch(/def load\([\s\S]*class \w+\(.*Module\)/)
    readSafetensors(files['taken-resmlp-seed1.py.safetensors'] as Uint8Array)
  }
  await page.getByText(`Exported ${LONG ? 5 : 2} times until now`).click()
  expect(
    await page
      .getByTestId('kept-exports')
      .locator('li')
      .nth(LONG ? 2 : 0)
      .innerText(),
  ).toMatch('onnx, step 2, folded')

  // by keyboard, both runs, of which one has a block of a cell; the format is the one used last
  await page.keyboard.press('Escape')
  await goTo(page, '#/runs')
  const rows = page.getByRole('checkbox', { name: /^Choose/ })
  for (const row of [rows.first(), rows.last()]) await row.check()
  await page.getByTestId('export-chosen').press('Enter')
  const [last, next] = LONG ? ['torch', 'ArrowUp'] : ['onnx', 'ArrowDown']
  await expect.poll(() => page.locator(`input[value=${last}]`).isChecked()).toBe(true)
  await page.locator(`input[value=${last}]:focus`).press(next)
  const both = await downloaded(page, () => page.keyboard.press('Enter'))
  expect(both.name).toBe('taken-2-runs.zip')
  const folders = Object.keys(unzipSync(new Uint8Array(both.bytes))).map((name) => name.split('/')[0])
  expect(new Set(folders)).toEqual(new Set(['taken-resmlp-seed1', 'taken-own-seed1']))

  // cancelled, nothing is kept
  await expect.poll(() => phase(page)).toBe('saved')
  await page.route('**/kernel-export-*', () => {}) // it never gets to work
  await page.getByTestId('export-now').click()
  await page.getByTestId('cancel-export').click()
  await exports(page).first().getByText('cancelled, nothing was saved').waitFor()
  expect(JSON.parse(await command('show', '2', '--json')).exports).toEqual([
    expect.objectContaining({ format: 'tfjs' }),
  ])
  expect(troubles).toEqual([])
})
