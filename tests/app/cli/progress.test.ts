import { expect, it } from 'vitest'
import { progressLine } from '../../../app/cli/progress.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { StudyEvent } from '../../../engine/records/run.ts'

const run = (key: string) => ({
  key,
  study: 's',
  variant: key,
  seed: 1,
  spec: {},
  code: '',
  done: null,
  resumesAt: null,
})
const plan: StudyEvent = { type: 'plan', study: 's', metric: 'm', variants: [], runs: ['a', 'b', 'c', 'd'].map(run) }
const begin = (key: string): StudyEvent => ({ type: 'begin', key, id: 1, backend: 'cpu' })
const of = (key: string, event: TrainEvent): StudyEvent => ({ type: 'run', key, id: 1, event, ms: 0 })
const start: TrainEvent = { type: 'start', steps: 10, parameters: 1 }

function line(...events: StudyEvent[]): string | undefined {
  const next = progressLine()
  return [plan, ...events].map(next).at(-1)
}

it('tells which run is in training, how far it is, and the time for all', () => {
  const events = [begin('a'), of('a', start), of('a', { type: 'step', step: 5, ms: 1000 })]
  expect(line(...events)).toBe('run 1 of 4: a, seed 1  ██████████░░░░░░░░░░ 5/10  35 s left')
  const loss: TrainEvent = { type: 'metric', step: 5, name: 'train/loss', value: 0.25 }
  expect(line(...events, of('a', loss))).toContain('loss 0.250')
  const rest = [of('a', { type: 'done', step: 10 }), begin('b'), of('b', start)]
  expect(line(...events, ...rest)).toBe('run 2 of 4: b, seed 1  ░░░░░░░░░░░░░░░░░░░░ 0/10  30 s left')
})

it('tells how many are in training where these are several', () => {
  const events = ['a', 'b'].flatMap((key) => [begin(key), of(key, start), of(key, { type: 'step', step: 5, ms: 1000 })])
  expect(line(...events)).toBe('2 runs, 0 of 4 done  █████░░░░░░░░░░░░░░░  15 s left')
})
