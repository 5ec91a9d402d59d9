import type { Store } from '../../../../app/store/index.ts'
import type { RunStart, RunStatus } from '../../../../engine/records/run.ts'
import type { RunsQuery } from '../../../../engine/runs/types.ts'
import { MEANINGS } from '../../../meanings.ts'
import { begun, sampleRun } from '../samples.ts'

/** What a sample run of a study is; its key goes by all of it. */
export interface Sample {
  study?: string
  variant?: string
  seed?: number
  learningRate?: number
  batch?: number
  status?: RunStatus
  metrics?: Record<string, number[]>
  spec?: Record<string, unknown>
  macs?: number
}

let made = 0

/** Records a run; the values of its metrics are those of steps 10, 20, ... Returns its id. */
export function addRun(store: Store, sample: Sample = {}): number {
  const { study = 'gating', variant = 'gmlp', seed = 1, learningRate = 1e-3, batch = 64, status = 'done' } = sample
  const optimizer = { optimizer: 'adamw', options: { learningRate } }
  const spec = { task: { kind: 'task', task: 'mlm' }, train: { batch, optimizer, noDecay: [] }, seed, ...sample.spec }
  const run: Partial<RunStart> = { study, variant, seed, spec, key: (++made).toString(16).padStart(64, '0') }
  const id = begun(store.beginRun(sampleRun(run)))
  const metrics = Object.entries(sample.metrics ?? {}).flatMap(([name, values]) =>
    values.map((value, i) => ({ type: 'metric' as const, name, step: 10 * (i + 1), value, meaning: MEANINGS[name] })),
  )
  store.record(id, [
    { type: 'start', steps: 100, parameters: 1000, ...(sample.macs && { macs: sample.macs }) },
    ...metrics,
  ])
  if (status === 'failed') store.record(id, [{ type: 'failed', step: 10, message: 'loss is NaN' }])
  else if (status !== 'running') store.record(id, [{ type: status, step: 100 }])
  return id
}

/** A query for everything, with changes. */
export function query(changes: Partial<RunsQuery> = {}): RunsQuery {
  return { filter: '', sort: [], columns: [], offset: 0, limit: 100, ...changes }
}
