import { expect, it } from 'vitest'
import type { RunFilter } from '../../../engine/host.ts'
import type { RunGroup, RunsQuery } from '../../../engine/runs/types.ts'
import { relativesOf } from '../../../renderer/run/Related.tsx'
import { detailsOf } from '../compare/samples.ts'

const all = [
  detailsOf(1, { seed: 3 }),
  detailsOf(2, { seed: 1 }),
  detailsOf(3, { seed: 2 }), // of another configuration
  detailsOf(4, { seed: 1, variant: 'mixer', status: 'failed' }),
  detailsOf(5, { seed: 1, variant: 'mixer' }),
  detailsOf(6, { seed: 2, variant: 'mixer' }),
]
const group = (runs: number[]): RunGroup => ({ study: 'gating', variant: 'gmlp', baseline: false, runs, values: [] })
const asked: RunsQuery[] = []
const hostWith = (baselines: Record<string, string>) => ({
  groupRuns: async (query: RunsQuery) => {
    asked.push(query)
    return { total: 2, rows: [group([2, 1]), group([3])] }
  },
  listRuns: async ({ variant }: RunFilter = {}) => all.filter((run) => run.variant === variant),
  baselines: async () => baselines,
})

it('finds the other seeds of a configuration, and the baseline with the same seed', async () => {
  const { siblings, baseline } = await relativesOf(hostWith({ gating: 'mixer' }), detailsOf(2, { seed: 1 }))
  expect(siblings.map(({ id }) => id)).toEqual([1])
  expect(baseline?.id).toBe(5)
  expect(asked.at(-1)?.filter).toBe('study:"gating" variant:"gmlp" archived:yes,no')
})

it.each([[{}], [{ gating: 'gmlp' }], [{ other: 'mixer' }]])(
  'has no baseline without another pinned: %j',
  async (pinned) => {
    expect((await relativesOf(hostWith(pinned), detailsOf(2, { seed: 1 }))).baseline).toBeNull()
  },
)

it('has none where that has no such seed', async () => {
  expect((await relativesOf(hostWith({ gating: 'mixer' }), detailsOf(1, { seed: 3 }))).baseline).toBeNull()
})
