import * as tf from '@tensorflow/tfjs-core'
import { type Graph, sizeOf, type Use } from '../../../compile/graph.ts'
import { narrow } from '../../../compile/narrow.ts'
import type { Program } from '../../../compile/program.ts'
import { recompute } from '../../../compile/recompute.ts'
import type { SimdBackend } from '../backend.ts'
import { GROUPS, keepsBits } from '../kernels/matmulGroups.ts'
import { type Encoded, encodeAll, encodeStage, type Packing } from './encode.ts'
import { groupSums } from './groups.ts'
import type { Cut } from './instruction.ts'
import { shareSlopes } from './slopes.ts'
import { type Stage, type Step, stages } from './stages.ts'
import { splitSums } from './sums.ts'

/** Bytes that chunks aim at: what passes within a stage shall stay in the L2 cache. */
const CHUNK_BYTES = 524_288
/** Tasks for each thread: enough that none waits long for another. */
const TASKS = 8

/**
 * Makes a program of a graph whose inputs have `batch` examples along their first axes. Its stages run one chunk of
 * examples after the other through many operations, so that most values never leave the cache. The bits are those of
 * the same kernels run one by one, for any number of threads.
 */
export function createProgram(backend: SimdBackend, recorded: Graph, batch: number): Program {
  const { wasm, pool } = backend
  const split = splitSums(recompute(narrow(recorded, keepsBits)))
  const cut: Cut = { chunks: chunksOf(split, batch), wasm }
  const graph = shareSlopes(groupSums(split, cut), cut)
  let values = graph.values
  const steps = stages(graph, cut).map((step) => prepare(step, cut, () => values++))
  const owned: tf.TensorInfo[] = []
  const words = (size: number) => {
    const { info, address } = backend.output([size], 'int32')
    owned.push(info)
    return { address, view: () => new Int32Array(backend.buffer, address, size) }
  }

  const table = words(values)
  const free = words(1)
  free.view()[0] = 2 ** pool.threads - 1
  const arenaBytes = Math.ceil(Math.max(64, ...steps.map(({ encoded }) => encoded?.arenaBytes ?? 0)) / 4096) * 4096
  const arenas = words((pool.threads * arenaBytes) / 4)
  const install = (numbers: number[]) => {
    const { address } = words(2 * numbers.length)
    const view = new Float64Array(backend.buffer, address, numbers.length)
    view.set(numbers)
    view[0] = cut.chunks
    view.set([arenas.address, arenaBytes, free.address, table.address], 2)
    return address
  }
  const addresses = steps.map(({ encoded }) => encoded && install(encoded.numbers))
  const lists = steps.map(({ encoded }) => encoded?.packings.length && install(listOf(encoded.packings)))

  const tensors: (tf.TensorInfo | undefined)[] = []
  const set = (value: number, info: tf.TensorInfo) => {
    tensors[value] = info
    if (info.dtype !== 'float32' && info.dtype !== 'int32') return
    const address = backend.address(info) // the memory may grow, and views with it
    table.view()[value] = address
  }
  const make = ({ value, shape, dtype }: Use) => set(value, backend.output(shape, dtype as 'float32').info)
  const drop = (value: number) => {
    const info = tensors[value]
    if (info) backend.disposeData(info.dataId)
    tensors[value] = undefined
  }
  const see = ({ value, shape, dtype }: Use) => ({ dataId: tensors[value]?.dataId as object, shape, dtype })

  for (const { use, values: content } of graph.constants) {
    const info = { dataId: backend.write(content, use.shape, use.dtype), shape: use.shape, dtype: use.dtype }
    owned.push(info)
    set(use.value, info)
  }

  function runStage(stage: Stage, { packings }: Encoded, address: number, list: number): void {
    for (const use of stage.outputs) make(use)
    if (packings.length > 0) {
      for (const { value, size } of packings) make({ value, shape: [size], dtype: 'float32' })
      wasm.runEach(pool.address, packings.length, list)
    }
    const tasks = Math.min(cut.chunks, pool.threads === 1 ? 1 : TASKS * pool.threads)
    wasm.runStage(pool.address, stage.grouped ? GROUPS : tasks, address)
    for (const { value } of packings) drop(value)
  }

  function runKernel({ kernel, attributes, inputs, outputs }: Exclude<Step['work'], Stage>): void {
    const named = Object.fromEntries(Object.entries(inputs).map(([name, use]) => [name, see(use)]))
    const given = '0' in inputs ? Object.assign([], named) : named // some kernels take a list
    const config = tf.getKernel(kernel, 'simd') as tf.KernelConfig
    const results = [config.kernelFunc({ inputs: given, attrs: attributes, backend })].flat() as tf.TensorInfo[]
    for (const [i, { value }] of outputs.entries()) set(value, withoutTensor(backend, results[i] as tf.TensorInfo))
  }

  const stay = new Set([...Object.values(graph.inputs), ...graph.constants.map(({ use }) => use)].map(numberOf))

  return {
    run: (inputs, step) => {
      for (const [name, { value }] of Object.entries(graph.inputs)) set(value, inputs[name] as tf.Tensor)
      for (const { use, values } of graph.draws) {
        const { shape, dtype } = use
        set(use.value, { dataId: backend.write(values(step), shape, dtype), shape, dtype })
      }
      try {
        for (const [i, { work, last, encoded }] of steps.entries()) {
          if (encoded) runStage(work as Stage, encoded, addresses[i] as number, lists[i] as number)
          else runKernel(work as Exclude<Step['work'], Stage>)
          for (const value of last) drop(value)
        }
      } catch (error) {
        for (const value of tensors.keys()) if (!stay.has(value)) drop(value)
        throw error
      }
      const shared = new Set(stay)
      const results: tf.NamedTensorMap = {}
      for (const [name, use] of Object.entries(graph.outputs)) {
        const info = see(use)
        if (shared.has(use.value)) backend.incRef(info.dataId)
        shared.add(use.value) // one value under two names
        results[name] = tf.engine().makeTensorFromTensorInfo(info, backend)
      }
      for (const { value } of Object.values(graph.outputs)) if (!stay.has(value)) tensors[value] = undefined
      return results
    },
    dispose: () => {
      for (const { dataId } of owned) backend.disposeData(dataId)
    },
  }
}

/**
 * How many chunks: few, so that each has many rows, but not so few that they leave the cache, and where that is possible
 * as many for each group of sums.
 */
function chunksOf(graph: Graph, batch: number): number {
  const largest = Math.max(
    ...graph.operations.flatMap(({ outputs }) => outputs.map((use) => (use.shape[0] === batch ? sizeOf(use) : 0))),
  )
  const fitting = Math.ceil((4 * largest) / CHUNK_BYTES)
  const step = batch % GROUPS === 0 ? GROUPS : 1
  for (let chunks = step; chunks < batch; chunks += step) {
    if (batch % chunks === 0 && chunks >= fitting) return chunks
  }
  return batch
}

/** What a kernel gave; some stock kernels give a tensor, which tfjs would count. */
function withoutTensor(backend: SimdBackend, result: tf.TensorInfo): tf.TensorInfo {
  if (!('dispose' in result)) return result
  const info = backend.makeTensorInfo(result.shape, result.dtype, backend.readSync(result.dataId))
  tf.dispose(result as tf.Tensor)
  return info
}

function numberOf({ value }: Use): number {
  return value
}

function prepare(step: Step, cut: Cut, number: () => number): Step & { encoded: Encoded | null } {
  return { ...step, encoded: 'operations' in step.work ? encodeStage(step.work, cut, number) : null }
}

function listOf(packings: Packing[]): number[] {
  return encodeAll(packings.map(({ instruction }) => instruction))
}
