import { expect, it } from 'vitest'
import { LONG } from '../long.ts'
import { openNotebook, run } from './workbench.ts'

const NOTEBOOK = `// %% study
import * as tf from '@tensorflow/tfjs'
import { block, compare, dense, gmlp, image, mul, residual, shapes } from 'mixlab'
const values = block('values', (x, { dim }) => {
  return residual(x, mul(dense(x, dim), x.dataSync()[0] > 0 ? 1 : 2))
})
const odd = block('odd', (x, { dim }) => residual(x, tf.atan2(dense(x, dim), x)))
const broken = block('broken', (x) => notThere(x))
export const study = compare('told before', {
  task: image({ data: shapes({ size: 16, train: 16, test: 4 }) }),
  model: { patch: 4, dim: 8, depth: 2 },
  variants: { gmlp, values, odd, broken },
  train: { steps: 20_000, batch: 4 },
  seeds: 1,
})
`

it.runIf(LONG)(
  'says beside each variant, before any is trained, what it is, whether it is a program and leaves, and else the line',
  async () => {
    const { page, troubles } = await openNotebook(NOTEBOOK)
    await page.setViewportSize({ width: 1000, height: 700 })
    await page.evaluate(() => {
      const watch = new MutationObserver(() => {
        const rows = [...document.querySelectorAll('[data-testid="variants"] [data-variant]')]
        const found = rows.map((row) => [
          row.querySelector('[data-testid="preflight"]')?.textContent ?? '',
          row.querySelector('tr td:last-child')?.textContent ?? '',
        ])
        if (!found.some(([known]) => known)) return
        watch.disconnect()
        document.body.dataset.said = JSON.stringify(found)
      })
      watch.observe(document.body, { childList: true, subtree: true })
    })
    await run(page, 'study')
    const said = await page.waitForFunction(() => document.body.dataset.said)
    const leaves = 'leaves as ONNX, PyTorch and TF.js'
    expect(JSON.parse(String(await said.jsonValue()))).toEqual([
      [
        `2,434 parameters, 36,944 multiply-adds, runs as a program, ${leaves}`,
        expect.stringMatching(/waiting|running/),
      ],
      [`642 parameters, runs operation by operation (study:4: reads values of a tensor), ${leaves}`, 'waiting'],
      [
        "642 parameters, 8,272 multiply-adds, runs as a program, leaves as safetensors and npz alone (study:6: no operation 'Atan2')",
        'waiting',
      ],
      ['fails before its first step: study:7: notThere is not defined', 'waiting'],
    ])

    const lines = page.getByTestId('preflight')
    expect(await lines.count()).toBe(4)
    const wide = await lines.evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length)
    expect(wide).toBe(0)
    expect(troubles).toEqual([])
  },
)
