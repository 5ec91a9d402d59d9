import * as tf from '@tensorflow/tfjs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { compile } from '../../../engine/compile/compile.ts'
import { compiled } from '../../../engine/compile/model.ts'
import { amlp, bert, convMixer, externalUnit, gmlp, mixer, vit } from '../../../engine/models/index.ts'
import { block } from '../../../engine/nn/block.ts'
import { dense, ones, parameter } from '../../../engine/nn/index.ts'
import { softmaxCrossEntropy } from '../../../engine/nn/losses.ts'
import type { Model } from '../../../engine/nn/model.ts'
import type { Block, Modality } from '../../../engine/nn/types.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { differentiator } from '../../../engine/train/differentiate.ts'
import { optimizerKind } from '../../../engine/train/optimizers/index.ts'
import { type RecipeOptions, resolveRecipe } from '../../../engine/train/recipe.ts'
import { isTiming } from '../../../engine/train/timings.ts'
import { train } from '../../../engine/train/train.ts'
import { sample } from '../../long.ts'
import { collect, toyModel, toyTask } from '../train/toy.ts'
import { architectures, heavyBatch, lossOf, smallBatch, smallModel } from './models.ts'
import { expectSameBits, leaveSimd, taken, useThreads, type Values } from './setup.ts'

vi.mock('../../../engine/compile/compile.ts', { spy: true })
leaveSimd()

/** Whether the last code that was to be compiled could be. */
async function hasProgram(): Promise<boolean> {
  return !((await vi.mocked(compile).mock.results.at(-1)?.value) instanceof Error)
}

/** Loss and gradients of some steps of training, with batches of an odd number of samples, of one and of many. */
async function steps(block: Block, modality: Modality, program: boolean): Promise<Record<string, Values>[]> {
  const model = smallModel(block, modality)
  const batches = [heavyBatch(modality, 5), smallBatch(modality, 1), heavyBatch(modality, 32)] as const
  const kind = optimizerKind('adamw')
  const optimizer = kind.create(kind.resolve({}), model.trained)
  const differences = differentiator(model, lossOf(model), { program })
  const results: Record<string, Values>[] = []
  for (const [step, batch] of [batches[0], batches[0], batches[1], batches[2], batches[0]].entries()) {
    const { loss, gradients } = await differences.run(batch, step)
    optimizer.update(gradients, 0.01)
    const after = model.parameters.map(({ name, variable }): [string, tf.Tensor] => [`after/${name}`, variable.clone()])
    results.push(taken({ loss, ...gradients, ...Object.fromEntries(after) }))
  }
  differences.dispose()
  optimizer.dispose()
  model.dispose()
  tf.dispose([...batches])
  return results
}

const eager = new Map<string, Record<string, Values>[]>()

describe.each([1, 2, 3])('with %i threads', (threads) => {
  beforeAll(() => useThreads(threads))

  it.each(sample(architectures, 3 * threads - 3, 9))(
    'the program of %s gives the bits of its operations, step after step',
    async (...model) => {
      const [name, block, modality] = model
      const wanted = eager.get(name) ?? (await steps(block, modality, false))
      eager.set(name, wanted)
      const found = await steps(block, modality, true)
      expect(await hasProgram()).toBe(true)
      for (const [step, results] of wanted.entries()) expectSameBits(found[step] ?? {}, results, `step ${step}`)
    },
  )
})

describe('a program', () => {
  beforeAll(() => useThreads(2))

  it.each(sample(architectures, 1))('evaluates %s', async (_, block, modality) => {
    const model = smallModel(block, modality)
    const batch = heavyBatch(modality, 3)
    const code = (program: boolean) =>
      compiled<'logits' | 'loss'>(model, { training: false, program }, (given, { mode }) => ({
        logits: model.apply(given.input as tf.Tensor, mode),
        loss: lossOf(model)(given, mode),
      }))
    const [own, other] = [code(true), code(false)]
    const found = taken(await own.run(batch, 0))
    expect(await hasProgram()).toBe(true)
    expectSameBits(found, taken(await other.run(batch, 0)), 'evaluation')
    for (const each of [own, other, model]) each.dispose()
    tf.dispose(batch)
  })

  const dropping: [string, Block, Modality][] = [
    ['gmlp', gmlp, 'image'],
    ['mixer', mixer({ dropPathDecay: 'constant' }), 'image'],
    ['vit', vit({ heads: 2 }), 'image'],
    ['gmlp, text', gmlp, 'text'],
    ['gmlp, with dropout', gmlp({ dropout: { hidden: 0.2, activation: 0.1, head: 0.3 } }), 'image'],
    ['vit, with dropout', vit({ heads: 2, dropout: { attention: 0.2, hidden: 0.1, embedding: 0.3 } }), 'image'],
    ['amlp, with dropout', amlp({ attention: 4, dropout: { attention: 0.2, embedding: 0.1 } }), 'text'],
  ]
  it.each(sample(dropping, 1, 2))(
    'drops branches of %s as its operations do, others at each step',
    async (_, block, modality) => {
      const model = smallModel(block, modality, { dropPath: 0.5, depth: 3 })
      const batch = heavyBatch(modality, 5)
      const differences = [true, false].map((program) => differentiator(model, lossOf(model), { program }))
      const losses = new Set<number>()
      for (const step of [0, 1, 2, 1000, 1]) {
        const [found, wanted] = await Promise.all(
          differences.map(async (each) => {
            const { loss, gradients } = await each.run(batch, step)
            return taken({ loss, ...gradients })
          }),
        )
        expectSameBits(found ?? {}, wanted ?? {}, `step ${step}`)
        losses.add(found?.loss?.values[0] as number)
      }
      expect(await hasProgram()).toBe(true)
      expect(losses.size).toBe(4) // step 1 came twice
      for (const each of differences) each.dispose()
      model.dispose()
      tf.dispose(batch)
    },
  )

  it.each(['float32', 'bool'] as const)('reads segments and a mask of %s', async (dtype) => {
    const model = smallModel(bert({ heads: 2, positions: 8 }), 'text')
    const mask = tf.tensor([1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0], [2, 7], dtype)
    const types = tf.tensor([0, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1], [2, 7], 'int32')
    const batch = { ...heavyBatch('text', 2), mask, types }
    const loss = ({ input, target, mask, types }: tf.NamedTensorMap, mode: object) => {
      const extras = { mask: tf.cast(mask as tf.Tensor, 'float32'), types: types as tf.Tensor }
      return softmaxCrossEntropy(model.apply(input as tf.Tensor, mode, extras), target as tf.Tensor)
    }
    const before = mask.dataSync().slice()
    const [own, other] = [differentiator(model, loss), differentiator(model, loss, { program: false })]
    const [found, wanted] = [await own.run(batch, 0), await other.run(batch, 0)]
    expect(await hasProgram()).toBe(true)
    expectSameBits(
      taken({ loss: found.loss, ...found.gradients }),
      taken({ loss: wanted.loss, ...wanted.gradients }),
      dtype,
    )
    expect(mask.dataSync()).toEqual(before)
    for (const each of [own, other, model]) each.dispose()
    tf.dispose(batch)
  })
})

describe('training a model with batch norms', () => {
  beforeAll(() => useThreads(2))

  const average = block('average', {}, (x, { dim }) => {
    const running = parameter('running', [dim], ones, { trained: false })
    const y = tf.sub(dense(x, dim), running)
    running.assign(tf.add(tf.mul(running, 0.9), tf.mul(tf.mean(y, [0, 1]), 0.1)))
    return tf.add(x, tf.mul(y, running))
  })

  /** The weights after some steps, best and averaged ones, too, and all metrics but the times. */
  async function run(model: Model, options: RecipeOptions) {
    vi.mocked(compile).mockClear()
    const recipe = resolveRecipe({ steps: 6, batch: 8, evalEvery: 3, ...options })
    const events = await collect(train({ model, task: toyTask(), recipe, seed: 1 }))
    const programs = await Promise.all(vi.mocked(compile).mock.results.map(({ value }) => value))
    const timed = (event: TrainEvent) => event.type === 'step' || ('name' in event && isTiming(event.name))
    model.dispose()
    return { events: events.filter((event) => !timed(event)), failed: programs.filter((each) => each instanceof Error) }
  }

  const trainings: [string, Block, RecipeOptions][] = [
    ['', convMixer, {}],
    ['in parts', convMixer, { accumulate: 4 }],
    ['with an average', convMixer, { ema: 0.8, accumulate: 2 }],
    ['with decay by layer', convMixer, { layerDecay: 0.7, clip: 0.5, ema: 0.9 }],
    ['of outputs of products', externalUnit({ slots: 8 }), { accumulate: 2 }],
    ['of a cell', average, { accumulate: 2, ema: 0.8 }],
  ]
  it.each(sample(trainings, 1, 2))('%s gives the bits of its operations', async (_, block, options) => {
    const found = await run(toyModel(block), options)
    expect(found.failed).toEqual([])
    vi.mocked(compile).mockResolvedValue(new Error('not now'))
    const wanted = await run(toyModel(block), options)
    vi.mocked(compile).mockReset()
    expect(wanted.failed.length).toBeGreaterThan(1)
    const warnings = wanted.events.filter(({ type }) => type === 'warning')
    expect(warnings).toMatchObject([{ message: expect.stringContaining('not now'), code: true }])
    expect(found.events).toEqual(wanted.events.filter(({ type }) => type !== 'warning'))
  })
})
