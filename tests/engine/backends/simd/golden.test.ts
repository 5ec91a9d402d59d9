import { readdirSync, readFileSync } from 'node:fs'
import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { checkConformance } from '../../../../engine/conformance/index.ts'
import { gmlp, mixer } from '../../../../engine/models/index.ts'
import { adamw } from '../../../../engine/train/optimizers/index.ts'
import { resolveRecipe } from '../../../../engine/train/recipe.ts'
import { train } from '../../../../engine/train/train.ts'
import { collect, series, toyModel, toyTask } from '../../train/toy.ts'
import { onSimd } from './setup.ts'

const folder = new URL('../../../golden/', import.meta.url)

describe('reference cases on simd', () => {
  onSimd()
  it.each(readdirSync(folder).filter((name) => name.endsWith('.safetensors')))('%s', async (file) => {
    const { checks } = await checkConformance(readFileSync(new URL(file, folder)), file)
    expect(checks.filter(({ error, tolerance }) => !(error <= tolerance))).toEqual([])
  })
})

describe('cases of other options on simd', () => {
  onSimd()
  it.each(readdirSync(new URL('variants/', folder)))('%s', async (file) => {
    const { passed, worst } = await checkConformance(readFileSync(new URL(`variants/${file}`, folder)), file)
    expect({ passed, worst }).toEqual({ passed: true, worst: expect.anything() })
  })
})

describe('training on simd', () => {
  onSimd()
  const recipe = resolveRecipe({ steps: 20, batch: 16, optimizer: adamw({ learningRate: 5e-3 }), evalEvery: 10 })

  async function run(block: typeof gmlp | typeof mixer) {
    const model = toyModel(block)
    const before = tf.memory().numTensors
    const events = await collect(train({ model, task: toyTask(), recipe, seed: 1 }))
    expect(tf.memory().numTensors).toBe(before)
    model.dispose()
    const checkpoint = events.findLast((event) => event.type === 'checkpoint')
    return { losses: series(events, 'train/loss'), weights: checkpoint?.weights }
  }

  it.each([
    ['gmlp', gmlp],
    ['mixer', mixer],
  ])('%s: bit-equal weights for the same seed, losses as on cpu, and all memory given back', async (_, block) => {
    const heap = () => (tf.memory() as unknown as { heapBytes: number }).heapBytes
    const used = heap()
    const first = await run(block as typeof gmlp)
    expect(heap()).toBe(used)
    const second = await run(block as typeof gmlp)
    expect(second.weights).toEqual(first.weights)
    await tf.setBackend('cpu')
    const stock = await run(block as typeof gmlp)
    await tf.setBackend('simd')
    first.losses.forEach((loss, i) => {
      expect(loss).toBeCloseTo(stock.losses[i] as number, 3)
    })
  })
})
