import { expect, it } from 'vitest'
import type { Diagram } from '../../../engine/diagram/diagram.ts'
import type { Host } from '../../../engine/host.ts'
import type { StoredRun, StoredRunDetails } from '../../../engine/records/run.ts'
import { STEP_MS } from '../../../engine/train/timings.ts'
import { useConnection } from '../../../renderer/host/state.ts'
import { storedSteps } from '../../../renderer/model/storedSteps.ts'

const operation = { scopes: ['blocks.0'], shapes: [[1, 16, 8]], macs: 5 }
const diagram = {
  name: 'gmlp',
  operations: [operation, operation],
  blockEnds: [1, 2],
  totals: { parameters: 100, macs: 10 },
} as unknown as Diagram

const run = { variant: 'gmlp', status: 'done', parameters: 100, macs: 10, backend: 'simd', seed: 1 }
const runs = [
  { ...run, id: 7, seed: 2 },
  { ...run, id: 3 },
  { ...run, id: 4, status: 'running' },
  { ...run, id: 5, parameters: 101 },
  { ...run, id: 6, macs: 11 },
  { ...run, id: 8, variant: 'other' },
  { ...run, id: 9, macs: null },
] as unknown as StoredRun[]

it('has the median step of each run that ended and is of the same model, the first begun first', async () => {
  const asked: unknown[] = []
  const host: Partial<Host> = {
    showRuns: async (ids) => ids.map((id) => ({ id, spec: { train: { batch: 4 } } }) as unknown as StoredRunDetails),
    readSeries: async (ids, metric) => {
      asked.push([ids, metric])
      // one of the runs has no times, another one a step that was none
      return [
        { run: 3, steps: [1, 2, 3], values: [9, 2, 3] },
        { run: 7, steps: [1, 2], values: [Number.NaN, 5] },
      ]
    },
  }
  useConnection.setState({ host: host as Host })
  const sizes = { tokens: 16, width: 8, depth: 2 }
  const row = { model: 'gmlp', sizes, batch: 4, backend: 'simd' }
  const of = ({ variant }: StoredRun) => (variant === 'gmlp' ? diagram : undefined)
  expect(await storedSteps(runs, of)).toEqual([
    { ...row, ms: 3, run: 3, seed: 1 },
    { ...row, ms: 5, run: 7, seed: 2 },
  ])
  expect(asked).toEqual([[[3, 7, 9], STEP_MS]])
  expect(await storedSteps([], of)).toEqual([])
})
