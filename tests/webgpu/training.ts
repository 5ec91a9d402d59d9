import * as tf from '@tensorflow/tfjs'
import { useBackend as startBackend } from '../../app/backends.ts'
import { gmlp } from '../../engine/models/index.ts'
import { add, block, dense, layerNorm, mul, random, residual } from '../../engine/nn/index.ts'
import type { Block } from '../../engine/nn/types.ts'
import { resolveRecipe } from '../../engine/train/recipe.ts'
import { train } from '../../engine/train/train.ts'
import { collect, toyModel, toyTask } from '../engine/train/toy.ts'
import { differing, otherBits, type Values, weightsOf } from './compare.ts'

/** With everything that is drawn in training. */
export const dropping = gmlp({
  dropPath: 0.2,
  dropout: { hidden: 0.1, activation: 0.2, attention: 0, head: 0.1, embedding: 0.1 },
})

/** A recipe with everything on. */
export const everything = { clip: 0.5, ema: 0.9, accumulate: 2, layerDecay: 0.7, histograms: true }

const noisy = block('noisy', (x, { dim }) => {
  const scaled = mul(layerNorm(x), add(1, random.normal('scale', x.shape, { deviation: 0.2 })))
  return residual(x, dense(add(scaled, random.uniform('shift', [1, 1, dim], { low: -0.1, high: 0.1 })), dim))
})

/**
 * Losses, norms and the last weights of a short training with everything on; null for the backend that is current. Throws
 * where the training warns of anything but what it is to.
 */
export async function trained(backend: string | null, block: Block = dropping, warning?: string): Promise<Values> {
  if (backend) await startBackend(backend, 1)
  const before = tf.memory().numTensors
  const model = toyModel(block)
  const recipe = resolveRecipe({ steps: 4, batch: 8, evalEvery: 2, ...everything })
  const events = await collect(train({ model, task: toyTask(), recipe, seed: 1 }))
  const metrics = events
    .filter((event) => event.type === 'metric')
    .filter(({ name }) => /loss|norm|accuracy/.test(name))
  const said = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))
  if (said.join() !== (warning ?? '')) throw new Error(`says '${said}', not '${warning ?? ''}'`)
  const weights = await weightsOf(model)
  model.dispose()
  const left = tf.memory().numTensors - before
  if (left > 0) throw new Error(`${left} tensors are left`)
  return { metrics: Float32Array.from(metrics, ({ value }) => value), ...weights }
}

/** A training on the card is that on simd, masks of dropout and random numbers included, and has the same bits twice. */
export async function training(): Promise<string[]> {
  const found: string[] = []
  for (const block of [dropping, noisy]) {
    const wanted = await trained('simd', block)
    const own = await trained('webgpu', block)
    found.push(...differing(own, wanted, 2e-6), ...otherBits(await trained('webgpu', block), own))
  }
  return found
}
