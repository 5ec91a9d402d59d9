import { expect, it } from 'vitest'
import { trainingLine } from '../../../renderer/study/trainingLine.ts'
import { paceOf as pace, runView, studyView } from './studies.ts'

it('tells the run in training, its speed, and the time left for the study', () => {
  const study = studyView({ plain: [0.5], gmlp: [] })
  expect(trainingLine(study)).toBeNull()
  const run = runView(7, 'gmlp', 2, 0, { status: 'running', step: 0, steps: 0, metrics: {} })
  const line = (...runs: Parameters<typeof runView>[4][]) =>
    trainingLine({ ...study, runs: [...study.runs, ...runs.map((change) => ({ ...run, ...change }))] })
  expect(line({})).toBe('gmlp, seed 2: starting')
  const at = { step: 120, steps: 600 }
  expect(line(at)).toBe('gmlp, seed 2: step 120 of 600')
  expect(line({ ...at, pace: pace(26.3) })).toBe('gmlp, seed 2: step 120 of 600 · 38 steps/s · 13 s left')
  const waiting = { status: 'waiting' as const, key: 'w', steps: 0, step: 0 }
  expect(line({ ...at, pace: pace(125) }, waiting)).toBe(
    'gmlp, seed 2: step 120 of 600 · 8.0 steps/s · 2 min 15 s left',
  )
  expect(line({ ...at, step: 599, pace: pace(10) })).toContain('100 steps/s · less than a second left')
  expect(line({ ...at, pace: pace(4000) }, { ...at, key: 'b' })).toContain('seed 2 and 1 more: step 120 of 600 · 0.25')
})
