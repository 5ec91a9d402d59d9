import * as tf from '@tensorflow/tfjs-core'
import { recordTwice } from '../../compile/compile.ts'
import { recordableCode } from '../../compile/model.ts'
import { hasPrograms } from '../../compile/program.ts'
import type { RecordedBatch } from '../../compile/recordedBatch.ts'
import {
  type LaneStep,
  PARAMETER,
  type TrainableParameter,
  type TrainingLane,
  type TrainingProgram,
  type Update,
} from '../../compile/training.ts'
import type { Reading } from '../deferredScalars.ts'
import { gradientCode } from '../differentiate.ts'
import { decayAt } from '../ema.ts'
import { layerScales } from '../layerDecay.ts'
import type { Lane } from './lockstep.ts'
import { programOf } from './sideBySide.ts'
import { NORM, TRAIN_LOSS, type TrainingParts, type TrainingSteps } from './types.ts'

/** A program for the trainings of some lanes. */
interface Started {
  program: TrainingProgram
  /** What it trains, in its order; null for those that had left before. */
  given: (TrainingLane | null)[]
  inUse: Set<TrainingLane | null>
}

/** A training of a program. */
interface OnCard extends Started {
  own: TrainingLane
  /** Its number in the program. */
  lane: number
}

/**
 * Steps that stay on the card, for batches of the shapes of the first one: loss, gradients, update and average are one
 * command buffer, for all lanes. Null where the backend or the optimizer has none; an error where the code cannot be had so.
 */
async function startGpuSteps(
  trained: TrainingParts,
  batch: tf.NamedTensorMap,
  lane: Lane,
): Promise<OnCard | Error | null> {
  const { optimizer, recipe } = trained
  const backend = tf.backend()
  const create = hasPrograms(backend) ? backend.createTraining : undefined
  const { rule } = optimizer
  if (!create || !rule || rule.kernel === 'AverageUpdate') return null
  const parts = recipe.accumulate
  const update: Update = {
    kernel: rule.kernel,
    options: rule.options as Update['options'],
    clip: recipe.clip ?? 0,
    average: typeof recipe.ema === 'object' ? 'by step' : (recipe.ema ?? null),
    parts,
  }
  const all = (Object.values(batch)[0]?.shape[0] ?? 1) / parts
  const trainees = trainableParametersOf(trained)
  const start = async (given: (TrainingLane | null)[]): Promise<Started | Error | null> => {
    const lanes = given.filter((each) => each !== null)
    const program = await programOf(create, lanes, update)
    return program && !(program instanceof Error) ? { program, given, inUse: new Set(lanes) } : program
  }
  const programWith = async (examples: number): Promise<OnCard | Error | null> => {
    const recorded = await recordedBatch(trained, batch, examples, all)
    if (recorded instanceof Error) return recorded
    const own: TrainingLane = { recorded, trainees }
    const started = await lane.meet(own, start)
    if (!started || started instanceof Error) return started
    return { ...started, own, lane: started.given.filter((each) => each !== null).indexOf(own) }
  }
  return (all > LARGE && (await programWith(LARGE))) || programWith(all)
}

/** Batches of more examples are recorded with so many first, which takes less: what they do in parts follows from that. */
const LARGE = 64

/** What a step does with `examples` of a batch that has `all`. */
async function recordedBatch(
  { model, lossOf }: TrainingParts,
  batch: tf.NamedTensorMap,
  examples: number,
  all: number,
): Promise<RecordedBatch | Error> {
  const parameters = Object.fromEntries(model.parameters.map(({ name, variable }) => [PARAMETER + name, variable]))
  const code = recordableCode(model, true, gradientCode(model, lossOf))
  const record = (count: number) => {
    const inputs = Object.entries(batch).map(([name, { shape, dtype }]) => [
      name,
      { shape: shape.with(0, count), dtype },
    ])
    return recordTwice({ ...Object.fromEntries(inputs), ...parameters }, code)
  }
  const graph = await record(examples)
  if (graph instanceof Error) return graph
  const half = examples < all ? await record(examples / 2) : undefined
  return half instanceof Error ? half : { graph, examples, all, half }
}

function trainableParametersOf({ model, parameters, optimizer, average, recipe }: TrainingParts): TrainableParameter[] {
  const own = new Map(parameters.map((parameter) => [parameter.name, parameter]))
  const { layerDecay = 1 } = recipe
  const names = parameters.map(({ name }) => name)
  const scales = layerDecay === 1 ? names.map(() => 1) : layerScales(names, layerDecay)
  const remembered = optimizer.state().tensors
  const averages = average.state()
  const slots = optimizer.rule?.slots ?? []
  return model.parameters.map(({ name, variable }) => {
    const parameter = own.get(name)
    return {
      name,
      variable,
      memory: parameter ? slots.map((slot) => remembered[`${slot}.${name}`] as tf.Variable) : [],
      average: averages[name] ?? null,
      trained: parameter !== undefined,
      decay: parameter?.decay ?? false,
      scale: parameter ? (scales[names.indexOf(name)] as number) : 1,
    }
  })
}

/** Steps on the card where they can be had, with those of other lanes, and else those of `others`, as for a batch of another shape. */
export function gpuSteps(trained: TrainingParts, others: TrainingSteps, lane: Lane): TrainingSteps {
  const { optimizer, recipe } = trained
  let started: OnCard | Error | null | undefined
  let shapes = ''
  let steps: number[] = []
  let last: 'card' | 'others' = 'others'
  const card = () => (started && !(started instanceof Error) ? started : null)

  /** Has the card make the updates of all lanes; none of this one without a step. */
  function runTogether({ program, given }: Started, step: LaneStep | null): Promise<void> {
    return lane.meet(step, (all) => program.run(all.filter((_, i) => given[i])))
  }

  async function take(): Promise<Reading[]> {
    const found = card()
    const told = (await found?.program.take(found.lane)) ?? []
    const own = told.flatMap(({ loss, norm }, i): Reading[] => {
      const step = steps[i] as number
      const read = [{ step, name: TRAIN_LOSS, value: loss }]
      return recipe.clip ? [...read, { step, name: NORM, value: norm }] : read
    })
    steps = []
    return [...own, ...(await others.readMetrics())].sort((a, b) => a.step - b.step)
  }

  return {
    ...others,
    run: async (batch, step, learningRate, keep) => {
      const given = JSON.stringify(Object.values(batch).map(({ shape, dtype }) => [shape, dtype]))
      if (started === undefined) {
        shapes = given
        started = await startGpuSteps(trained, batch, lane)
        if (!card()) lane.leave()
      }
      const found = card()
      if (found && given === shapes) {
        const state = optimizer.state()
        state.step += 1
        steps.push(step + 1)
        last = 'card'
        const kept = recipe.ema === undefined ? undefined : decayAt(recipe.ema, step + 1)
        await runTogether(found, { batch, step, update: state.step, learningRate, kept })
        return
      }
      if (found) {
        found.program.settle(found.lane)
        await runTogether(found, null)
      }
      last = 'others'
      await others.run(batch, step, learningRate, keep)
    },
    gradients: () => {
      const found = card()
      return found && last === 'card' ? found.program.gradients(found.lane) : others.gradients()
    },
    readMetrics: take,
    syncVariables: () => {
      const found = card()
      found?.program.settle(found.lane)
    },
    note: () => card()?.program.note ?? null,
    profile: async () => (await card()?.program.profile()) ?? null,
    dispose: () => {
      lane.leave()
      const found = card()
      found?.inUse.delete(found.own)
      if (found?.inUse.size === 0) found.program.dispose()
      others.dispose()
    },
  }
}
