import { dataSize } from '../dataSize.ts'
import { depth } from '../depth.ts'
import type { Panel } from '../figure/chart.ts'
import { metricOf, resultsOf, type StoredRuns } from './source.ts'

interface Spec {
  model?: { block?: unknown; depth?: unknown }
  task?: { options?: { data?: { options?: { train?: unknown } } } }
  [other: string]: unknown
}

/** The metric against the number of blocks; none where all runs have as many. */
export async function depthOf(stored: StoredRuns): Promise<Panel[]> {
  const sized = await sizedBy(stored, ({ model }) => model?.depth, withoutDepth)
  const rows = sized.map(({ size, ...row }) => ({ ...row, depth: size }))
  return rows.length > 0 ? [(style) => depth(rows, metricOf(stored), style)] : []
}

/** The metric against the number of training examples; none where all runs have as many. */
export async function dataSizeOf(stored: StoredRuns): Promise<Panel[]> {
  const sized = await sizedBy(stored, ({ task }) => task?.options?.data?.options?.train, withoutData)
  const rows = sized.map(({ size, family, ...row }) => ({ ...row, variant: family, examples: size }))
  return rows.length > 0 ? [(style) => dataSize(rows, metricOf(stored), style)] : []
}

const withoutDepth = ({ model, ...others }: Spec): Spec => ({ ...others, model: { ...model, depth: undefined } })

/** Without the hash of the data, too, which another size has another of. */
function withoutData({ task, data: _, ...others }: Spec): Spec {
  const { options } = task ?? {}
  const sized = { ...options?.data, options: { ...options?.data?.options, train: undefined } }
  return { ...others, task: { ...task, options: { ...options, data: sized } } }
}

/** The results of the runs that say a size, with what is the same but for that and the seed, which a line joins. */
async function sizedBy(stored: StoredRuns, sizeOf: (spec: Spec) => unknown, without: (spec: Spec) => Spec) {
  const details = await stored.host.showRuns(stored.runs.map(({ id }) => id))
  const specs = new Map(details.map(({ id, spec }) => [id, spec as Spec]))
  const rows = resultsOf(stored).flatMap((row) => {
    const spec = specs.get(row.run) ?? {}
    const size = sizeOf(spec)
    if (typeof size !== 'number') return []
    const rest = JSON.stringify({ ...without(spec), seed: undefined })
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
