import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { gmlp } from '../../../../engine/models/index.ts'
import { scaleInitially } from '../../../../engine/train/initialScale.ts'
import {
  adamw,
  groups,
  lamb,
  muon,
  type OptimizerSpec,
  optimizerOf,
  sam,
  scheduleFree,
  sgd,
} from '../../../../engine/train/optimizers/index.ts'
import { type RecipeOptions, resolveRecipe } from '../../../../engine/train/recipe.ts'
import { train } from '../../../../engine/train/train.ts'
import { onSimd } from '../../backends/simd/setup.ts'
import { withParameters } from '../parameters.ts'
import { collect, series, toyModel, toyTask } from '../toy.ts'

async function losses(optimizer: OptimizerSpec, options: RecipeOptions = {}): Promise<number[]> {
  const model = toyModel(gmlp)
  const recipe = resolveRecipe({ steps: 6, batch: 16, evalEvery: 3, evalExamples: 20, optimizer, ...options })
  try {
    const events = await collect(train({ model, task: { ...toyTask(), metric: 'test/loss' }, recipe, seed: 1 }))
    return series(events, 'train/loss')
  } finally {
    model.dispose()
  }
}

/** How far one update with gradients of 1 moves some parameters. */
async function moved(spec: OptimizerSpec, values: Record<string, number[]>): Promise<Record<string, number>> {
  return withParameters(values, (parameters) => {
    const kind = optimizerOf(spec)
    const optimizer = kind.create(kind.resolve(spec.options), parameters)
    tf.tidy(() => {
      optimizer.update(Object.fromEntries(parameters.map(({ name, shape }) => [name, tf.ones(shape)])), 0.1)
    })
    optimizer.dispose()
    return Object.fromEntries(
      parameters.map(({ name, variable }) => [
        name,
        (variable.dataSync()[0] as number) - (values[name]?.[0] as number),
      ]),
    )
  })
}

const plain = { momentum: 0, weightDecay: 0 }
const values = { 'blocks.0.fc.weight': [1, 2], 'blocks.1.norm.weight': [3], 'head.weight': [4] }

describe('groups', () => {
  onSimd()
  it('of one optimizer are that optimizer, to the bit', async () => {
    const whole = await losses(adamw(), { clip: 1, layerDecay: 0.9 })
    const parts = groups([{ match: /blocks/, optimizer: adamw() }, { optimizer: adamw() }])
    expect(await losses(parts, { clip: 1, layerDecay: 0.9 })).toEqual(whole)
  })
  it('have rates of their own, by patterns, segments and lists of names', async () => {
    const spec = groups([
      { match: /^blocks\.\d+\.fc/, optimizer: sgd({ ...plain, learningRate: 0.1 }) },
      { match: ['norm.weight', 'none'], optimizer: sgd({ ...plain, learningRate: 0.2 }) },
      { match: 'head', optimizer: sgd({ ...plain, learningRate: 0.4 }) },
    ])
    const changes = await moved(spec, values)
    expect(changes['blocks.0.fc.weight']).toBeCloseTo(-0.1, 6)
    expect(changes['blocks.1.norm.weight']).toBeCloseTo(-0.2, 6)
    expect(changes['head.weight']).toBeCloseTo(-0.4, 6)
  })
  it('train matrices by Muon and the rest by AdamW, leaving nothing behind', async () => {
    const spec = groups([{ match: /blocks/, dims: 2, optimizer: muon() }, { optimizer: adamw() }])
    expect((await losses(spec)).every(Number.isFinite)).toBe(true)
  })
  it('take a second gradient, and evaluate other weights, where one of them does', async () => {
    const parts = groups([{ match: 'head', optimizer: sgd() }, { optimizer: sam() }])
    expect(await losses(parts)).not.toEqual(await losses(sgd()))
    const free = groups([{ match: 'head', optimizer: sgd() }, { optimizer: scheduleFree() }])
    expect(await losses(free)).toHaveLength(6)
    expect(() => resolveRecipe({ optimizer: free, ema: 0.9 })).toThrow('train.ema: 0.9, expected none beside groups')
  })
  it('scale what training starts from', () => {
    const spec = groups([{ match: 'head', optimizer: sgd(), initialScale: 0.5 }, { optimizer: sgd() }])
    const [scaled, other] = [scaleInitially(toyModel(gmlp), spec), toyModel(gmlp)]
    for (const [i, { name, variable }] of scaled.trained.entries()) {
      const before = other.trained[i]?.variable.dataSync() ?? []
      expect([...variable.dataSync()]).toEqual(
        [...before].map((value) => (name.startsWith('head') ? value / 2 : value)),
      )
    }
    for (const model of [scaled, other]) model.dispose()
  })
})

describe('groups are refused', () => {
  it.each<[string, OptimizerSpec, string]>([
    [
      'that leave a parameter out',
      groups([{ match: 'blocks', optimizer: sgd() }]),
      "train.optimizer.groups: no group takes 'head.weight' [1]; let the last one have no match",
    ],
    [
      'without parameters',
      groups([{ optimizer: sgd() }, { match: 'head', optimizer: lamb() }]),
      'train.optimizer.groups.1: takes no parameter that is not in a group before it',
    ],
    ['without any', groups([]), 'train.optimizer.groups: [], expected at least 1'],
    [
      'with a function in place of its options',
      groups([{ optimizer: sgd as never }]),
      'train.optimizer.groups.0.optimizer.optimizer: missing, expected a string',
    ],
    ['with another option', groups([{ optimizer: sgd(), rate: 1 } as never]), "unknown option 'rate'"],
    ['of an unknown optimizer', groups([{ optimizer: { optimizer: 'sdg', options: {} } }]), "did you mean 'sgd'?"],
  ])('%s', async (_, spec, message) => {
    await expect(moved(spec, values)).rejects.toThrow(message)
  })
  it('as something else than a list', () => {
    expect(() => groups({} as never)).toThrow('groups: expected a list, e.g. [{ optimizer: adamw() }]')
  })
})
