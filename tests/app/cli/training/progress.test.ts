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
/** Steps of which the first takes 30 s, as only that of the first run does, and the others a second. */
const steps = (key: string, count: number) =>
  Array.from({ length: count }, (_, i) => {
    return of(key, { type: 'step', step: i + 1, ms: i === 0 ? 30_000 : 1000 }, 30_000 + 1000 * i)
  })

function line(...events: StudyEvent[]): string | undefined {
  const next = progressLine()
  return [plan, ...events].map(next).at(-1)?.()
}

it('names the run in training, how far it is, and the time left once that is known', () => {
  expect(line(begin('a'), of('a', start), ...steps('a', 5))).toBe('run 1 of 4: a, seed 1  █████░░░░░░░░░░░░░░░ 5/20')
  expect(line(begin('a'), of('a', start), ...steps('a', 9))).toBe('run 1 of 4: a, seed 1  █████████░░░░░░░░░░░ 9/20')
  const events = [begin('a'), of('a', start), ...steps('a', 10)]
  expect(line(...events)).toBe('run 1 of 4: a, seed 1  ██████████░░░░░░░░░░ 10/20  10 s left in this run')
})

it('shows the loss of each run with that run, to its end', () => {
  const loss = (value: number): TrainEvent => ({ type: 'metric', step: 5, name: 'train/loss', value })
  const events = [begin('a'), of('a', start), ...steps('a', 5), of('a', loss(0.25))]
  expect(line(...events)).toBe('run 1 of 4: a, seed 1  █████░░░░░░░░░░░░░░░ 5/20  loss 0.250')
  const over = [...events, of('a', { type: 'done', step: 20 })]
  expect(line(...over)).toContain('run 1 of 4: a, seed 1')
  expect(line(...over)).toContain('loss 0.250')
  expect(line(...over, begin('b'), of('b', start))).toBe('run 2 of 4: b, seed 1  ░░░░░░░░░░░░░░░░░░░░ 0/20')
  expect(line(...over, begin('b'), of('b', start), of('b', loss(0.5)))).toContain('loss 0.500')
})

it('says how many are in training where these are several, and the loss of none', () => {
  const loss: TrainEvent = { type: 'metric', step: 5, name: 'train/loss', value: 0.25 }
  const events = ['a', 'b'].flatMap((key) => [begin(key), of(key, start), ...steps(key, 10), of(key, loss)])
  expect(line(...events)).toBe('2 runs, 0 of 4 done  █████░░░░░░░░░░░░░░░')
  expect(line(...events, of('a', { type: 'failed', step: 10, message: 'no' }))).toContain(': a, seed 1')
})
