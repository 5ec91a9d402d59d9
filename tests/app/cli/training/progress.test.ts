import { expect, it } from 'vitest'
import { progressLine } from '../../../../app/cli/training/progress.ts'
import type { TrainEvent } from '../../../../engine/records/events.ts'
import type { StudyEvent } from '../../../../engine/records/run.ts'
import { designOf } from '../../../designs.ts'

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
const plan: StudyEvent = {
  type: 'plan',
  study: 's',
  metric: 'm',
  variants: [],
  design: designOf('s'),
  runs: ['a', 'b', 'c', 'd'].map(run),
}
const begin = (key: string): StudyEvent => ({ type: 'begin', key, id: 1, backend: 'cpu' })
const of = (key: string, event: TrainEvent, ms = 0): StudyEvent => ({ type: 'run', key, id: 1, event, ms })
const start: TrainEvent = { type: 'start', steps: 20, parameters: 1 }
/** Steps of which the first takes 30 s and the others a second. */
const steps = (key: string, count: number) =>
  Array.from({ length: count }, (_, i) => {
    return of(key, { type: 'step', step: i + 1, ms: i === 0 ? 30_000 : 1000 }, 30_000 + 1000 * i)
  })

function line(...events: StudyEvent[]): string | undefined {
  const next = progressLine()
  return [plan, ...events].map(next).at(-1)
}

it('tells which run is in training, how far it is, and the time for all, in which the first steps do not count', () => {
  expect(line(begin('a'), of('a', start), ...steps('a', 5))).toBe('run 1 of 4: a, seed 1  █████░░░░░░░░░░░░░░░ 5/20')
  const events = [begin('a'), of('a', start), ...steps('a', 10)]
  expect(line(...events)).toBe('run 1 of 4: a, seed 1  ██████████░░░░░░░░░░ 10/20  1 min 10 s left')
  const loss: TrainEvent = { type: 'metric', step: 5, name: 'train/loss', value: 0.25 }
  expect(line(...events, of('a', loss))).toContain('loss 0.250')
  const rest = [of('a', { type: 'done', step: 20 }), begin('b'), of('b', start)]
  expect(line(...events, ...rest)).toBe('run 2 of 4: b, seed 1  ░░░░░░░░░░░░░░░░░░░░ 0/20  1 min left')
})

it('tells how many are in training where these are several', () => {
  const events = ['a', 'b'].flatMap((key) => [begin(key), of(key, start), ...steps(key, 10)])
  expect(line(...events)).toBe('2 runs, 0 of 4 done  █████░░░░░░░░░░░░░░░  30 s left')
  expect(line(...events, of('a', { type: 'failed', step: 10, message: 'no' }))).toMatch(/: a, seed 1 .* 30 s left$/)
})
