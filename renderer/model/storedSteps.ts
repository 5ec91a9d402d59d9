import type { StepTimeRow } from '../../engine/charts/stepTimes.ts'
import type { Diagram } from '../../engine/diagram/diagram.ts'
import { blockCosts } from '../../engine/diagram/sizes.ts'
import type { StoredRun } from '../../engine/records/run.ts'
import { STEP_MS } from '../../engine/train/timings.ts'
import { host } from '../host/state.ts'

/**
 * How long the steps of stored runs took, of those that ended and whose model is one of these diagrams: it has the name
 * of one, and as many parameters and multiply-adds. In the order in which they were begun.
 */
export async function storedSteps(
  runs: readonly StoredRun[],
  diagramOf: (run: StoredRun) => Diagram | undefined,
): Promise<StepTimeRow[]> {
  const begun = runs.toSorted((a, b) => a.id - b.id)
  const known = begun.flatMap((run) => {
    const diagram = run.status === 'done' ? diagramOf(run) : undefined
    const costs = diagram && blockCosts(diagram)
    return costs && isOf(run, diagram) ? [{ run, model: diagram.name, sizes: costs.sizes }] : []
  })
  if (known.length === 0) return []
  const ids = known.map(({ run }) => run.id)
  const [details, series] = await Promise.all([host().showRuns(ids), host().readSeries(ids, STEP_MS)])
  return known.flatMap(({ run: { id, seed, backend }, model, sizes }) => {
    const { train } = (details.find((each) => each.id === id)?.spec ?? {}) as { train?: { batch?: number } }
    const ms = median(series.find(({ run }) => run === id)?.values ?? [])
    return ms === null ? [] : [{ model, sizes, ms, batch: train?.batch ?? Number.NaN, backend, run: id, seed }]
  })
}

function isOf({ parameters, macs }: StoredRun, { totals }: Diagram): boolean {
  return parameters === totals.parameters && (macs === null || macs === totals.macs)
}

function median(values: readonly number[]): number | null {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? null
}
