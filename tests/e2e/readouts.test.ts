import { expect, it } from 'vitest'
import { LONG } from '../long.ts'
import { openNotebook, setCell } from './workbench.ts'

const READ = (body: string, more = '') => `import { readout, readouts } from 'mixlab'
import * as tf from '@tensorflow/tfjs'
export const size = readout('size', { better: 'lower' }, ({ weights }) => ${body})
export const list = [size${more}]`

const NOTEBOOK = `// %% read
${READ("tf.norm(weights['head.weight'])")}

// %% study
import { compare, gmlp, image, mixer, shapes } from 'mixlab'
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { mixer, gmlp },
  train: { steps: 4, batch: 8 },
  readouts: list,
  metric: 'readout/size',
  seeds: 1,
})
`

it.runIf(LONG)(
  'a read-out is compared, and another one of the test is exploratory, without training again',
  async () => {
    const { page } = await openNotebook(NOTEBOOK)
    await page.setViewportSize({ width: 1000, height: 700 })
    const means = () => page.getByTestId('mean').allInnerTexts()
    await page.getByTestId('run-all').click()
    await expect.poll(means).toEqual([expect.stringMatching(/^0\.0\d+/), expect.stringMatching(/^0\.0\d+/)])
    const table = page.getByTestId('variants')
    expect(await table.innerText()).toContain('readout/size')

    const seen = ", readout('seen', {}, async ({ measure }) => (await measure('test', 10)).loss), readouts.stepTime()"
    await setCell(page, 'read', READ("tf.norm(weights['head.weight'])", seen))
    await page.getByTestId('run-all').click()
    await expect.poll(() => page.getByTestId('summary').innerText()).toContain('nothing to train: 2 of 2 runs')
    const options = () => page.getByTestId('metric').locator('option').allInnerTexts()
    await expect.poll(options).toContain('readout/seen (exploratory)')
    await expect.poll(options).toContain('readout/step_time')
    await page.getByTestId('metric').selectOption('readout/seen')
    await expect.poll(() => table.innerText()).toContain('readout/seen (exploratory)')
    await expect.poll(() => table.innerText()).toContain('exploratory: readout/seen reads the test')
  },
)
