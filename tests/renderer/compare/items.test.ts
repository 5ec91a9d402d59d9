import { expect, it } from 'vitest'
import type { RunFilter } from '../../../engine/host.ts'
import { itemRuns, MAX_RUNS, readItems } from '../../../renderer/compare/items.ts'
import { detailsOf } from './samples.ts'

function hostWith(all: ReturnType<typeof detailsOf>[]) {
  const find = (wanted: number) => {
    const found = all.find(({ id }) => id === wanted)
    if (!found) throw new Error(`no run ${wanted}`)
    return found
  }
  return {
    listRuns: async ({ study }: RunFilter = {}) => all.filter((run) => run.study === study),
    showRun: async (reference: string) => find(reference === 'gating/mixer/1' ? 6 : 0),
    showRuns: async (ids: number[]) => ids.map(find),
  }
}

it('a study stands for the newest run of each variant and seed, finished ones before others', async () => {
  const host = hostWith([
    detailsOf(1, { seed: 1 }),
    detailsOf(2, { seed: 1 }),
    detailsOf(3, { seed: 1, status: 'failed' }),
    detailsOf(4, { seed: 2, status: 'interrupted' }),
    detailsOf(5, { seed: 2, status: 'running' }),
    detailsOf(6, { seed: 1, variant: 'mixer' }),
    detailsOf(7, { study: 'other' }),
  ])
  const found = await readItems(host, ['study:gating', '7', '2'])
  expect(found.map(({ item, runs }) => [item, runs.map(({ id }) => id)])).toEqual([
    ['study:gating', [2, 5, 6]],
    ['7', [7]],
    ['2', [2]],
  ])
  expect(itemRuns(found).map(({ id }) => id)).toEqual([2, 5, 6, 7])
  expect(itemRuns(await readItems(host, ['gating/mixer/1'])).map(({ id }) => id)).toEqual([6])
  await expect(readItems(host, ['8'])).rejects.toThrow('no run 8')
})

it('reads so many runs and no more', async () => {
  const host = hostWith(Array.from({ length: MAX_RUNS + 20 }, (_, i) => detailsOf(i + 1)))
  expect(itemRuns(await readItems(host, ['study:gating', '3']))).toHaveLength(MAX_RUNS)
})
