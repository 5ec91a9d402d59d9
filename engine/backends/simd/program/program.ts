import * as tf from '@tensorflow/tfjs-core'
import { type Graph, sizeOf, type Use } from '../../../compile/graph.ts'
import type { Program } from '../../../compile/program.ts'
import { PARAMETER } from '../../../compile/training.ts'
import type { SimdBackend } from '../backend.ts'
import { GROUPS } from '../kernels/matmulGroups.ts'
import { type EncodedStage, encodeAll } from './encode.ts'
import { placesOf } from './places.ts'
import { planOf } from './plan.ts'
import type { ProgramStep, Stage } from './stages.ts'

type Given = [name: string, use: Use]

/** Tasks for each thread: enough that none waits long for another. */
const TASKS = 8

/**
 * Makes a program of a graph whose inputs have `batch` examples along their first axes. Its stages run one chunk of
 * examples after the other through many operations, so that most values never leave the cache. The bits are those of
 * the same kernels run one by one, for any number of threads.
 */
export function createProgram(backend: SimdBackend, recorded: Graph, batch: number): Program {
  const { wasm, pool } = backend
  const plan = planOf(recorded, batch, wasm, pool.threads)
  const { graph, values, steps, arenaBytes } = plan
  let places = new Map<number, number>()
  const owned: tf.TensorInfo[] = []
  const words = (size: number) => {
    const { info, address } = backend.output([size], 'int32')
    owned.push(info)
    return { address, view: () => new Int32Array(backend.buffer, address, size) }
  }

  const table = words(values)
  const free = words(1)
  free.view()[0] = 2 ** pool.threads - 1
  const arenas = words((pool.threads * arenaBytes) / 4)
  const install = (numbers: number[], behind: number[] = []) => {
    const { address } = words(2 * numbers.length + behind.length)
    const view = new Float64Array(backend.buffer, address, numbers.length)
    view.set(numbers)
    view.set([arenas.address, arenaBytes, free.address, table.address], 2)
    new Int32Array(backend.buffer, address + 8 * numbers.length, behind.length).set(behind)
    return address
  }
  const addresses = steps.map(({ encoded }) => encoded && install(encoded.numbers, encoded.words))
  const lists = steps.map(({ encoded }) => {
    return encoded?.packings.length && install(encodeAll(encoded.packings.flatMap(({ instructions }) => instructions)))
  })

  const tensors: (tf.TensorInfo | undefined)[] = []
  const set = (value: number, info: tf.TensorInfo) => {
    tensors[value] = info
    if (info.dtype !== 'float32' && info.dtype !== 'int32') return
    const address = backend.address(info, places.get(value)) // the memory may grow, and views with it
    table.view()[value] = address
  }
  const make = ({ value, shape, dtype }: Use) => {
    set(value, backend.output(shape, dtype as 'float32', places.get(value)).info)
  }
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

  function runStage(stage: Stage, { packings }: EncodedStage, address: number, list: number): void {
    for (const use of stage.outputs) make(use)
    if (packings.length > 0) {
      for (const { value, size } of packings) make({ value, shape: [size], dtype: 'float32' })
      const calls = packings.reduce((sum, { instructions }) => sum + instructions.length, 0)
      wasm.runEach(pool.address, calls, list)
    }
    const tasks = Math.min(stage.cut.chunks, pool.threads === 1 ? 1 : TASKS * pool.threads)
    wasm.runStage(pool.address, stage.grouped ? GROUPS : tasks, address)
    for (const { value } of packings) drop(value)
  }

  function runKernel({ kernel, attributes, inputs, outputs }: Exclude<ProgramStep['work'], Stage>): void {
    const seen = (use: Use) => ({ ...see(use), rank: use.shape.length }) // the gradients of a dilation ask for it
    const named = Object.fromEntries(Object.entries(inputs).map(([name, use]) => [name, seen(use)]))
    const given = '0' in inputs ? Object.assign([], named) : named // some kernels take a list
    const config = tf.getKernel(kernel, 'simd') as tf.KernelConfig
    const wanted = outputs.flatMap((use) => {
      const address = places.get(use.value)
      return address === undefined ? [] : [{ address, size: sizeOf(use) }]
    })
    const run = () => config.kernelFunc({ inputs: given, attrs: attributes, backend })
    const results = [backend.withPlaces(wanted, run)].flat() as tf.TensorInfo[]
    for (const [i, { value }] of outputs.entries()) set(value, withoutTensor(backend, results[i] as tf.TensorInfo))
  }

  const stay = new Set(
    [...Object.values(graph.inputs), ...graph.constants.map(({ use }) => use)].map(({ value }) => value),
  )

  const [batches, parameters] = [false, true].map((kind) =>
    Object.entries(graph.inputs).filter(([name]) => name.startsWith(PARAMETER) === kind),
  ) as [Given[], Given[]]
  return {
    run: (inputs, step) => {
      for (const [name, { value }] of parameters) set(value, inputs[name] as tf.Tensor)
      if (places.size === 0) places = placesOf(plan, backend.taken()) // the same in every run
      for (const [name, { value }] of batches) set(value, inputs[name] as tf.Tensor)
      for (const { use, values } of graph.draws) {
        const { shape, dtype } = use
        set(use.value, { dataId: backend.write(values(step), shape, dtype), shape, dtype })
      }
      try {
        for (const [i, { work, last, encoded }] of steps.entries()) {
          if (encoded) runStage(work as Stage, encoded, addresses[i] as number, lists[i] as number)
          else runKernel(work as Exclude<ProgramStep['work'], Stage>)
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

/** What a kernel gave; some stock kernels give a tensor, which tfjs would count. */
function withoutTensor(backend: SimdBackend, result: tf.TensorInfo): tf.TensorInfo {
  if (!('dispose' in result)) return result
  const info = backend.makeTensorInfo(result.shape, result.dtype, backend.readSync(result.dataId))
  tf.dispose(result as tf.Tensor)
  return info
}
