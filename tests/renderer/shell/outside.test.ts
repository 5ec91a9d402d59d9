import { expect, it } from 'vitest'
import { EMPTY_OUTPUT } from '../../../renderer/protocol/output.ts'
import type { RunView, StudyView } from '../../../renderer/protocol/study.ts'
import { type CellState, IDLE } from '../../../renderer/session/state.ts'
import { type Outside, outsideOf, titleOf } from '../../../renderer/shell/outside.ts'

const run = (changes: Partial<RunView>): RunView => ({
  ...{ key: 'k', variant: 'a', seed: 1, id: 1, status: 'running', cached: false, backend: 'simd', step: 0 },
  ...{ steps: 100, ms: 0, error: null, hasWeights: false, metrics: {} },
  ...changes,
})
const study = (...runs: RunView[]): StudyView => ({ study: 'gating', metric: 'm', variants: ['a'], blocks: {}, runs })
const states = (phase: CellState['phase'], ...studies: StudyView[]) => ({
  states: { a: IDLE, b: { ...IDLE, phase, output: { ...EMPTY_OUTPUT, studies } } },
})

it('shows how far the study in training is, and how it has ended', () => {
  const half = study(run({ step: 50 }))
  const training = outsideOf(states('running', half), null)
  expect(training).toEqual({ study: 'gating', fraction: 0.5, ended: null })
  expect(titleOf(training)).toBe('50% gating – Mixlab')
  const all = study(run({ status: 'done', step: 100 }))
  expect(outsideOf(states('running', all), training)).toBe(training) // its tests are evaluated, or the next study begins
  const endings = (['done', 'failed', 'interrupted'] as const).map((phase) => outsideOf(states(phase, all), training))
  expect(endings.map(titleOf)).toEqual(['✓ gating – Mixlab', '✗ gating – Mixlab', '■ gating – Mixlab'])
  expect(endings.map((each) => each?.fraction)).toEqual([null, null, null])
})

it('shows nothing without training, and keeps what has ended', () => {
  expect(titleOf(outsideOf(states('done', study(run({ status: 'done' }))), null))).toBe('Mixlab')
  expect(outsideOf(states('running'), null)).toBeNull()
  const ended: Outside = { study: 'gating', fraction: null, ended: 'done' }
  expect(outsideOf(states('done'), ended)).toBe(ended)
})
