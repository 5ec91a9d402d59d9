import { expect, it } from 'vitest'
import { eventsOf, generatedRuns, METRICS } from './generated.ts'

it('makes up as many runs and points as asked, the same each time', () => {
  const runs = [...generatedRuns(3000, 1_000_000)]
  expect(new Set(runs.map(({ start }) => start.key)).size).toBe(3000)
  expect(runs.filter(({ points }) => points > (runs.at(-1)?.points ?? 0))).toHaveLength(10)
  const points = runs.reduce((sum, run) => sum + run.points * METRICS.length, 0)
  expect(Math.abs(points - 1_000_000)).toBeLessThan(20_000)
  expect([...generatedRuns(3000, 1_000_000)]).toEqual(runs)
  for (const run of [runs[0], runs[49]]) {
    if (!run) throw new Error('a run is missing')
    expect(eventsOf(run, 0, run.points)).toEqual(eventsOf(run, 0, run.points))
    expect(eventsOf(run, 0, run.points)).toHaveLength(run.points * METRICS.length)
  }
})
