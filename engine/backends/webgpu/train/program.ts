import type * as tf from '@tensorflow/tfjs-core'
import { WHOLE } from '../../../compile/parts.ts'
import type { RecordedBatch } from '../../../compile/recordedBatch.ts'
import {
  PARAMETER,
  type StepResult,
  type TrainableParameter,
  type TrainingProgram,
  type Update,
} from '../../../compile/training.ts'
import type { WebGpuBackend } from '../backend.ts'
import { type GpuEncoder, USE } from '../gpu.ts'
import { install } from '../installed.ts'
import type { Output } from '../plan.ts'
import { timeDispatches } from '../timing.ts'
import { trainingPlan } from './plan.ts'

/** Updates whose losses are kept until they are read, and updates that the card may be behind. */
const [RING, AHEAD] = [1024, 3]
/** `GPUMapMode.READ` */
const READ = 1

/** A variable of the processor's side, and its place on the card. */
interface View {
  variable: tf.Variable
  place: Output
  /** The data that both had in common last. */
  held: object | null
}

/** Puts training on the card: for each part of a batch one submission, or several where that takes long. Throws what it cannot do. */
export function createTraining(
  backend: WebGpuBackend,
  recorded: RecordedBatch,
  trainees: TrainableParameter[],
  update: Update,
): TrainingProgram | null {
  const { card } = backend
  const plan = trainingPlan(recorded, trainees, update, { most: backend.partFloats, limits: card.limits })
  if (!plan) return null
  const installed = install(backend, plan)
  const ring = card.createBuffer({ size: 8 * RING, usage: USE.copyTo | USE.copyFrom })
  const staging = card.createBuffer({ size: 8 * RING, usage: USE.copyTo | USE.mapRead })
  const views = trainees.flatMap((trainee, i) => viewsOf(trainee, plan.placed[i] as (typeof plan.placed)[number]))
  const batchInputs = Object.entries(plan.inputs).filter(([name]) => !name.startsWith(PARAMETER))
  const numbers = new Uint32Array(8)
  const asFloats = new Float32Array(numbers.buffer)
  const { beta1 = 0, beta2 = 0 } = update.options as Record<string, number>
  const busy: Promise<unknown>[] = []
  const read: StepResult[] = []
  let unread = 0
  let isAhead = false

  /** Copies values that were assigned to variables to the card. */
  function follow(encoder: GpuEncoder): void {
    for (const view of views) {
      const { dataId } = view.variable
      if (view.held === dataId) continue
      installed.take(encoder, view.place, view.variable)
      view.held = dataId
    }
  }

  async function readRing(): Promise<void> {
    if (unread === 0) return
    const count = unread
    unread = 0
    const encoder = card.createCommandEncoder()
    encoder.copyBufferToBuffer(ring, 0, staging, 0, 8 * count)
    card.queue.submit([encoder.finish()])
    await staging.mapAsync(READ)
    const values = new Float32Array(staging.getMappedRange().slice(0, 8 * count))
    staging.unmap()
    await backend.faults.check()
    for (let i = 0; i < count; i++) read.push({ loss: values[2 * i] as number, norm: values[2 * i + 1] as number })
  }

  return {
    ready: installed.ready,
    run: async (batch, step, updates, learningRate) => {
      if (busy.length >= AHEAD) await busy.shift()
      if (unread === RING) await readRing()
      backend.flush()
      asFloats.set([learningRate, 1 / (1 - beta1 ** updates), 1 / (1 - beta2 ** updates)])
      let done = Promise.resolve()
      const all = update.parts * plan.parts
      for (let part = 0; part < all; part++) {
        const [accumulated, own] = [Math.floor(part / plan.parts), part % plan.parts]
        numbers[4] = part
        asFloats[5] = 1 / update.parts
        installed.writeUniforms(step * update.parts + accumulated, numbers, own)
        const begin = (encoder: GpuEncoder) => {
          follow(encoder)
          for (const [name, region] of batchInputs) {
            const isWhole = name.startsWith(WHOLE)
            if (isWhole && own > 0) continue
            const tensor = batch[isWhole ? name.slice(WHOLE.length) : name] as tf.Tensor
            installed.take(encoder, region, tensor, (isWhole ? accumulated : part) * region.size)
          }
        }
        const isLast = part === all - 1
        const conclude = (encoder: GpuEncoder) => {
          if (!isLast) return
          for (const [i, region] of [plan.loss, plan.norm].entries()) {
            installed.read(encoder, region, ring, 8 * unread + 4 * i)
          }
        }
        done = installed.submit(isLast ? plan.dispatches.length : plan.each, begin, conclude)
        if (!installed.isSettled()) await done
      }
      unread++
      isAhead = true
      busy.push(done)
    },
    take: async () => {
      await readRing()
      return read.splice(0)
    },
    gradients: () => {
      const encoder = card.createCommandEncoder()
      const found = trainees.flatMap(({ name, trained, variable }, i) => {
        if (!trained) return []
        const { gradient, size } = plan.placed[i] as (typeof plan.placed)[number]
        return [[name, installed.give(encoder, outputAt(gradient, size, variable.shape))] as const]
      })
      card.queue.submit([encoder.finish()])
      return Object.fromEntries(found)
    },
    settle: () => {
      if (!isAhead) return
      isAhead = false
      const encoder = card.createCommandEncoder()
      const values = views.map(({ place }) => installed.give(encoder, place))
      card.queue.submit([encoder.finish()])
      for (const [i, view] of views.entries()) {
        const value = values[i] as tf.Tensor
        view.variable.assign(value)
        view.held = view.variable.dataId
        value.dispose()
      }
    },
    profile: () => timeDispatches(backend, installed, plan.dispatches),
    dispose: () => {
      installed.dispose()
      ring.destroy()
      staging.destroy()
    },
  }
}

function outputAt(offset: number, size: number, shape: number[]): Output {
  return { memory: 'floats', offset, size, shape, dtype: 'float32' }
}

function viewsOf(
  { variable, memory, average }: TrainableParameter,
  placed: { size: number; value: number; memory: number[]; average: number },
): View[] {
  const { size } = placed
  const view = (variable: tf.Variable, offset: number): View => {
    return { variable, place: outputAt(offset, size, variable.shape), held: null }
  }
  return [
    view(variable, placed.value),
    ...memory.map((each, i) => view(each, placed.memory[i] as number)),
    ...(average ? [view(average, placed.average)] : []),
  ]
}
