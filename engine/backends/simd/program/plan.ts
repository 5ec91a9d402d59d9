import { type Graph, sizeOf } from '../../../compile/graph.ts'
import { pruneUnusedRows } from '../../../compile/pruneUnusedRows.ts'
import { recompute } from '../../../compile/recompute.ts'
import type { Exports } from '../binary.ts'
import { GROUPS, keepsBits } from '../kernels/matmulGroups.ts'
import { type EncodedStage, encodeStage } from './encode.ts'
import { fuseAttention } from './fuseAttention.ts'
import { fuseHead } from './fuseHead.ts'
import { groupSums } from './groups.ts'
import type { Cut } from './instruction.ts'
import { asMasks } from './masks.ts'
import { pruneQueries } from './pruneQueries.ts'
import { shareSlopes } from './slopes.ts'
import { type ProgramStep, stages } from './stages.ts'
import { splitSums } from './sums.ts'

/** How a graph is run. */
export interface Plan {
  graph: Graph
  cut: Cut
  /** How many values there are, packed matrices included. */
  values: number
  /** In their order; stages are encoded. */
  steps: (ProgramStep & { encoded: EncodedStage | null })[]
  /** Bytes that each thread needs for what passes within a stage. */
  arenaBytes: number
}

/** Bytes that chunks aim at: what passes within a stage shall stay in the L2 cache. */
const CHUNK_BYTES = 524_288

/** Plans a graph whose inputs have `batch` examples along their first axes; nothing is allocated. */
export function planOf(recorded: Graph, batch: number, wasm: Exports): Plan {
  const fused = fuseHead(pruneQueries(fuseAttention(pruneUnusedRows(recorded, keepsBits), batch)), wasm)
  const split = splitSums(recompute(asMasks(fused)))
  const cut: Cut = { chunks: chunksOf(split, batch), batch, wasm }
  const graph = shareSlopes(groupSums(split, cut), cut)
  let values = graph.values
  const number = () => values++
  const steps = stages(graph, cut).map((step) => {
    return { ...step, encoded: 'operations' in step.work ? encodeStage(step.work, cut, number) : null }
  })
  const arenaBytes = Math.ceil(Math.max(64, ...steps.map(({ encoded }) => encoded?.arenaBytes ?? 0)) / 4096) * 4096
  return { graph, cut, values, steps, arenaBytes }
}

/** Most bytes that a program holds at once on so many threads, its inputs and outputs included. */
export function peakOf({ graph, values, steps, arenaBytes }: Plan, threads: number): number {
  const sizes = new Map<number, number>()
  let live = 4 * values + threads * arenaBytes
  for (const { encoded } of steps) if (encoded) live += 8 * encoded.numbers.length + 4 * encoded.words.length
  const hold = (value: number, size: number) => {
    sizes.set(value, 4 * size)
    live += 4 * size
  }
  const drop = (value: number) => {
    live -= sizes.get(value) ?? 0
    sizes.delete(value)
  }
  const given = [...Object.values(graph.inputs), ...[...graph.constants, ...graph.draws].map(({ use }) => use)]
  for (const use of given) hold(use.value, sizeOf(use))
  let peak = live
  for (const { work, last, encoded } of steps) {
    const packings = encoded?.packings ?? []
    for (const use of work.outputs) hold(use.value, sizeOf(use))
    for (const { value, size } of packings) hold(value, size)
    peak = Math.max(peak, live)
    for (const { value } of packings) drop(value)
    for (const value of last) drop(value)
  }
  return peak
}

/**
 * How many chunks: few, so that each has many rows, but not so few that they leave the cache or that threads have none,
 * and where that is possible as many for each group of sums.
 */
function chunksOf(graph: Graph, batch: number): number {
  const largest = Math.max(
    ...graph.operations.flatMap(({ outputs }) => outputs.map((use) => (use.shape[0] === batch ? sizeOf(use) : 0))),
  )
  const fitting = Math.ceil((4 * largest) / CHUNK_BYTES)
  const least = Math.max(fitting, GROUPS)
  const step = batch % GROUPS === 0 ? GROUPS : 1
  for (let chunks = step; chunks < batch; chunks += step) {
    if (batch % chunks === 0 && chunks >= least) return chunks
  }
  return batch
}
