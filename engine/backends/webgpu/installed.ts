import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../errors.ts'
import { maskWords } from '../../random.ts'
import type { WebGpuBackend } from './backend.ts'
import { type GpuBuffer, type GpuEncoder, USE } from './gpu.ts'
import { forget, MOST_DRAWS, pipelinesOf } from './pipelines.ts'
import { type Output, type Plan, type Region, STEP_LINES } from './plan.ts'

/** Bytes between what one dispatch is told and the next. */
const STRIDE = 256

/** A plan on a card. */
export interface Installed {
  memories: Record<Region['memory'], GpuBuffer>
  /** Rejects where the card refuses it, with a MixlabError `backend` for want of memory. */
  ready(): Promise<void>
  /** Tells the next dispatches which step it is, for draws, and up to eight numbers. */
  tell(step: number, numbers?: Uint32Array): void
  /** Copies a tensor, or the part of it that begins at element `from`. */
  take(encoder: GpuEncoder, region: Region, tensor: tf.Tensor, from?: number): void
  /** A tensor with what is in a region once the encoder has been submitted. */
  give(encoder: GpuEncoder, output: Output): tf.Tensor
  /** Dispatches `from` to below `to`, in one pass with these options. */
  encode(encoder: GpuEncoder, from?: number, to?: number, options?: object): void
  dispose(): void
}

/** Puts a plan on the card of a backend. Throws where it has no room in one buffer, or draws too much. */
export function install(backend: WebGpuBackend, plan: Plan): Installed {
  const { card } = backend
  const bytes = 4 * Math.max(plan.floats, plan.ints)
  const most = Math.min(card.limits.maxStorageBufferBindingSize, card.limits.maxBufferSize)
  if (bytes > most) {
    throw new Error(`needs ${mebibytes(bytes)} MiB in one buffer, on this card it has ${mebibytes(most)}`)
  }
  if (plan.draws.length > MOST_DRAWS) throw new Error(`draws more than ${MOST_DRAWS} masks`)
  card.pushErrorScope('out-of-memory')
  card.pushErrorScope('validation')
  const buffers: GpuBuffer[] = []
  let held = 0
  const buffer = (wanted: number, usage: number) => {
    const size = Math.max(16, wanted)
    const made = card.createBuffer({ size, usage: usage | USE.copyTo })
    buffers.push(made)
    held += size
    return made
  }
  const memories = {
    floats: buffer(4 * plan.floats, USE.storage | USE.copyFrom),
    ints: buffer(4 * plan.ints, USE.storage | USE.copyFrom),
  }
  const places = buffer(STRIDE * plan.dispatches.length, USE.uniform)
  const draws = buffer(16 * (STEP_LINES + MOST_DRAWS), USE.uniform)
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
  backend.programBytes += held
  const faults = Promise.all([card.popErrorScope(), card.popErrorScope()])

  const words = new Uint32Array(4 * (STEP_LINES + plan.draws.length))
  const dispatches = plan.dispatches.map(({ shader, workgroups }, i) => {
    return { pipeline: pipelines[shader] as object, workgroups, offset: [i * STRIDE] }
  })

  function put({ memory, offset }: Region, values: ArrayLike<number>): void {
    const type = memory === 'floats' ? Float32Array : Int32Array
    card.queue.writeBuffer(memories[memory], 4 * offset, values instanceof type ? values : type.from(values))
  }

  function dispose(): void {
    for (const each of buffers) each.destroy()
    backend.programBytes -= held
    held = 0
  }

  return {
    memories,
    ready: async () => {
      const [invalid, noRoom] = await faults
      if (!invalid && !noRoom) return
      dispose()
      forget(card, plan.shaders)
      if (!noRoom) throw new Error(`is refused by the card: ${invalid?.message}`)
      const needed = mebibytes(4 * (plan.floats + plan.ints))
      throw new MixlabError(
        'backend',
        'webgpu',
        `the graphics card has no room for ${needed} MiB; a smaller batch takes less`,
      )
    },
    tell: (step, numbers) => {
      if (numbers) words.set(numbers)
      for (const [i, { source }] of plan.draws.entries())
        if (source) words.set(maskWords(source, step), 4 * (STEP_LINES + i))
      if (numbers || plan.draws.length > 0) card.queue.writeBuffer(draws, 0, words)
      for (const { region, draw } of plan.uploads) put(region, draw.values(step))
    },
    take: (encoder, region, tensor, from = 0) => {
      const { memory, offset, size } = region
      const found = backend.valuesOf(tensor)
      if ('buffer' in found) {
        encoder.copyBufferToBuffer(found.buffer, 4 * from, memories[memory], 4 * offset, 4 * size)
        return
      }
      const values = found.values as Float32Array
      put(region, size === values.length ? values : values.subarray(from, from + size))
    },
    give: (encoder, { memory, offset, size, shape, dtype }) => {
      const { info, buffer: to } = backend.output(shape, dtype)
      encoder.copyBufferToBuffer(memories[memory], 4 * offset, to, 0, 4 * size)
      return tf.engine().makeTensorFromTensorInfo(info, backend)
    },
    encode: (encoder, from = 0, to = dispatches.length, options = {}) => {
      const pass = encoder.beginComputePass(options)
      for (let i = from; i < to; i++) {
        const { pipeline, workgroups, offset } = dispatches[i] as (typeof dispatches)[number]
        pass.setPipeline(pipeline)
        pass.setBindGroup(0, group, offset)
        pass.dispatchWorkgroups(...workgroups)
      }
      pass.end()
    },
    dispose,
  }
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20)
}
