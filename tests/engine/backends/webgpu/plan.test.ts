import { describe, expect, it } from 'vitest'
import { pagesOfLanes } from '../../../../engine/backends/webgpu/lanes.ts'
import { lowered, planOf } from '../../../../engine/backends/webgpu/plan.ts'
import { configurations } from '../../../../engine/bench/configurations.ts'
import { recordTwice } from '../../../../engine/compile/compile.ts'
import { recordableCode } from '../../../../engine/compile/model.ts'
import type { Spec } from '../../../../engine/compile/record.ts'
import { PARAMETER, type Update } from '../../../../engine/compile/training.ts'
import { resnet } from '../../../../engine/models/index.ts'
import { sample } from '../../../long.ts'
import { tiny } from '../../models/tiny.ts'
import { primitiveCode, primitiveModel, SHAPE } from '../../nn/primitiveCode.ts'
import { kinked, smooth } from '../../nn/primitives.ts'
import { nullCard } from './cards.ts'
import { expectGoodPlan, expectGoodShaders } from './goodPlan.ts'
import { DROPPING, stepPlan, trainingGraph, UPDATE } from './graphs.ts'

const EXAMPLES = { image: [16, 16, 3], text: [7], features: [7, 6] }
/** Every architecture once for each kind of input: ResNet-20 as it is, all others with six blocks. */
const models = tiny
  .filter(([name]) => !/, (?!text|relative)/.test(name))
  .map(([name, block, modality]) => [name, name === 'resnet' ? resnet() : block, modality] as const)
const options = { patch: 4, dim: 12, ffnRatio: 3, depth: 6, ...DROPPING }

const updates: [string, Update][] = [
  ['lamb', { ...UPDATE, kernel: 'LambUpdate', options: { ...UPDATE.options, maxGradNorm: 1 } }],
  ['sgd', { ...UPDATE, kernel: 'SgdUpdate', options: { momentum: 0.9, nesterov: true, weightDecay: 0.1 } }],
  ['plain adamw', { ...UPDATE, clip: 0, average: null, parts: 1 }],
]

/** Memory in several buffers, as small cards have it. */
const SEVERAL = { maxStorageBufferBindingSize: 2 ** 14, maxBufferSize: 2 ** 14, maxStorageBuffersPerShaderStage: 8 }

describe(`a training step as a plan${typeof nullCard === 'string' ? `, shaders not checked: ${nullCard}` : ''}`, () => {
  /** Six blocks of RepMLP have 42 BatchNorms. */
  const mostOf = (name: string) => (/^repmlp(, text)?$/.test(name) ? 325 : 250)
  it.each(sample(models, 3, 4))('of %s, with everything on, has few dispatches', async (name, block, modality) => {
    const sizes = { options, input: EXAMPLES[modality], outputs: 11, batch: 4 }
    const { recorded, trainees } = await trainingGraph(block, modality, sizes)
    const plan = stepPlan(recorded, trainees, UPDATE)
    expect(plan.dispatches.length).toBeLessThanOrEqual(mostOf(name))
    await expectGoodPlan(plan)
  })

  const large: [string, number][] = [
    ['gmlp-128x6', 110],
    ['mixer-128x6', 130],
    ['vit-128x6', 170],
  ]
  it.each(sample(large))(
    'of %s has at most %i dispatches and 350 MB, six of them together 1 or 2 buffers',
    async (name, most) => {
      const found = configurations.find((each) => each.name === name)
      if (!found) throw new Error('is no configuration')
      const { recorded, trainees } = await trainingGraph(found.block, found.modality, found)
      const plan = stepPlan(recorded, trainees, { ...UPDATE, clip: 0, average: null, parts: 1 })
      expect(plan.dispatches.length).toBeLessThanOrEqual(most)
      expect(4 * (plan.floats + plan.ints)).toBeLessThan(350e6)
      await expectGoodPlan(plan)
      for (const bytes of [2 ** 30, 2 ** 32 - 4]) {
        const limits = { maxStorageBufferBindingSize: bytes, maxBufferSize: bytes, maxStorageBuffersPerShaderStage: 8 }
        const pages = pagesOfLanes(Array(6).fill(plan), limits)
        expect(pages).toMatchObject(
          bytes === 2 ** 30 ? { count: 2, elements: 2 ** 28, seen: 2 } : { count: 1, seen: 1 },
        )
        await expectGoodShaders(plan.shaders, pages, 6)
      }
    },
  )

  it.each(updates)('updates by %s', async (_, update) => {
    const [, block, modality] = models[0] as (typeof models)[number]
    const sizes = { options: { patch: 8, dim: 6, depth: 1 }, input: EXAMPLES[modality], outputs: 11, batch: 4 }
    const { recorded, trainees } = await trainingGraph(block, modality, sizes)
    await expectGoodPlan(stepPlan(recorded, trainees, update, { limits: SEVERAL }))
  })
})

it('a batch of which no part is small enough is taken example by example', async () => {
  const [, block, modality] = models[0] as (typeof models)[number]
  const sizes = { options: { patch: 8, dim: 6, depth: 1 }, input: EXAMPLES[modality], outputs: 11, batch: 6 }
  const { recorded, trainees } = await trainingGraph(block, modality, sizes)
  const partsOf = (most: number, least = 1) => stepPlan(recorded, trainees, UPDATE, { most, least }).parts
  expect([partsOf(1), partsOf(2 ** 28), partsOf(2 ** 28, 2), partsOf(2 ** 28, 4)]).toEqual([6, 1, 2, 6])
})

describe('a function of the block language and its gradients as a plan', () => {
  it.each(sample(Object.entries({ ...smooth, ...kinked }), 1, 3))('of %s', async (_, forward) => {
    const model = primitiveModel(forward)
    const inputs: Record<string, Spec> = {
      input: { shape: [4, ...SHAPE], dtype: 'float32' },
      ...Object.fromEntries(model.parameters.map(({ name, variable }) => [PARAMETER + name, variable])),
    }
    const graph = await recordTwice(inputs, recordableCode(model, true, primitiveCode(model)))
    model.dispose()
    if (graph instanceof Error) throw graph
    await expectGoodPlan(planOf(lowered(graph)))
  })
})

describe('a plan', () => {
  const use = (value: number, shape: number[]) => ({ value, shape, dtype: 'float32' as const })
  const x = use(0, [4, 6])
  const graph = { values: 3, backward: 0, inputs: { x }, constants: [], draws: [] }
  const one = (kernel: string, attributes = {}) => ({
    ...graph,
    operations: [{ kernel, attributes, inputs: { x }, outputs: [use(1, [4, 6])] }],
    outputs: { y: use(1, [4, 6]) },
  })

  it('is plain data', () => {
    const plan = planOf(lowered(one('Square')))
    expect(plan.dispatches).toEqual([
      { label: 'Square 24', operations: 0, shader: 0, workgroups: [1, 1, 1], places: [0, 32], window: [0] },
    ])
    expect(plan.shaders).toHaveLength(1)
    expect(plan.shaders[0]).toContain('(v0 * v0)')
  })

  it.each(['EluGrad', 'Prelu'])('has %s element by element', async (kernel) => {
    const operation = { kernel, attributes: {}, inputs: { a: x, b: use(2, [4, 6]) }, outputs: [use(1, [4, 6])] }
    const two = { ...one(kernel), inputs: { x, y: use(2, [4, 6]) }, operations: [operation] }
    await expectGoodPlan(planOf(lowered(two)))
  })

  it('says what there is no shader for', () => {
    expect(() => planOf(lowered(one('FFT')))).toThrow('uses FFT, for which there is no shader')
  })
})
