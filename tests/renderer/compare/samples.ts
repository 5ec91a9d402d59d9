import type { MetricMeaning } from '../../../engine/records/meaning.ts'
import type { MetricSummary, StoredRunDetails } from '../../../engine/records/run.ts'

/** The summary of a metric that had one value. */
export function valued(value: number, meaning?: MetricMeaning): MetricSummary {
  return { last: value, lastStep: 10, best: value, bestStep: 10, min: value, max: value, count: 1, meaning }
}

/** A finished run as the store has it. */
export function detailsOf(id: number, changes: Partial<StoredRunDetails> = {}): StoredRunDetails {
  const { seed = id } = changes
  return {
    ...{ id, key: String(id).padStart(64, '0'), study: 'gating', variant: 'gmlp', seed, status: 'done' },
    ...{
      backend: 'simd',
      device: 'a processor',
      startedAt: 0,
      endedAt: 1000,
      ms: 1000,
      step: 10,
      steps: 10,
      parameters: 5,
    },
    ...{
      macs: null,
      error: null,
      hasWeights: false,
      archived: false,
      metrics: {},
      code: '// built in: gmlp',
      origin: null,
      environment: null,
    },
    spec: { numerics: 3, data: 'd', model: { dim: 8 }, train: { batch: 8 }, seed },
    ...changes,
  }
}
