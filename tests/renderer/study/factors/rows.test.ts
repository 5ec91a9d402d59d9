import { expect, it } from 'vitest'
import type { Crossing } from '../../../../engine/study/design/crossing.ts'
import { factorRows } from '../../../../renderer/study/factors/rows.ts'
import { type Chosen, doneRuns } from '../../../../renderer/study/table/values.ts'
import { ACCURACY } from '../../../meanings.ts'
import { runView, studyView } from '../studies.ts'

const crossing: Crossing = {
  factors: [{ name: 'lr', levels: [1, 2] }],
  levels: new Map([1, 2].map((lr) => [`lr=${lr}`, { lr }])),
  others: ['base'],
}
const chosen: Chosen = { metric: 'test/accuracy', meaning: ACCURACY, choice: 'last', atStep: new Map() }

it('has a row per planned run, with a value where it is complete', () => {
  const study = studyView({ 'lr=1': [0.5], 'lr=2': [0.6], base: [0.7] })
  study.runs.push(runView(102, 'lr=2', 2, 0.9, { status: 'failed' }))
  const planned = ['lr=1', 'lr=2', 'base'].flatMap((variant) => [1, 2].map((seed) => ({ variant, seed, key: 'k' })))
  const rows = factorRows(crossing, planned, doneRuns(study), chosen)
  expect(rows).toEqual([
    { levels: { lr: 1 }, seed: 1, run: 1, value: 0.5 },
    { levels: { lr: 1 }, seed: 2, run: null, value: null },
    { levels: { lr: 2 }, seed: 1, run: 101, value: 0.6 },
    { levels: { lr: 2 }, seed: 2, run: null, value: null },
  ])
  const best = factorRows(crossing, planned, doneRuns(study), { ...chosen, choice: 'best' })
  expect(best[0]?.value).toBe(0.51)
  const other = factorRows(crossing, planned, doneRuns(study), { ...chosen, metric: 'test/loss' })
  expect(other.map(({ value }) => value)).toEqual([null, null, null, null])
})
