import * as tf from '@tensorflow/tfjs'
import { useBackend as startBackend } from '../../app/backends.ts'
import { openCard } from '../../app/webgpu.ts'
import type { GpuDevice } from '../../engine/backends/webgpu/gpu.ts'
import { registerWebGpu } from '../../engine/backends/webgpu/register.ts'
import { watched } from '../../engine/bench/countingDevice.ts'
import type { TrainEvent } from '../../engine/records/events.ts'
import { type Recipe, resolveRecipe } from '../../engine/train/recipe.ts'
import { createLanes, type Lane } from '../../engine/train/steps/lockstep.ts'
import { isTiming } from '../../engine/train/timings.ts'
import { train } from '../../engine/train/train.ts'
import { limited } from '../engine/backends/webgpu/fakes.ts'
import { collect, toyModel, toyTask } from '../engine/train/toy.ts'
import { dropping, everything } from './training.ts'

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

/** The events of runs one after the other. */
async function alone(runs: Run[]): Promise<TrainEvent[][]> {
  const all: TrainEvent[][] = []
  for (const run of runs) all.push(await collect(trained(run)))
  return all
}

/** Trains runs together; what is other than it was `alone`. */
async function together(runs: Run[], alone: TrainEvent[][]): Promise<string[]> {
  const before = tf.memory().numTensors
  const lanes = createLanes(runs.length)
  const all = await Promise.all(lanes.map((lane, i) => collect(lane.inTurns(trained(runs[i] as Run, lane)))))
  const left = tf.memory().numTensors - before
  return [
    ...(left > 0 ? [`FAILED: ${left} tensors are left`] : []),
    ...runs.flatMap(({ seed }, i) => {
      const [own, wanted] = [all[i], alone[i]].map((events) => (events ?? []).flatMap(told)) as [string[], string[]]
      const at = wanted.findIndex((event, k) => event !== own[k])
      if (at < 0 && own.length === wanted.length) return []
      return [
        `FAILED: seed ${seed} has other bits together with others: ${own[at]?.slice(0, 200)}, not ${wanted[at]?.slice(0, 200)}`,
      ]
    }),
  ]
}

/** Gives the card no buffers of more than so many bytes, so that values take several; how many of those were made. */
export async function withSmallBuffers(page: number, more: object = {}): Promise<() => number> {
  let full = 0
  registerWebGpu(async () => {
    const card = await openCard()
    const limits = { maxStorageBufferBindingSize: page, maxBufferSize: page, maxStorageBuffersPerShaderStage: 12 }
    const createBuffer = (description: Parameters<GpuDevice['createBuffer']>[0]) => {
      if (description.size === page) full++
      return card.device.createBuffer(description)
    }
    return { ...card, ...more, device: watched(limited(card.device, limits), { createBuffer }) }
  })
  await tf.setBackend('webgpu')
  return () => full
}

/**
 * Runs whose steps are those of one program have the bits of runs by themselves, in several buffers, too; each fails and resumes by
 * itself.
 */
export async function lanes(): Promise<string[]> {
  await startBackend('webgpu')
  const two = [1, 2].map((seed) => ({ seed, recipe }))
  const first = await alone(two)
  const lines = await together(two, first)
  const events = await collect(trained({ seed: 3, recipe }))
  const from = events.find((event) => event.type === 'checkpoint') as Checkpoint
  const others = [
    { seed: 3, recipe, from },
    { seed: 4, recipe, poison: 2 },
  ]
  lines.push(...(await together(others, await alone(others))))
  const full = await withSmallBuffers(2 ** 15)
  lines.push(...(await together(two, first)))
  return [...lines, ...(full() < 3 ? [`FAILED: ${full()} buffers are full`] : [])]
}
