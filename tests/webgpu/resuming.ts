import { useBackend as startBackend } from '../../app/backends.ts'
import { gmlp } from '../../engine/models/index.ts'
import type { TrainEvent } from '../../engine/records/events.ts'
import { resolveRecipe } from '../../engine/train/recipe.ts'
import { train } from '../../engine/train/train.ts'
import { collect, toyModel, toyTask } from '../engine/train/toy.ts'

const recipe = resolveRecipe({ steps: 6, batch: 8, evalEvery: 3, checkpointEvery: { steps: 3 }, clip: 1, ema: 0.9 })

type Checkpoint = Extract<TrainEvent, { type: 'checkpoint' }>

/** The checkpoints of a training that goes on from a state, if there is one. */
async function checkpoints(from?: Checkpoint): Promise<Checkpoint[]> {
  const model = toyModel(gmlp)
  const state = async () => from?.state ?? null
  const best = async () => from?.best ?? null
  const events = await collect(train({ model, task: toyTask(), recipe, seed: 1, ...(from && { state, best }) }))
  model.dispose()
  const warning = events.find((event) => event.type === 'warning')
  if (warning) throw new Error(warning.message)
  return events.filter((event) => event.type === 'checkpoint')
}

/** A training that goes on from a checkpoint of the card ends with the same bits there, and goes on on simd, too. */
export async function resuming(): Promise<string[]> {
  await startBackend('webgpu')
  const [half, end] = (await checkpoints()) as [Checkpoint, Checkpoint]
  const again = (await checkpoints(half)).at(-1) as Checkpoint
  const same = Buffer.compare(end.weights, again.weights) === 0
  await startBackend('simd', 1)
  const elsewhere = (await checkpoints(half)).at(-1) as Checkpoint
  const lines = same ? [] : ['FAILED: the weights have other bits after the interruption']
  return elsewhere.step === end.step ? lines : [...lines, 'FAILED: it does not go on on simd']
}
