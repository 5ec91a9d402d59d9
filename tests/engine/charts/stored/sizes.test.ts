import { expect, it } from 'vitest'
import { dataSizeOf, depthOf } from '../../../../engine/charts/stored/sizes.ts'
import type { StoredRuns } from '../../../../engine/charts/stored/source.ts'
import { style } from '../style.ts'

interface Sizes {
  block: string
  depth: number
  train: number
  rate?: number
}

/** Stored runs of these sizes, each of a variant of its own. */
function stored(sizes: Sizes[]): StoredRuns {
  const runs = sizes.map((_, i) => ({ id: i + 1, variant: `v${i + 1}`, seed: 1, metrics: { acc: { last: 0.5 } } }))
  const specs = sizes.map(({ block, depth, train, rate = 1 }, i) => ({
    id: i + 1,
    spec: {
      data: `hash of ${train}`,
      seed: i,
      model: { block, depth },
      train: { rate },
      task: { options: { data: { options: { train } } } },
    },
  }))
  return { host: { showRuns: async () => specs }, runs, metric: 'acc', meanings: {} } as unknown as StoredRuns
}

const sizes: Sizes[] = [
  { block: 'gmlp', depth: 1, train: 10 },
  { block: 'gmlp', depth: 2, train: 10 },
  { block: 'mixer', depth: 1, train: 10 },
  { block: 'mixer', depth: 1, train: 20 },
]
const names = (charts: Awaited<ReturnType<typeof depthOf>>) =>
  charts[0]?.(style).figure.data.flatMap((trace) => ('name' in trace ? [trace.name] : []))

it('joins runs that differ in depth alone, or in the size of their data alone', async () => {
  expect(names(await depthOf(stored(sizes.slice(0, 3))))).toEqual(['gmlp', 'mixer'])
  expect(names(await dataSizeOf(stored(sizes.slice(2))))).toEqual(['mixer'])
  const rates = sizes.slice(0, 2).map((each, i) => ({ ...each, rate: i }))
  expect(names(await depthOf(stored(rates)))).toEqual(['v1', 'v2'])
})

it('has nothing to show of one size', async () => {
  expect(await depthOf(stored(sizes.slice(2)))).toEqual([])
  expect(await dataSizeOf(stored(sizes.slice(0, 3)))).toEqual([])
})
