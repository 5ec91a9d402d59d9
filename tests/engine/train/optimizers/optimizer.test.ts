import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { gmlp } from '../../../../engine/models/index.ts'
import { movingAverage } from '../../../../engine/train/ema.ts'
import {
  adamw,
  lion,
  muon,
  type OptimizerRule,
  type OptimizerSpec,
  optimizer,
  optimizerOf,
  scheduleFree,
  sgd,
} from '../../../../engine/train/optimizers/index.ts'
import { type RecipeOptions, resolveRecipe } from '../../../../engine/train/recipe.ts'
import { trainingSteps } from '../../../../engine/train/steps/index.ts'
import { train } from '../../../../engine/train/train.ts'
import { onSimd } from '../../backends/simd/setup.ts'
import { collect, series, toyModel, toyTask } from '../toy.ts'

/** Momentum with a running total of any shape, and all numbers that a rule can ask for. */
const heavy = optimizer(
  'heavy',
  { learningRate: 0.05, weightDecay: 0.1, beta: 0.9, push: false },
  {
    state: (weight) => ({ speed: tf.zerosLike(weight), total: tf.scalar(0) }),
    scalars: ({ step, options: { beta } }) => ({ bias: 1 - beta ** step }),
    update: ({ weight, gradient, norm, step, learningRate, decay, bias, speed, total, options: { beta } }) => {
      const next = tf.add(tf.mul(speed, beta), tf.mul(gradient, 1 - beta))
      const sum = tf.add(total, tf.div(norm, step))
      const change = tf.add(tf.div(tf.div(next, bias), tf.add(1, sum)), tf.mul(weight, decay))
      return { weight: tf.sub(weight, tf.mul(change, learningRate)), speed: next, total: sum }
    },
  },
)

async function losses(optimizer: OptimizerSpec, options: RecipeOptions = {}) {
  const model = toyModel(gmlp)
  const recipe = resolveRecipe({ steps: 6, batch: 16, evalEvery: 3, evalExamples: 20, optimizer, ...options })
  try {
    const events = await collect(train({ model, task: { ...toyTask(), metric: 'test/loss' }, recipe, seed: 1 }))
    return { events, losses: series(events, 'train/loss') }
  } finally {
    model.dispose()
  }
}

/** The weights after some steps, as programs or operation by operation. */
async function weightsAfter(spec: OptimizerSpec, program: boolean): Promise<Float32Array[]> {
  const model = toyModel(gmlp)
  const kind = optimizerOf(spec)
  const own = kind.create(
    kind.resolve(spec.options),
    model.trained,
    model.trained.map((_, i) => (i % 2 ? 0.5 : 1)),
  )
  const task = toyTask()
  const average = movingAverage([], undefined)
  const recipe = { accumulate: 1, clip: 1, ema: undefined, layerDecay: undefined }
  const lossOf = (batch: tf.NamedTensorMap, mode: object) =>
    task.loss(model.apply(batch.input as tf.Tensor, mode), batch as never)
  const steps = trainingSteps(
    { model, lossOf, parameters: model.trained, optimizer: own, average, recipe },
    { program },
  )
  let step = 0
  for await (const batch of task.trainBatches(8, 1, 0, {} as never)) {
    await steps.run(batch, step, 0.01, false)
    tf.dispose(batch)
    if (++step === 4) break
  }
  expect(own.fallback?.()).toBeNull()
  const all = [...model.parameters.map(({ variable }) => variable), ...Object.values(own.state().tensors)]
  const values = all.map((variable) => variable.dataSync<'float32'>().slice())
  for (const each of [steps, own, model]) each.dispose()
  return values
}

describe('an update as a program', () => {
  onSimd()
  it.each([
    ['heavy', heavy()],
    ['lion', lion()],
    ['schedule_free', scheduleFree({ weightDecay: 0.1 })],
  ])('%s: has the bits of its operations, with rates by parameter', async (_, spec) => {
    expect(await weightsAfter(spec, true)).toEqual(await weightsAfter(spec, false))
  })
})

describe('an optimizer of a cell', () => {
  onSimd()
  it('trains, with clipping, parts, layer decay and an average, and leaves nothing behind', async () => {
    const before = tf.memory().numTensors
    const { losses: all, events } = await losses(heavy(), { clip: 1, accumulate: 2, layerDecay: 0.8, ema: 0.9 })
    expect(all).toHaveLength(6)
    expect(all.every(Number.isFinite)).toBe(true)
    expect(events.filter(({ type }) => type === 'warning')).toEqual([])
    expect(tf.memory().numTensors).toBe(before)
  })
  it('that goes on from another one has its options and its bits', async () => {
    const same = optimizer('same', { rho: 1 }, { over: sgd })
    expect((await losses(same({ momentum: 0.5 }))).losses).toEqual((await losses(sgd({ momentum: 0.5 }))).losses)
  })
  it('may say what is evaluated', async () => {
    const still = optimizer(
      'still',
      { learningRate: 0.1 },
      {
        state: (weight) => ({ first: weight }),
        update: ({ weight, gradient, learningRate, first }) => ({
          weight: tf.sub(weight, tf.mul(gradient, learningRate)),
          first,
        }),
        evaluationWeights: ({ first }) => first,
      },
    )
    const { events } = await losses(still())
    const [a, b] = series(events, 'validation/loss')
    expect(a).toBe(b)
    expect(() => resolveRecipe({ optimizer: still(), ema: 0.9 })).toThrow(
      'train.ema: 0.9, expected none beside still, which says itself what is evaluated',
    )
  })
  it('may ask for a second gradient of the same batch with the same draws', async () => {
    const again = optimizer('again', {}, { over: sgd, secondGradient: ({ weight }) => weight })
    const options = { augment: undefined }
    expect((await losses(again(), options)).losses).toEqual((await losses(sgd(), options)).losses)
    const off = optimizer('off', {}, { over: sgd, secondGradient: ({ weight }) => tf.mul(weight, 1.5) })
    const moved = (await losses(off())).losses
    const plain = (await losses(sgd())).losses
    expect(moved[0]).toBe(plain[0])
    expect(moved[1]).not.toBe(plain[1])
  })
})

type Rule = OptimizerRule<{ learningRate: number }, string, string>

describe('an optimizer is refused before training', () => {
  const plain: Rule = { update: ({ weight, gradient }) => ({ weight: tf.sub(weight, gradient) }) }
  it.each<[string, Partial<Rule>, string]>([
    ['without the weight', { update: () => ({}) as never }, "update gave no 'weight', expected { weight }"],
    ['that gives a tensor', { update: ({ weight }) => weight as never }, 'update gave a tensor ['],
    ['that gives a number', { update: () => ({ weight: 1 }) as never }, "update gave 'weight': 1, expected a tensor ["],
    [
      'that forgets its state',
      { state: ['speed'], update: ({ weight }) => ({ weight }) },
      "update gave no 'speed', expected { weight, speed }",
    ],
    [
      'that misspells it',
      { state: ['speed'], update: ({ weight }) => ({ weight, speed: weight, sped: weight }) },
      "update gave 'sped', which it has no state for (did you mean 'speed'?)",
    ],
    [
      'with another shape',
      { update: ({ weight }) => ({ weight: tf.sum(weight) }) },
      "update gave 'weight': [], expected [",
    ],
    [
      'with another shape of its state',
      { state: () => ({ total: tf.scalar(0) }), update: ({ weight }) => ({ weight, total: weight }) },
      'expected [] where the weight is [',
    ],
    [
      'that divides by a gradient of zeros',
      { update: ({ weight, gradient }) => ({ weight: tf.div(tf.mul(gradient, weight), tf.sum(tf.abs(gradient))) }) },
      'is not finite after a gradient of zeros: RealDiv',
    ],
    [
      'that calculates with tensors as with numbers',
      {
        update: ({ weight, gradient, learningRate }) => ({
          weight: tf.sub(weight, tf.mul(gradient, (learningRate as unknown as number) * 2)),
        }),
      },
      'is not finite after a normal gradient',
    ],
    [
      'with a second gradient at no weight',
      { ...plain, secondGradient: ({ norm }) => norm },
      'secondGradient gave: [], expected [',
    ],
  ])('%s', async (_, rule, message) => {
    const own = optimizer('own', { learningRate: 0.1 }, rule as Rule)
    await expect(losses(own())).rejects.toThrow(message)
  })
  it.each<[string, () => unknown, string]>([
    [
      'no name',
      () => optimizer('' as string, { learningRate: 1 }, plain),
      "optimizer: expected a name as first argument, e.g. 'lion'",
    ],
    [
      'no update',
      () => optimizer('own', { learningRate: 1 }, {} as never),
      "optimizer 'own': expected a function update",
    ],
    [
      'no rate',
      () => optimizer('own', {}, plain as never),
      "optimizer 'own': expected a learningRate among its defaults",
    ],
    [
      'a list as default',
      () => optimizer('own', { learningRate: 1, betas: [1] }, plain as never),
      "default of 'betas'",
    ],
    [
      'a part that is none',
      () => optimizer('own', { learningRate: 1 }, { ...plain, updat: 1 } as never),
      "unknown 'updat'",
    ],
    [
      'a taken name',
      () => optimizer('own', { learningRate: 1 }, { ...plain, state: ['norm'] } as never),
      "cannot be called 'norm'",
    ],
    ['over nothing', () => optimizer('own', {}, { over: 'sgd' } as never), 'over: expected an optimizer, e.g. sgd'],
    [
      'options of another type',
      () => resolveRecipe({ optimizer: heavy({ beta: '0.9' } as never) }),
      "train.optimizer.beta: '0.9', expected a number",
    ],
    [
      'an unknown option',
      () => resolveRecipe({ optimizer: heavy({ bta: 0.9 } as never) }),
      "unknown option 'bta' (did you mean 'beta'?)",
    ],
    [
      'a rate of 0',
      () => resolveRecipe({ optimizer: heavy({ learningRate: 0 }) }),
      'train.optimizer.learningRate: 0, expected more than 0',
    ],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(message)
  })
  it('Muon of what is no matrix', async () => {
    await expect(losses(muon())).rejects.toThrow(
      "optimizer 'muon': a weight of [8] is no matrix; give it to another optimizer in groups",
    )
    expect(adamw().defined).toBeUndefined()
  })
})
