import * as tf from '@tensorflow/tfjs'
import { useBackend as startBackend } from '../../app/backends.ts'
import { gmlp } from '../../engine/models/index.ts'
import type { TrainEvent } from '../../engine/records/events.ts'
import { type Recipe, resolveRecipe } from '../../engine/train/recipe.ts'
import { createLanes, type Lane } from '../../engine/train/steps/lockstep.ts'
import { isTiming } from '../../engine/train/timings.ts'
import { train } from '../../engine/train/train.ts'
import { toyModel, toyTask } from '../engine/train/toy.ts'

const dropping = gmlp({
  dropPath: 0.2,
  dropout: { hidden: 0.1, activation: 0.2, attention: 0, head: 0.1, embedding: 0.1 },
})
const everything = { clip: 0.5, ema: 0.9, accumulate: 2, layerDecay: 0.7, histograms: true }
const recipe = resolveRecipe({ steps: 4, batch: 8, evalEvery: 2, checkpointEvery: { steps: 2 }, ...everything })

/** A run, as it is trained alone or as a lane. */
interface Run {
  seed: number
  recipe: Recipe
  /** A step whose batch is not finite. */
  poison?: number
  /** What it goes on from. */
  from?: Checkpoint
}

type Checkpoint = Extract<TrainEvent, { type: 'checkpoint' }>

/** What is to be the same, event by event. */
function told(event: TrainEvent): string[] {
  if (event.type === 'warning') throw new Error(event.message)
  if (event.type === 'step' || (event.type === 'metric' && isTiming(event.name))) return []
  return [JSON.stringify(event, (_, value: unknown) => (ArrayBuffer.isView(value) ? bits(value) : value))]
}

function bits({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('base64')
}

async function* trained({ seed, recipe, poison, from }: Run, lane?: Lane): AsyncGenerator<TrainEvent> {
  const model = toyModel(dropping, seed)
  try {
    const state = async () => from?.state ?? null
    const best = async () => from?.best ?? null
    yield* train({ model, task: toyTask(poison), recipe, seed, lane, ...(from && { state, best }) })
  } finally {
    model.dispose()
  }
}

async function collect(events: AsyncGenerator<TrainEvent>): Promise<TrainEvent[]> {
  const all: TrainEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

/** Runs one after the other, and the same ones together. */
async function both(runs: Run[]): Promise<string[]> {
  const alone: TrainEvent[][] = []
  for (const run of runs) alone.push(await collect(trained(run)))
  const before = tf.memory().numTensors
  const lanes = createLanes(runs.length)
  const together = await Promise.all(lanes.map((lane, i) => collect(lane.inTurns(trained(runs[i] as Run, lane)))))
  const left = tf.memory().numTensors - before
  return [
    ...(left > 0 ? [`FAILED: ${left} tensors are left`] : []),
    ...runs.flatMap(({ seed }, i) => {
      const [own, wanted] = [together[i], alone[i]].map((events) => (events ?? []).flatMap(told)) as [
        string[],
        string[],
      ]
      const at = wanted.findIndex((event, k) => event !== own[k])
      if (at < 0 && own.length === wanted.length) return []
      return [
        `FAILED: seed ${seed} has other bits together with others: ${own[at]?.slice(0, 200)}, not ${wanted[at]?.slice(0, 200)}`,
      ]
    }),
  ]
}

/** Runs whose steps are those of one program have the bits of runs by themselves; each fails and resumes by itself. */
export async function lanes(): Promise<string[]> {
  await startBackend('webgpu')
  const lines = await both([1, 2].map((seed) => ({ seed, recipe })))
  const events = await collect(trained({ seed: 3, recipe }))
  const from = events.find((event) => event.type === 'checkpoint') as Checkpoint
  return [
    ...lines,
    ...(await both([
      { seed: 3, recipe, from },
      { seed: 4, recipe, poison: 2 },
    ])),
  ]
}
