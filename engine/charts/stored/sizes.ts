import { dataSize } from '../dataSize.ts'
import { depth } from '../depth.ts'
import type { Chart } from '../figure/chart.ts'
import type { FigureStyle } from '../figure/figure.ts'
import { metricOf, resultsOf, type StoredRuns } from './source.ts'

interface Spec {
  model?: { block?: unknown; depth?: unknown }
  task?: { options?: { data?: { options?: { train?: unknown } } } }
}

/** The metric against the number of blocks; none where all runs have as many. */
export async function depthOf(stored: StoredRuns, style: FigureStyle): Promise<Chart[]> {
  const sized = await sizedBy(stored, ({ model }) => model?.depth, 'depth')
  const rows = sized.map(({ size, ...row }) => ({ ...row, depth: size }))
  return rows.length > 0 ? [depth(rows, metricOf(stored), style)] : []
}

/** The metric against the number of training examples; none where all runs have as many. */
export async function dataSizeOf(stored: StoredRuns, style: FigureStyle): Promise<Chart[]> {
  const sized = await sizedBy(stored, ({ task }) => task?.options?.data?.options?.train, 'train')
  const rows = sized.map(({ size, family, ...row }) => ({ ...row, variant: family, examples: size }))
  return rows.length > 0 ? [dataSize(rows, metricOf(stored), style)] : []
}

/** The results of the runs that say a size, with what is the same but for that, which a line joins. */
async function sizedBy(stored: StoredRuns, sizeOf: (spec: Spec) => unknown, name: string) {
  const details = await stored.host.showRuns(stored.runs.map(({ id }) => id))
  const specs = new Map(details.map(({ id, spec }) => [id, spec as Spec]))
  const rows = resultsOf(stored).flatMap((row) => {
    const spec = specs.get(row.run) ?? {}
    const size = sizeOf(spec)
    if (typeof size !== 'number') return []
    const rest = JSON.stringify(spec, (key, value) => (key === name || key === 'seed' ? undefined : value))
    return [{ ...row, size, rest, block: String(spec.model?.block ?? row.variant) }]
  })
  if (new Set(rows.map(({ size }) => size)).size < 2) return []
  const families = Map.groupBy(rows, ({ rest }) => rest)
  const named = new Map<string, string>()
  for (const [rest, [first]] of families) {
    const block = first?.block ?? ''
    const alike = [...families.values()].filter(([other]) => other?.block === block)
    named.set(rest, alike.length > 1 ? (first?.variant ?? '') : block)
  }
  return rows.map(({ rest, block: _, ...row }) => ({ ...row, family: named.get(rest) ?? row.variant }))
}
