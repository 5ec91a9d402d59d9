import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { spawnAugmenter, spawnFrom } from '../../../app/augmenter.ts'
import { augmentation } from '../../../engine/data/augment/augmentation.ts'
import type { SpawnAugmenter } from '../../../engine/data/augment/thread.ts'
import { shapes } from '../../../engine/data/index.ts'
import { gmlp } from '../../../engine/models/index.ts'
import { createModel } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { image, resolveTask, taskKind } from '../../../engine/tasks/index.ts'
import type { Batch, Task } from '../../../engine/tasks/types.ts'
import { deit } from '../../../engine/train/presets/index.ts'
import { type RecipeOptions, resolveRecipe } from '../../../engine/train/recipe.ts'
import { train } from '../../../engine/train/train.ts'
import { noFiles as none } from '../data/memory-files.ts'
import { collect, series } from '../train/toy.ts'

async function open(data = shapes({ train: 40, test: 30, size: 16 })): Promise<Task> {
  const { task, options } = resolveTask(image({ data }))
  return taskKind(task).open(options, none)
}

const same = augmentation('same', ({ values }) => values)

describe('image classification', () => {
  it('gives batches of pixels in -1..1 and labels, and every held-out example once', async () => {
    const task = await open()
    const sizes: number[] = []
    for await (const { input, target } of task.evalBatches('test', 16)) {
      expect(input.shape.slice(1)).toEqual([16, 16, 3])
      const [low, high] = tf.tidy(() => [tf.min(input).dataSync()[0], tf.max(input).dataSync()[0]])
      expect(low).toBeGreaterThanOrEqual(-1)
      expect(low).toBeLessThan(0)
      expect(high).toBeLessThanOrEqual(1)
      sizes.push(target?.shape[0] ?? 0)
      tf.dispose([input, target as tf.Tensor])
    }
    expect(sizes).toEqual([16, 14])
  })

  it('bounds the evaluation when asked', async () => {
    const sizes: number[] = []
    for await (const { input, target } of (await open()).evalBatches('test', 16, 20)) {
      sizes.push(target?.shape[0] ?? 0)
      tf.dispose([input, target as tf.Tensor])
    }
    expect(sizes).toEqual([16, 4])
  })

  it('orders the training examples by seed, and goes on from any step', async () => {
    const task = await open()
    const labels = async (seed: number, from: number) => {
      const batches = task.trainBatches(8, seed, from)
      const { value } = await batches.next()
      const found = [...value.target.dataSync()]
      tf.dispose([value.input, value.target])
      await batches.return(undefined)
      return found
    }
    expect(await labels(1, 3)).toEqual(await labels(1, 3))
    expect(await labels(1, 3)).not.toEqual(await labels(2, 3))
    expect(await labels(1, 3)).not.toEqual(await labels(1, 4))
  })

  it('gives augmented batches of the same shapes, with distributions for labels, from any step on', async () => {
    const task = await open()
    const recipe = resolveRecipe(deit({ augment: { repeats: 2 } }))
    const batchesFrom = async (from: number, count: number, spawnAugmenter?: SpawnAugmenter) => {
      const batches = task.trainBatches(8, 1, from, { recipe, spawnAugmenter })
      const values: Float32Array[][] = []
      for (let i = 0; i < count; i++) {
        const { input, target }: Batch = (await batches.next()).value
        expect([input.shape, target?.shape]).toEqual([
          [8, 16, 16, 3],
          [8, 10],
        ])
        values.push([input, target as tf.Tensor].map((tensor) => tensor.dataSync<'float32'>().slice()))
        tf.dispose([input, target as tf.Tensor])
      }
      await batches.return(undefined)
      return values
    }
    const all = await batchesFrom(0, 4)
    expect(await batchesFrom(2, 2)).toEqual(all.slice(2))
    const three = Object.assign(() => spawnAugmenter(), { most: 3 })
    expect(await batchesFrom(2, 2, three)).toEqual(all.slice(2))
  })

  it.each<[string, RecipeOptions & { made?: boolean }, number]>([
    ['no thread for examples that are kept', {}, 0],
    ['none for them where only labels are smoothed', { labelSmoothing: 0.1, augment: { repeats: 3 } }, 0],
    ['one thread for all batches', { augment: { flip: 0.5 } }, 1],
    ['none for them where code of a cell changes them', { augment: { flip: 0.5, own: [same] } }, 0],
    ['one that makes examples for the first time', { made: false }, 1],
    ['one that makes and augments them', { made: false, augment: { flip: 0.5 } }, 1],
  ])('starts %s, and ends it', async (_, { made = true, ...options }, wanted) => {
    const task = await open()
    const all = task.trainBatches(40, 1, 0, { recipe: resolveRecipe({}) })
    if (made) tf.dispose((await all.next()).value)
    await all.return(undefined)
    let [started, ended] = [0, 0]
    const spawn = async () => {
      started += 1
      const thread = await spawnAugmenter()
      return {
        ...thread,
        end: () => {
          ended += 1
          thread.end()
        },
      }
    }
    const batches = task.trainBatches(8, 1, 0, { recipe: resolveRecipe(options), spawnAugmenter: spawn })
    for (let i = 0; i < 3; i++) tf.dispose((await batches.next()).value)
    await batches.return(undefined)
    await expect.poll(() => [started, ended]).toEqual([wanted, wanted])
  })

  it('trains on the same bits in a thread as without, and fails when the thread ends', async () => {
    const task = await open()
    const size = resolveSize(gmlp, { patch: 4, dim: 8, depth: 1 }, 'model')
    const options = { steps: 4, batch: 8, evalExamples: 8, augment: { crop: 2, randAugment: {}, erase: 0.5 } }
    const trained = async (spawnAugmenter?: SpawnAugmenter) => {
      const model = createModel(task.model(gmlp, size), task.input, 1)
      const recipe = resolveRecipe({ ...options, mixup: 0.8, cutmix: 1 })
      try {
        return series(await collect(train({ model, task, recipe, seed: 1, spawnAugmenter })), 'train/loss')
      } finally {
        model.dispose()
      }
    }
    const losses = await trained()
    expect(losses).toHaveLength(4)
    expect(await trained(spawnAugmenter)).toEqual(losses)
    const three = Object.assign(() => spawnAugmenter(), { most: 3 })
    expect(await trained(three)).toEqual(losses)
    const dying = () => spawnFrom(new URL('data:text/javascript,setTimeout(()=>process.exit(3))'))
    await expect(trained(dying)).rejects.toThrow('the augmenting thread broke down: it ended with code 3')
  })

  it('builds a model with one logit per class', async () => {
    const task = await open()
    const model = createModel(task.model(gmlp, resolveSize(gmlp, { patch: 4, dim: 8, depth: 1 }, 'm')), task.input, 1)
    expect(model.parameters.find(({ name }) => name === 'head.bias')?.shape).toEqual([10])
    model.dispose()
  })

  it('measures top-1 and, with more than five classes, top-5', async () => {
    const task = await open()
    expect(task.evaluators().map(({ name }) => name)).toEqual(['accuracy', 'top5'])
    expect(task.metric).toBe('test/accuracy')
  })

  it.each([
    [{ data: 'shape' }, "task.data: unknown data set 'shape' (did you mean 'shapes'?)"],
    [{ data: shapes({ difficulty: 2 }) }, 'task.data.difficulty: 2, expected at most 1'],
    [{ dat: 'shapes' }, "task: unknown option 'dat' (did you mean 'data'?)"],
  ])('refuses %j', (options, message) => {
    expect(() => resolveTask(image(options as { data: string }))).toThrow(message)
  })
})
