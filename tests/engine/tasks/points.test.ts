import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { pointFiles, solids } from '../../../engine/data/index.ts'
import type { PointOrder } from '../../../engine/data/points/order.ts'
import { gmlp, pointCloud } from '../../../engine/models/index.ts'
import { createModel } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import type { Block } from '../../../engine/nn/types.ts'
import type { ClassificationReport } from '../../../engine/records/report.ts'
import { points, resolveTask, taskKind } from '../../../engine/tasks/index.ts'
import type { PointsOptions } from '../../../engine/tasks/points.ts'
import type { Batch, Task } from '../../../engine/tasks/types.ts'
import { adamw } from '../../../engine/train/optimizers/index.ts'
import { resolveRecipe } from '../../../engine/train/recipe.ts'
import { train } from '../../../engine/train/train.ts'
import { memoryFiles } from '../data/memory-files.ts'
import { describeOnBoth } from '../train/backends.ts'
import { collect, series } from '../train/toy.ts'

const small = solids({ train: 40, test: 30, points: 16, difficulty: 0 })

async function open(options: Partial<PointsOptions> = {}, files = memoryFiles({})): Promise<Task> {
  const { task, options: resolved } = resolveTask(points({ data: small, ...options }))
  return taskKind(task).open(resolved, files)
}

/** What each batch says, the batch disposed of. */
async function each<T>(batches: AsyncGenerator<Batch>, say: (batch: Batch) => T): Promise<T[]> {
  const said: T[] = []
  for await (const batch of batches) {
    said.push(say(batch))
    tf.dispose(batch)
  }
  return said
}

describe('point-cloud classification', () => {
  it('gives clouds and labels, every held-out example once', async () => {
    const shapes = await each((await open()).evalBatches('test', 16), ({ input, target }) => [
      input.shape,
      target?.shape,
    ])
    expect(shapes).toEqual([
      [[16, 16, 3], [16]],
      [[14, 16, 3], [14]],
    ])
    expect(await each((await open()).evalBatches('test', 16, 20), ({ input }) => input.shape[0])).toEqual([16, 4])
  })

  it('orders the points of each cloud, as one may choose', async () => {
    const heights = async (order: PointOrder) => {
      const task = await open({ order })
      const [first] = await each(task.evalBatches('test', 1, 1), ({ input }) =>
        [...input.dataSync()].filter((_, i) => i % 3 === 2),
      )
      return first ?? []
    }
    const rising = (await heights('none')).sort((a, b) => a - b)
    expect(await heights('height')).toEqual(rising)
    expect(await heights('none')).not.toEqual(rising)
    expect((await heights('hilbert')).sort((a, b) => a - b)).toEqual(rising)
  })

  it('has a hash of data and order', async () => {
    const { hash } = await open()
    expect((await open({ order: 'hilbert' })).hash).toBe(hash)
    for (const options of [{ order: 'none' as const }, { data: solids({ points: 16 }) }]) {
      expect((await open(options)).hash).not.toBe(hash)
    }
  })

  it('reads the files of the user', async () => {
    const cloud = (x: number) => `0 0 0\n${x} 0 0\n0 1 0\n`
    const files = {
      'd/a/1.xyz': cloud(1),
      'd/a/2.xyz': cloud(2),
      'd/a/3.xyz': cloud(3),
      'd/b/1.xyz': cloud(4),
      'd/b/2.xyz': cloud(5),
    }
    const task = await open({ data: pointFiles({ path: 'd', points: 8 }) }, memoryFiles(files))
    expect(task.input).toEqual({ shape: [1, 8, 3] })
    expect(await each(task.evalBatches('test', 4), ({ target }) => [...(target?.dataSync() ?? [])])).toEqual([[0, 1]])
  })

  it.each([
    [{ data: 'solid' }, "task.data: unknown data set 'solid' (did you mean 'solids'?)"],
    [{ data: 'shapes' }, "task.data: unknown data set 'shapes'"],
    [{ data: 'solids', order: 'hilber' }, "task.order: unknown value 'hilber' (did you mean 'hilbert'?)"],
    [{ data: 'solids', sort: 'none' }, "task: unknown option 'sort'"],
    [{ data: solids({ points: 7 }) }, 'task.data.points: 7, expected at least 8'],
  ])('refuses %j', (options, message) => {
    expect(() => resolveTask(points(options as PointsOptions))).toThrow(message)
  })
})

describeOnBoth('training on point clouds', () => {
  it.each<[string, Block]>([
    ['pointCloud', pointCloud({ slots: 8 })],
    ['gmlp', gmlp],
  ])('learns with %s, and reports on all that is held out', async (_, block) => {
    const task = await open()
    const size = resolveSize(block, { dim: 16, ffn: 32, depth: 1 }, 'tiny')
    const model = createModel(task.model(block, size), task.input, 1)
    const recipe = resolveRecipe({ steps: 20, batch: 20, optimizer: adamw({ learningRate: 1e-2 }) })
    const events = await collect(train({ model, task, recipe, seed: 1 }))
    model.dispose()
    expect(events.at(-1)).toEqual({ type: 'done', step: 20 })
    const losses = series(events, 'train/loss')
    expect(losses.at(-1)).toBeLessThan(0.9 * (losses[0] ?? 0))
    const reports = events.flatMap((event) => (event.type === 'report' ? [event.report.test] : []))
    expect(reports).toMatchObject([{ kind: 'classification', classes: expect.arrayContaining(['helix']) }])
    const [report] = reports as [ClassificationReport]
    expect(report.confusion.flat().reduce((sum, count) => sum + count, 0)).toBe(30)
  })
})
