import { expect, it } from 'vitest'
import type { StoredRun } from '../../../engine/records/run.ts'
import { freshFolder, mixlab, writeNotebook } from './recorder.ts'

const NOTEBOOK = (more = '', list = 'size, curve', metric = 'readout/size') => `// %% read
import { readout, readouts } from 'mixlab'
import * as tf from '@tensorflow/tfjs'
export const size = readout('size', { better: 'lower' }, ({ weights }) => tf.norm(weights['head.weight']))
export const curve = readout('norm', { when: 'evaluations' }, ({ weights }) => tf.norm(weights['head.weight']))
export const seen = readout('seen', { unit: 'share' }, async ({ measure }) => (await measure('test', 10)).accuracy)
export const lost = readout('lost', {}, () => nothing.at(0))
${more}
// %% study
import { adamw, compare, image, mixer, shapes } from 'mixlab'
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 32, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { mixer, other: { block: mixer, train: { optimizer: adamw({ learningRate: 3e-3 }) } } },
  train: { steps: 4, batch: 8, evalEvery: 2 },
  readouts: [${list}, readouts.stepTime(), readouts.atEqualMultiplyAdds('loss')],
  metric: '${metric}',
  seeds: 1,
})
`

it('read-outs are computed, judged and kept, for runs of earlier days too, in jobs as well', async () => {
  const folder = freshFolder()
  const run = (text: string, ...more: string[]) =>
    mixlab(['run', writeNotebook(folder, text), '--workspace', folder, ...more])
  const first = JSON.parse((await run(NOTEBOOK(), '--json', '--jobs', '2')).out[0] ?? '')
  expect(first).toMatchObject({ metric: 'readout/size', trained: 2, rows: [{ n: 1 }, { n: 1 }] })
  expect(first.readouts).toMatchObject(
    ['norm', 'step_time', 'loss_at_equal_macs'].map((name) => ({
      metric: `readout/${name}`,
      rows: [{ n: 1 }, { n: 1 }],
    })),
  )
  expect(first.verdicts[0].sentence).toMatch(/too few seeds to tell .* \(lower is better\)/)

  const { code, out, err } = await run(NOTEBOOK('// a comment\n', 'size, curve, seen, lost', 'readout/seen'))
  expect([code, err.includes('nothing to train: 2 of 2 runs are in the store')]).toEqual([0, true])
  expect(err.join(' ')).toMatch(/readout 'lost' failed, and is not a number: read:6: nothing is not defined/)
  expect(out).toContain('tiny: readout/seen (exploratory)')
  expect(out.find((line) => line.startsWith('variant'))).toMatch(
    /n +readout\/norm +readout\/size +readout\/lost +readout\/step_time +/,
  )
  expect(out.find((line) => line.startsWith('mixer'))).toMatch(/ - /)
  expect(out.join(' ').replace(/\s+/g, ' ')).toContain('exploratory: readout/seen reads the test, and was added when')
  const runs = JSON.parse((await mixlab(['runs', '--json', '--workspace', folder])).out[0] ?? '') as StoredRun[]
  for (const [i, { metrics }] of runs.toReversed().entries()) {
    expect(metrics['readout/size']).toMatchObject({ last: first.rows[i].mean, count: 1, meaning: { better: 'lower' } })
    expect(metrics['readout/norm']).toMatchObject({ count: 2 })
    expect(metrics['readout/step_time']?.last).toBe(first.readouts[1].rows[i].mean) // measured once
    expect(metrics['readout/loss_at_equal_macs']?.last).toBe(metrics['validation/loss']?.last)
    expect(metrics['readout/seen']?.meaning?.exploratory).toBe(true)
  }
})
