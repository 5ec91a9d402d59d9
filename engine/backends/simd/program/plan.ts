import { type Graph, sizeOf } from '../../../compile/graph.ts'
import { pruneUnusedRows } from '../../../compile/pruneUnusedRows.ts'
import { recompute } from '../../../compile/recompute.ts'
import type { Exports } from '../binary.ts'
import { GROUPS, keepsBits } from '../kernels/matmulGroups.ts'
import { convolutions } from './convolutions.ts'
import { type EncodedStage, encodeStage } from './encode.ts'
import { fuseAttention } from './fuseAttention.ts'
import { fuseHead } from './fuseHead.ts'
import { groupSums } from './groups.ts'
import type { Cut, Rows } from './instruction.ts'
import { asMasks } from './masks.ts'
import { splitNorms } from './norms.ts'
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

/**
 * Plans a graph whose inputs have `batch` examples along their first axes, for so many threads; nothing is allocated. Its
 * results have the same bits for any number of threads.
 */
export function planOf(recorded: Graph, batch: number, wasm: Exports, threads: number): Plan {
  const fused = fuseHead(pruneQueries(fuseAttention(pruneUnusedRows(recorded, keepsBits), batch)), wasm)
  const split = splitSums(recompute(asMasks(fused)))
  const cut: Cut = { ...chunksOf(split, batch, threads), batch, wasm }
  const graph = shareSlopes(groupSums(splitNorms(split, cut), cut), cut)
  let values = graph.values
  const number = () => values++
  const steps = stages(graph, cut).map((step) => {
    return { ...step, encoded: 'operations' in step.work ? encodeStage(step.work, number) : null }
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
 * and where that is possible as many for each group of sums. Where whole examples would leave threads idle, chunks are rows.
 */
function chunksOf(graph: Graph, batch: number, threads: number): Pick<Cut, 'chunks' | 'rows'> {
  const largest = Math.max(
    ...graph.operations.flatMap(({ outputs }) => outputs.map((use) => (use.shape[0] === batch ? sizeOf(use) : 0))),
  )
  const fitting = Math.ceil((4 * largest) / CHUNK_BYTES)
  const least = Math.max(fitting, GROUPS)
  const step = batch % GROUPS === 0 ? GROUPS : 1
  for (let chunks = step; chunks < batch; chunks += step) {
    if (batch % chunks === 0 && chunks >= least) return { chunks }
  }
  const busy = batch / (threads * Math.ceil(batch / threads)) // part of the time of all threads
  const rows = batch < GROUPS && busy < BUSY && largest >= WORTH_ROWS ? rowsOf(graph, batch, least) : null
  return rows ? { chunks: batch * Math.ceil(rows.tokens / rows.each), rows } : { chunks: batch }
}

/** Where threads with whole examples are busy for less of the time, chunks are rows. */
const BUSY = 0.85
/** Elements of the largest value below which chunks of rows take threads longer to share out than to compute. */
const WORTH_ROWS = 2 ** 15
/** Rows of a chunk at least: the right matrix of a product of fewer is not packed. */
const LEAST_ROWS = 16

/** So many rows that there are `wanted` chunks, of what most values have along their second axis; null where these are too few to cut. */
function rowsOf(graph: Graph, batch: number, wanted: number): Rows | null {
  const elements = new Map<number, number>()
  for (const use of graph.operations.flatMap(({ outputs }) => outputs)) {
    const [first, tokens] = use.shape
    if (first !== batch || tokens === undefined || use.shape.length < 3) continue
    elements.set(tokens, (elements.get(tokens) ?? 0) + sizeOf(use))
  }
  if (graph.operations.some(({ kernel }) => kernel in convolutions)) return null // they see rows beside their own
  const [tokens] = [...elements].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0])
  const each = Math.max(LEAST_ROWS, Math.ceil(tokens / Math.ceil(wanted / batch)))
  return tokens > each ? { tokens, own: each, each } : null
}
