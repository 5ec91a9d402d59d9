import * as tf from '@tensorflow/tfjs-core'
import type { Graph } from '../../compile/graph.ts'
import type { Program } from '../../compile/program.ts'
import { MixlabError } from '../../errors.ts'
import { maskWords } from '../../random.ts'
import type { WebGpuBackend } from './backend.ts'
import { type GpuBuffer, type GpuEncoder, USE } from './gpu.ts'
import { MOST_DRAWS, pipelinesOf } from './pipelines.ts'
import { type Plan, planOf, type Region } from './plan.ts'

/** Bytes between what one dispatch is told and the next. */
const STRIDE = 256

/** Makes a program of a graph: one command buffer, one pass, one submission a run. */
export function createProgram(backend: WebGpuBackend, graph: Graph): Program {
  return runPlan(backend, planOf(graph))
}

/** Puts a plan on the card. Throws MixlabError `backend` where it does not fit. */
export function runPlan(backend: WebGpuBackend, plan: Plan): Program {
  const { card } = backend
  const bytes = 4 * Math.max(plan.floats, plan.ints)
  const most = Math.min(card.limits.maxStorageBufferBindingSize, card.limits.maxBufferSize)
  if (bytes > most) {
    throw new MixlabError('backend', 'webgpu', `needs ${mebibytes(bytes)} MiB at once, the card has ${mebibytes(most)}`)
  }
  if (plan.draws.length > MOST_DRAWS) throw new MixlabError('backend', 'webgpu', `draws more than ${MOST_DRAWS} masks`)
  card.pushErrorScope('out-of-memory')
  card.pushErrorScope('validation')
  const buffer = (size: number, usage: number) =>
    card.createBuffer({ size: Math.max(16, size), usage: usage | USE.copyTo })
  const memories = {
    floats: buffer(4 * plan.floats, USE.storage | USE.copyFrom),
    ints: buffer(4 * plan.ints, USE.storage | USE.copyFrom),
  }
  const places = buffer(STRIDE * plan.dispatches.length, USE.uniform)
  const draws = buffer(16 * MOST_DRAWS, USE.uniform)
  const { layout, pipelines } = pipelinesOf(card, plan.shaders)
  const group = card.createBindGroup({
    layout,
    entries: [
      { binding: 0, resource: { buffer: memories.floats } },
      { binding: 1, resource: { buffer: memories.ints } },
      { binding: 2, resource: { buffer: places, size: STRIDE } },
      { binding: 3, resource: { buffer: draws } },
    ],
  })
  const told = new Uint32Array((STRIDE / 4) * plan.dispatches.length)
  for (const [i, dispatch] of plan.dispatches.entries()) told.set(dispatch.places, (i * STRIDE) / 4)
  card.queue.writeBuffer(places, 0, told)
  for (const { region, values } of plan.constants) put(region, values)
  const faults = Promise.all([card.popErrorScope(), card.popErrorScope()])

  const words = new Uint32Array(4 * plan.draws.length)
  /** The data that each input had when it was last copied. */
  const held = new Map<string, object>()
  const dispatches = plan.dispatches.map(({ shader, workgroups }, i) => {
    return { pipeline: pipelines[shader] as object, workgroups, offset: [i * STRIDE] }
  })

  function put({ memory, offset }: Region, values: ArrayLike<number>): void {
    const type = memory === 'floats' ? Float32Array : Int32Array
    card.queue.writeBuffer(memories[memory], 4 * offset, values instanceof type ? values : type.from(values))
  }

  /** Copies an input that has changed. */
  function take(encoder: GpuEncoder, name: string, { memory, offset, size }: Region, tensor: tf.Tensor): void {
    if (held.get(name) === tensor.dataId) return
    const found = backend.valuesOf(tensor)
    if ('buffer' in found) encoder.copyBufferToBuffer(found.buffer, 0, memories[memory], 4 * offset, 4 * size)
    else put({ memory, offset, size }, found.values as Float32Array)
    held.set(name, tensor.dataId)
  }

  /** A tensor with the values of an output. */
  function give(encoder: GpuEncoder, output: Plan['outputs'][string]): tf.Tensor {
    const { info, buffer: to } = backend.output(output.shape, output.dtype)
    encoder.copyBufferToBuffer(memories[output.memory], 4 * output.offset, to, 0, 4 * output.size)
    return tf.engine().makeTensorFromTensorInfo(info, backend)
  }

  return {
    ready: async () => {
      const [fault] = (await faults).filter((each) => each !== null)
      if (fault) throw new MixlabError('backend', 'webgpu', fault.message)
    },
    run: (inputs, step) => {
      backend.flush() // what the inputs wait for
      const encoder = card.createCommandEncoder()
      for (const [name, region] of Object.entries(plan.inputs)) take(encoder, name, region, inputs[name] as tf.Tensor)
      for (const [i, { source }] of plan.draws.entries()) if (source) words.set(maskWords(source, step), 4 * i)
      if (words.length > 0) card.queue.writeBuffer(draws, 0, words)
      for (const { region, draw } of plan.uploads) put(region, draw.values(step))
      const pass = encoder.beginComputePass()
      for (const { pipeline, workgroups, offset } of dispatches) {
        pass.setPipeline(pipeline)
        pass.setBindGroup(0, group, offset)
        pass.dispatchWorkgroups(...workgroups)
      }
      pass.end()
      const outputs = Object.entries(plan.outputs).map(([name, output]) => [name, give(encoder, output)] as const)
      card.queue.submit([encoder.finish()])
      return Object.fromEntries(outputs)
    },
    dispose: () => {
      for (const each of [memories.floats, memories.ints, places, draws] satisfies GpuBuffer[]) each.destroy()
    },
  }
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20)
}
