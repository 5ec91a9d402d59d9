import * as tf from '@tensorflow/tfjs-core'
import type { MixlabError } from '../../errors.ts'
import { maskWords } from '../../random.ts'
import type { WebGpuBackend } from './backend.ts'
import { collectFaults, type Fault, faultOf, noRoom } from './faults.ts'
import { type GpuBuffer, type GpuEncoder, USE } from './gpu.ts'
import { inLane, pagesOfLanes } from './lanes.ts'
import { mebibytes, piecesOf } from './pages.ts'
import { forget, pipelinesOf } from './pipelines.ts'
import { type Output, type Plan, type Region, STEP_LINES } from './plan.ts'
import { createSubmissions } from './submissions.ts'
import { FIRST_PAGE, linesOf } from './wgsl/header.ts'

/** Bytes from the uniforms of one dispatch to those of the next. */
const STRIDE = 256

/** Which of the numbers of a step are the elements of a lane, and the part of a batch whose draws are wanted. */
const [FLOATS, PART, INTS] = [3, 6, 7]

/** A plan on a card, or several that differ in their numbers alone: the lanes of a program. */
export interface InstalledPlan {
  /** Rejects where the card refuses it, with a MixlabError `backend` for want of memory that says which buffer has no room. */
  ready(): Promise<void>
  /**
   * Writes the uniforms of the next dispatches: the step, which keys the draws, up to eight numbers, and which part of a batch it
   * is that has draws of its own. A lane for which nothing is written has those that it had before.
   */
  writeUniforms(step: number, numbers?: Uint32Array, part?: number, lane?: number): void
  /** Copies what is in a region to a buffer, from byte `at` of that on. */
  read(encoder: GpuEncoder, region: Region, to: GpuBuffer, at: number): void
  /** Copies a tensor, or the part of it that begins at element `from`. */
  take(encoder: GpuEncoder, region: Region, tensor: tf.Tensor, from?: number): void
  /** A tensor with what is in a region once the encoder has been submitted. */
  give(encoder: GpuEncoder, output: Output): tf.Tensor
  /** Dispatches `from` to below `to`, in one pass with these options. */
  encode(encoder: GpuEncoder, from: number, to: number, options?: object): void
  /**
   * Submits the dispatches below `end`, in as many submissions as their time asks for: the first begins with what `begin`
   * encodes, the last ends with what `conclude` does. Resolves when all are done. What the card says against one is told by
   * the next call, or before that where values are read (faults.ts).
   */
  submit(end: number, begin: (encoder: GpuEncoder) => void, conclude: (encoder: GpuEncoder) => void): Promise<void>
  /** Whether it is known how long that takes; until then it is measured best where it is waited for. */
  isSettled(): boolean
  dispose(): void
}

/** Dispatches `from` to below `to` of a plan. */
interface Span {
  from: number
  to: number
}

/**
 * Puts a plan on the card of a backend, or several side by side: each dispatch is that of all lanes. Throws where there is no room in
 * the buffers that a program may have, it draws too much, or the plans are not alike.
 */
export function install(backend: WebGpuBackend, plans: readonly Plan[]): InstalledPlan {
  const { card } = backend
  const [plan] = plans as [Plan]
  const lanes = plans.length
  const lines = linesOf(lanes)
  const pages = pagesOfLanes(plans, card.limits)
  const collected = collectFaults(card)
  const lacking: Promise<number>[] = []
  const buffers: GpuBuffer[] = []
  let held = 0
  const buffer = (wanted: number, usage: number) => {
    const size = Math.max(16, wanted)
    const ofBuffer = collectFaults(card, ['out-of-memory'])
    const made = card.createBuffer({ size, usage: usage | USE.copyTo })
    lacking.push(ofBuffer().then((fault) => (fault ? size : 0)))
    buffers.push(made)
    held += size
    return made
  }
  const floats = Array.from({ length: pages.count }, (_, page) => {
    const size = Math.min(pages.elements, lanes * plan.floats - page * pages.elements)
    return buffer(4 * size, USE.storage | USE.copyFrom)
  })
  const ints = buffer(4 * lanes * plan.ints, USE.storage | USE.copyFrom)
  const places = buffer(STRIDE * plan.dispatches.length, USE.uniform)
  const steps = buffer(16 * lanes * lines, USE.uniform)
  const { layout, pipelines } = pipelinesOf(card, plan.shaders, pages, lanes)
  const groups = new Map<string, object>()
  const groupOf = (window: number[]) => {
    const key = window.join()
    const made =
      groups.get(key) ??
      card.createBindGroup({
        layout,
        entries: [
          { binding: 0, resource: { buffer: ints } },
          { binding: 1, resource: { buffer: places, size: STRIDE } },
          { binding: 2, resource: { buffer: steps } },
          ...window.map((page, i) => ({ binding: FIRST_PAGE + i, resource: { buffer: floats[page] } })),
        ],
      })
    groups.set(key, made)
    return made
  }
  const told = new Uint32Array((STRIDE / 4) * plan.dispatches.length)
  for (const [i, dispatch] of plan.dispatches.entries()) told.set(dispatch.places, (i * STRIDE) / 4)
  card.queue.writeBuffer(places, 0, told)
  for (const [lane, { constants }] of plans.entries()) {
    for (const { region, values } of constants) put(inLane(plan, region, lane), values)
  }
  backend.programBytes += held

  const words = plans.map(() => new Uint32Array(4 * (STEP_LINES + plan.draws.length)))
  for (const lane of words.keys()) writeStep(lane)
  const dispatches = plan.dispatches.map(({ shader, workgroups: [x, y, z], window }, i) => {
    const workgroups = [x, y, z * lanes] as const
    const group = groupOf(lanes === 1 ? window : [...floats.keys()])
    return { pipeline: pipelines[shader] as object, workgroups, group, offset: [i * STRIDE] }
  })

  const refused = collected()
  /** Why the card did not do what was submitted. */
  let failure: MixlabError | null = null

  /** The parts of a region with the buffers that they are in; `at` and `from` are bytes. */
  function partsOf({ memory, offset, size }: Region): { buffer: GpuBuffer; at: number; from: number; size: number }[] {
    if (memory === 'ints') return [{ buffer: ints, at: 4 * offset, from: 0, size }]
    return piecesOf(pages, offset, size).map(({ page, at, from, size }) => {
      return { buffer: floats[page] as GpuBuffer, at: 4 * at, from: 4 * from, size }
    })
  }

  function put(region: Region, values: ArrayLike<number>): void {
    const type = region.memory === 'floats' ? Float32Array : Int32Array
    const all = values instanceof type ? values : type.from(values)
    for (const { buffer, at, from, size } of partsOf(region)) {
      card.queue.writeBuffer(buffer, at, all.subarray(from / 4, from / 4 + size))
    }
  }

  /** The uniforms of a step of a lane, among them how far it is from one lane to the next. */
  function writeStep(lane: number): void {
    const own = words[lane] as Uint32Array
    own[FLOATS] = plan.floats
    own[INTS] = plan.ints
    card.queue.writeBuffer(steps, 16 * lane * lines, own)
  }

  function read(encoder: GpuEncoder, region: Region, to: GpuBuffer, first: number): void {
    for (const { buffer, at, from, size } of partsOf(region)) {
      encoder.copyBufferToBuffer(buffer, at, to, first + from, 4 * size)
    }
  }

  const submissions = createSubmissions(plan.dispatches.length, backend.losses)

  /** Resolves when all that was submitted is done, and notes how long so many submissions took. */
  async function timed(count: number): Promise<void> {
    const since = performance.now()
    await card.queue.onSubmittedWorkDone()
    const now = performance.now()
    submissions.took(now - Math.max(since, backend.idleSince), count)
    backend.idleSince = now
  }

  function encode(encoder: GpuEncoder, from: number, to: number, options = {}): void {
    const pass = encoder.beginComputePass(options)
    for (let i = from; i < to; i++) {
      const { pipeline, workgroups, group, offset } = dispatches[i] as (typeof dispatches)[number]
      pass.setPipeline(pipeline)
      pass.setBindGroup(0, group, offset)
      pass.dispatchWorkgroups(...workgroups)
    }
    pass.end()
  }

  /** The error about dispatches `from` to below `to`, if the card has said something against them; one for a plan. */
  async function failureOf(fault: Fault, from: number, to: number): Promise<MixlabError | null> {
    const all = { from, to }
    const where = fault.kind === 'validation' ? await invalidOf(from, to).catch(() => all) : all
    if (failure || held === 0) return null
    failure = faultOf(fault, named(plan, where))
    return failure
  }

  /** The first of dispatches that is not allowed by itself; all of them where each is. */
  async function invalidOf(from: number, to: number): Promise<Span> {
    const each = Array.from({ length: to - from }, (_, i) => {
      const collected = collectFaults(card)
      const encoder = card.createCommandEncoder()
      encode(encoder, from + i, from + i + 1)
      encoder.finish()
      return collected()
    })
    const at = (await Promise.all(each)).findIndex((fault) => fault !== null)
    return at < 0 ? { from, to } : { from: from + at, to: from + at + 1 }
  }

  function dispose(): void {
    backend.faults.close()
    for (const each of buffers) each.destroy()
    backend.programBytes -= held
    held = 0
    if (failure) backend.faults.forget(failure)
  }

  return {
    read,
    ready: async () => {
      const [fault, ...sizes] = await Promise.all([refused, ...lacking])
      const lacks = mebibytes(Math.max(...sizes))
      if (!fault && lacks === 0) return
      const needed = `${mebibytes(held)} MiB that a program takes`
      dispose()
      forget(card, plan.shaders)
      if (lacks > 0) throw noRoom(`a buffer of ${lacks} MiB, of ${needed}`)
      if (fault?.kind === 'out-of-memory') throw noRoom(needed)
      throw new Error(`is refused by the card: ${fault?.message}`)
    },
    writeUniforms: (step, numbers, part = 0, lane = 0) => {
      const { draws, uploads } = plans[lane] as Plan
      const own = words[lane] as Uint32Array
      if (numbers) own.set(numbers)
      own[PART] = part
      for (const [i, { source }] of draws.entries()) if (source) own.set(maskWords(source, step), 4 * (STEP_LINES + i))
      if (numbers || draws.length > 0) writeStep(lane)
      for (const { region, draw } of uploads) {
        const values = draw.values(step)
        const ofPart = draw.ofPart ? values.subarray(part * region.size, (part + 1) * region.size) : values
        put(inLane(plan, region, lane), ofPart)
      }
    },
    take: (encoder, region, tensor, from = 0) => {
      const { size } = region
      const found = backend.valuesOf(tensor)
      if ('buffer' in found) {
        for (const { buffer, at, from: part, size } of partsOf(region)) {
          encoder.copyBufferToBuffer(found.buffer, 4 * from + part, buffer, at, 4 * size)
        }
        return
      }
      const values = found.values as Float32Array
      put(region, size === values.length ? values : values.subarray(from, from + size))
    },
    give: (encoder, output) => {
      const { info, buffer: to } = backend.output(output.shape, output.dtype)
      read(encoder, output, to, 0)
      return tf.engine().makeTensorFromTensorInfo(info, backend)
    },
    encode,
    submit: (end, begin, conclude) => {
      if (failure) {
        backend.faults.forget(failure)
        throw failure
      }
      const spans = submissions.below(end)
      for (const [i, { from, to }] of spans.entries()) {
        backend.faults.watch({ by: plan, from, to }, (fault) => failureOf(fault, from, to))
        const encoder = card.createCommandEncoder()
        if (i === 0) begin(encoder)
        encode(encoder, from, to)
        if (i === spans.length - 1) conclude(encoder)
        card.queue.submit([encoder.finish()])
      }
      return timed(spans.length).catch(() => {}) // the card is lost, which others tell
    },
    isSettled: submissions.isSettled,
    dispose,
  }
}

/** Dispatches in words, e.g. `dispatch 3 of 96, Sum 128x32`. */
function named({ dispatches }: Plan, { from, to }: Span): string {
  const [first, last] = [dispatches[from]?.label, dispatches[to - 1]?.label]
  if (to - from === 1) return `dispatch ${to} of ${dispatches.length}, ${first}`
  return `dispatches ${from + 1} to ${to} of ${dispatches.length}, ${first} to ${last}`
}
