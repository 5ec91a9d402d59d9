import * as tf from '@tensorflow/tfjs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { WebGpuBackend } from '../../../../engine/backends/webgpu/backend.ts'
import type { GpuUsage } from '../../../../engine/bench/countingDevice.ts'
import { compile } from '../../../../engine/compile/compile.ts'
import type { Spec } from '../../../../engine/compile/record.ts'
import { gmlp } from '../../../../engine/models/index.ts'
import { block, dense } from '../../../../engine/nn/index.ts'
import type { LossOf } from '../../../../engine/train/differentiate.ts'
import { movingAverage } from '../../../../engine/train/ema.ts'
import { optimizerKind } from '../../../../engine/train/optimizers/index.ts'
import { resolveRecipe } from '../../../../engine/train/recipe.ts'
import { trainingSteps } from '../../../../engine/train/steps/index.ts'
import { train } from '../../../../engine/train/train.ts'
import { collect, toyModel, toyTask } from '../../train/toy.ts'
import { leaveCard, noCard, useNullCard } from './cards.ts'

leaveCard()

describe.skipIf(noCard)(`a program on a card that computes nothing ${noCard}`, () => {
  let backend: WebGpuBackend
  let asked: GpuUsage
  beforeAll(async () => {
    const card = await useNullCard()
    backend = card.backend
    asked = card.asked
  })

  it('is one submission, and makes no buffer after the first runs', async () => {
    const x = tf.tensor(new Float32Array(24), [4, 6])
    const program = await compile(backend, { x }, 4, ({ x }) => ({ y: tf.softmax(tf.square(x as tf.Tensor)) }))
    if (program instanceof Error) throw program
    for (let i = 0; i < 3; i++) tf.dispose(program.run({ x }, i))
    const before = { ...asked }
    tf.dispose(program.run({ x }, 3))
    expect(asked).toEqual({ buffers: before.buffers, submits: before.submits + 1, dispatches: before.dispatches + 1 })
    program.dispose()
    x.dispose()
  })

  it('that cannot be says why', async () => {
    const x = tf.tensor(new Float32Array(4), [2, 2])
    const without = await compile(backend, { x }, 1, ({ x }) => ({ y: tf.multinomial(x as tf.Tensor2D, 2, 1) }))
    expect(without).toMatchObject({ message: 'uses Multinomial, for which there is no shader' })
    const large: Record<string, Spec> = { x: { shape: [2 ** 20, 2 ** 12], dtype: 'float32' } }
    const refused = await compile(backend, large, 1, ({ x }) => ({ y: tf.square(x as tf.Tensor) }))
    expect(refused).toMatchObject({
      message: expect.stringMatching(
        /needs more at once than the 7 buffers of 128 MiB that this card lets a shader see/,
      ),
    })
    x.dispose()
  })

  it('says that values on the card are to be awaited', () => {
    const y = tf.tidy(() => tf.square(tf.tensor(new Float32Array(1000).fill(2))))
    expect(() => y.dataSync()).toThrow('await tensor.data() does')
    y.dispose()
  })

  it.each([
    ['a step', {}, 1],
    ['a step with everything on', { clip: 1, ema: 0.9, layerDecay: 0.8 }, 1],
    ['a step in parts', { accumulate: 2 }, 2],
  ])('%s of training is one submission a part, and memory stays flat', async (_, options, submits) => {
    const model = toyModel(gmlp)
    const recipe = resolveRecipe({ steps: 12, batch: 8, evalEvery: 12, logEvery: 100, ...options })
    const seen: GpuUsage[] = []
    for await (const event of train({ model, task: toyTask(), recipe, seed: 1 })) {
      if (event.type === 'step') seen.push({ ...asked })
      expect(event.type).not.toBe('warning')
    }
    const [before, after] = [seen[5], seen[10]] as [GpuUsage, GpuUsage]
    expect(after.submits - before.submits).toBe(5 * submits)
    expect(after.buffers).toBe(before.buffers)
    model.dispose()
  })

  it('trains code without shaders operation by operation, and says why', async () => {
    const drawing = block('drawing', {}, (x, { dim }) => {
      return tf.add(dense(x, dim), tf.multinomial(tf.tensor2d([[0, 1]]), dim, 1))
    })
    const model = toyModel(drawing)
    const recipe = resolveRecipe({ steps: 2, batch: 8, evalEvery: 2 })
    const events = await collect(train({ model, task: toyTask(), recipe, seed: 1 }))
    const warning = events.find(({ type }) => type === 'warning')
    expect(warning).toMatchObject({ message: expect.stringContaining('operation by operation: uses Multinomial') })
    expect(events.at(-1)?.type).toBe('done')
    model.dispose()
  })

  it('takes over what is assigned to parameters, and trains batches of another shape', async () => {
    const model = toyModel(gmlp)
    const kind = optimizerKind('adamw')
    const optimizer = kind.create(kind.resolve({}), model.trained)
    const lossOf: LossOf = ({ x }, mode) => tf.mean(tf.square(model.apply(x as tf.Tensor, mode))) as tf.Scalar
    const recipe = { accumulate: 1, clip: undefined, ema: undefined, layerDecay: undefined }
    const average = movingAverage([], undefined)
    const steps = trainingSteps({ model, lossOf, parameters: model.trained, optimizer, average, recipe })
    for (const [step, batch] of [4, 4, 3, 4].entries()) {
      const x = tf.zeros([batch, 8, 8, 1])
      await steps.run({ x }, step, 0.1, true)
      tf.dispose([x, steps.gradients()])
    }
    expect((await steps.readMetrics()).map(({ step }) => step)).toEqual([1, 2, 3, 4])
    expect(optimizer.state().step).toBe(4)
    expect(steps.fallback()).toBeNull()
    steps.syncVariables()
    for (const each of [steps, optimizer, model]) each.dispose()
  })

  it('trains as often as it is asked to', async () => {
    const model = toyModel(gmlp)
    const recipe = resolveRecipe({ steps: 3, batch: 8, evalEvery: 3, histograms: true })
    const events = await collect(train({ model, task: toyTask(), recipe, seed: 1 }))
    expect(events.filter(({ type }) => type === 'histograms')).toHaveLength(1)
    expect(events.at(-1)).toEqual({ type: 'done', step: 3 })
    model.dispose()
  })
})
