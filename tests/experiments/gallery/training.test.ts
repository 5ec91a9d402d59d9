import * as tf from '@tensorflow/tfjs'
import { beforeAll, expect, it } from 'vitest'
import { adamw } from '../../../engine/train/optimizers/index.ts'
import { resolveRecipe } from '../../../engine/train/recipe.ts'
import { train } from '../../../engine/train/train.ts'
import { expectGoodPlan } from '../../engine/backends/webgpu/goodPlan.ts'
import { DROPPING, stepPlan, trainingGraph, UPDATE } from '../../engine/backends/webgpu/graphs.ts'
import { leaveSimd, useThreads } from '../../engine/compile/setup.ts'
import { collect, series, toyModel, toyTask } from '../../engine/train/toy.ts'
import { sample } from '../../long.ts'
import { ideas, small } from './ideas.ts'

leaveSimd()
beforeAll(() => useThreads(1))

const some = sample(ideas).map((idea) => [idea.name, idea] as const)

it.each(some)('%s learns as a program on simd, and no tensor is left behind', async (_, idea) => {
  const model = toyModel(small(idea))
  const before = tf.memory().numTensors
  const recipe = resolveRecipe({ steps: 12, batch: 16, optimizer: adamw({ learningRate: 1e-2 }), warmup: 0 })
  const events = await collect(train({ model, task: toyTask(), recipe, seed: 1 }))
  // it would say that a step is done operation by operation
  expect(events.filter(({ type }) => type === 'warning' || type === 'failed')).toEqual([])
  const losses = series(events, 'train/loss')
  expect(losses.at(-1)).toBeLessThan(0.8 * (losses[0] as number))
  expect(tf.memory().numTensors).toBe(before)
  model.dispose()
})

it.each(some)('a training step of %s is a plan for graphics cards', async (_, idea) => {
  const sizes = { options: DROPPING, input: [8, 8, 3], outputs: 5, batch: 4 }
  const { recorded, trainees } = await trainingGraph(small(idea), 'image', sizes)
  await expectGoodPlan(stepPlan(recorded, trainees, UPDATE))
})
