import { expect, it } from 'vitest'
import { seedStrips } from '../../../engine/charts/seedStrip.ts'
import { run, runsOf } from '../study/statistics/runs.ts'

it('draws a dot for each seed, a ring where it did not learn, a cross where it diverged', () => {
  const lost = { ...run('b', 3, 0), status: 'failed' as const, error: 'loss is NaN at step 3', metrics: {} }
  const runs = [...runsOf('a', [0.8, 0.9, 0.85]), ...runsOf('b', [0.8, 0.12]), lost]
  const input = { metric: 'test/accuracy', runs, variants: ['a', 'b', 'c'], baseline: 'a', floors: { chance: 0.1 } }
  const strips = seedStrips(input)
  expect(strips.get('a')?.match(/fill="currentColor"/g)).toHaveLength(3)
  expect(strips.get('b')).toContain('<title>seed 2: 12.00 %, has not learned</title>')
  expect(strips.get('b')).toContain('<title>seed 3: diverged</title></path>')
  expect(strips.get('c')).toBe('')
})
