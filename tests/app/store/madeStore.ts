import BetterSqlite3 from 'better-sqlite3'
import { openWorkspace } from '../../../app/workspace/index.ts'
import { histogramOf } from '../../../engine/records/histogram.ts'
import { packOutcomes } from '../../../engine/records/outcomes/pack.ts'
import { begun, freshWorkspace, metricEvents, sampleRun, storeAt } from './samples.ts'

export const origin = { notebook: 'a.ts', cell: 'a', name: 'study', source: 'text', quick: false }
export const environment = {
  ...{ mixlab: '0', runtime: 'node', platform: 'linux', architecture: 'x64', adapter: 'one', tfjs: '4' },
  ...{ cores: 2, threads: 1, numerics: 1 },
}
const weights = new Uint8Array([1])
const spread = { w: histogramOf([1, 2]) }
const test = { kind: 'numbers' as const, tested: 1, index: [0], lossName: 'squared error', loss: [2] }
/** Outcomes of one example. */
export const outcomes = packOutcomes({ test }) ?? new Uint8Array()

/** A store with a run that is done, one that has failed and one in training, each with something of everything. */
export function madeStore() {
  const folder = freshWorkspace()
  const store = storeAt(folder)
  const make = (variant: string) => {
    const id = begun(store.beginRun(sampleRun({ variant, origin, environment })))
    store.record(id, [
      { type: 'start', steps: 2, parameters: 1, macs: 1 },
      ...metricEvents('loss', 0, 3),
      { type: 'checkpoint', step: 2, weights, best: weights, state: weights },
      { type: 'snapshot', step: 2, weights },
      { type: 'histograms', step: 2, weights: spread, gradients: {} },
      { type: 'report', step: 2, report: {} },
      { type: 'outcomes', step: 2, outcomes },
    ])
    return id
  }
  const [done, failed, running] = [make('done'), make('failed'), make('running')]
  store.record(done, [{ type: 'done', step: 2 }])
  store.record(failed, [{ type: 'failed', step: 2, message: 'no' }])
  const raw = new BetterSqlite3(openWorkspace(folder).database)
  return { folder, store, raw, done, failed, running }
}
