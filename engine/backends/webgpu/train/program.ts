import type * as tf from '@tensorflow/tfjs-core'
import { WHOLE } from '../../../compile/parts.ts'
import {
  type LaneStep,
  PARAMETER,
  type StepResult,
  type TrainableParameter,
  type TrainingLane,
  type TrainingProgram,
  type Update,
} from '../../../compile/training.ts'
import type { WebGpuBackend } from '../backend.ts'
import { type GpuEncoder, USE } from '../gpu.ts'
import { install } from '../installed.ts'
import { inLane } from '../lanes.ts'
import type { Output } from '../plan.ts'
import { timeDispatches } from '../timing.ts'
import { type TrainingPlan, trainingPlan } from './plan.ts'

/** Updates whose losses are kept until they are read, and updates that the card may be behind. */
const [RING, AHEAD] = [1024, 3]
/** `GPUMapMode.READ` */
const READ = 1

/** One of the models that are trained side by side. */
interface Lane {
  views: View[]
  /** What its updates came to, and has not been taken. */
  results: StepResult[]
  /** Whether the card has done updates that the variables do not have. */
  isAhead: boolean
}

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
  given: readonly TrainingLane[],
  update: Update,
  least?: number,
): TrainingProgram | null {
  const { card } = backend
  const plans = given.map(({ recorded, trainees }) => {
    return trainingPlan(recorded, trainees, update, { most: backend.partFloats, least, limits: card.limits })
  })
  if (!areAll(plans)) return null
  const [plan] = plans
  const installed = install(backend, plans)
  const row = 8 * plans.length
  const ring = card.createBuffer({ size: RING * row, usage: USE.copyTo | USE.copyFrom })
  const staging = card.createBuffer({ size: RING * row, usage: USE.copyTo | USE.mapRead })
  const lanes = given.map(({ trainees }, lane): Lane => {
    const views = trainees.flatMap((trainee, i) => viewsOf(trainee, plan.placed[i] as (typeof plan.placed)[number]))
    return {
      views: views.map((view) => ({ ...view, place: inLane(plan, view.place, lane) })),
      results: [],
      isAhead: false,
    }
  })
  const batchInputs = Object.entries(plan.inputs).filter(([name]) => !name.startsWith(PARAMETER))
  const numbers = new Uint32Array(8)
  const asFloats = new Float32Array(numbers.buffer)
  const { beta1 = 0, beta2 = 0 } = update.options as Record<string, number>
  const busy: Promise<unknown>[] = []
  /** The lanes of the updates whose losses are on the card. */
  let unread: Lane[][] = []
  let failure: unknown = null

  /** Copies values that were assigned to variables to the card. */
  function follow(encoder: GpuEncoder, { views }: Lane): void {
    for (const view of views) {
      const { dataId } = view.variable
      if (view.held === dataId) continue
      installed.take(encoder, view.place, view.variable)
      view.held = dataId
    }
  }

  /** Reads what the updates of all lanes came to. What went wrong with it is told to each of them. */
  async function readRing(): Promise<void> {
    if (failure) throw failure
    if (unread.length === 0) return
    const rows = unread
    unread = []
    const encoder = card.createCommandEncoder()
    encoder.copyBufferToBuffer(ring, 0, staging, 0, rows.length * row)
    card.queue.submit([encoder.finish()])
    await staging.mapAsync(READ)
    const values = new Float32Array(staging.getMappedRange().slice(0, rows.length * row))
    staging.unmap()
    await backend.faults.check().catch((error: unknown) => {
      failure = error
      throw error
    })
    for (const [i, updated] of rows.entries()) {
      for (const [lane, own] of lanes.entries()) {
        const at = (i * row) / 4 + 2 * lane
        if (updated.includes(own)) own.results.push({ loss: values[at] as number, norm: values[at + 1] as number })
      }
    }
  }

  /** The lanes that make an update; the values of the others are on the processor's side from now on. */
  function updating(steps: readonly (LaneStep | null)[]): { lane: number; own: Lane; given: LaneStep }[] {
    return lanes.flatMap((own, lane) => {
      const given = steps[lane]
      if (given) return [{ lane, own, given }]
      for (const view of own.views) view.held = null
      own.isAhead = false
      return []
    })
  }

  return {
    parts: plan.parts,
    note: null,
    ready: installed.ready,
    run: async (steps) => {
      if (busy.length >= AHEAD) await busy.shift()
      if (unread.length === RING) await readRing()
      backend.flush()
      const all = update.parts * plan.parts
      const updated = updating(steps)
      if (updated.length === 0) return
      let done = Promise.resolve()
      for (let part = 0; part < all; part++) {
        const [accumulated, own] = [Math.floor(part / plan.parts), part % plan.parts]
        for (const { lane, given } of updated) {
          const { step, update: count, learningRate, kept = 0 } = given
          asFloats.set([learningRate, 1 / (1 - beta1 ** count), 1 / (1 - beta2 ** count), kept])
          numbers[4] = part
          asFloats[5] = 1 / update.parts
          installed.writeUniforms(step * update.parts + accumulated, numbers, own, lane)
        }
        const begin = (encoder: GpuEncoder) => {
          for (const { lane, own: values, given } of updated) {
            follow(encoder, values)
            for (const [name, region] of batchInputs) {
              const isWhole = name.startsWith(WHOLE)
              if (isWhole && own > 0) continue
              const tensor = given.batch[isWhole ? name.slice(WHOLE.length) : name] as tf.Tensor
              installed.take(encoder, inLane(plan, region, lane), tensor, (isWhole ? accumulated : part) * region.size)
            }
          }
        }
        const isLast = part === all - 1
        const conclude = (encoder: GpuEncoder) => {
          if (!isLast) return
          for (const { lane } of updated) {
            for (const [i, region] of [plan.loss, plan.norm].entries()) {
              installed.read(encoder, inLane(plan, region, lane), ring, row * unread.length + 8 * lane + 4 * i)
            }
          }
        }
        done = installed.submit(isLast ? plan.dispatches.length : plan.each, begin, conclude)
        if (!installed.isSettled()) await done
      }
      unread.push(updated.map(({ own }) => own))
      for (const { own } of updated) own.isAhead = true
      busy.push(done)
    },
    take: async (lane) => {
      await readRing()
      return (lanes[lane] as Lane).results.splice(0)
    },
    gradients: (lane) => {
      const { trainees } = given[lane] as TrainingLane
      const encoder = card.createCommandEncoder()
      const found = trainees.flatMap(({ name, trained, variable }, i) => {
        if (!trained) return []
        const { gradient, size } = plan.placed[i] as (typeof plan.placed)[number]
        return [[name, installed.give(encoder, inLane(plan, outputAt(gradient, size, variable.shape), lane))] as const]
      })
      card.queue.submit([encoder.finish()])
      return Object.fromEntries(found)
    },
    settle: (lane) => {
      const own = lanes[lane] as Lane
      const { views } = own
      if (!own.isAhead) return
      own.isAhead = false
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

function areAll(plans: (TrainingPlan | null)[]): plans is [TrainingPlan, ...TrainingPlan[]] {
  return plans.every((plan) => plan !== null)
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
