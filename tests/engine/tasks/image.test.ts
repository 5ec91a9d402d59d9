import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { shapes } from '../../../engine/data/index.ts'
import type { FileSource } from '../../../engine/host.ts'
import { gmlp } from '../../../engine/models/index.ts'
import { createModel } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { image, resolveTask, taskKind } from '../../../engine/tasks/index.ts'
import type { Task } from '../../../engine/tasks/types.ts'

const none: FileSource = {
  list: () => Promise.reject(new Error('none')),
  read: () => Promise.reject(new Error('none')),
}

async function open(data = shapes({ train: 40, test: 30, size: 16 })): Promise<Task> {
  const { task, options } = resolveTask(image({ data }))
  return taskKind(task).open(options, none)
}

describe('image classification', () => {
  it('gives batches of pixels in -1..1 and labels, and every held-out example once', async () => {
    const task = await open()
    const sizes: number[] = []
    for await (const { input, target } of task.evalBatches(16)) {
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
    for await (const { input, target } of (await open()).evalBatches(16, 20)) {
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

  it('builds a model with one logit per class', async () => {
    const task = await open()
    const model = createModel(task.model(gmlp, resolveSize(gmlp, { patch: 4, dim: 8, depth: 1 }, 'm')), task.input, 1)
    expect(model.parameters.find(({ name }) => name === 'head.bias')?.shape).toEqual([10])
    model.dispose()
  })

  it('measures top-1 and, with more than five classes, top-5', async () => {
    const task = await open()
    expect(task.evaluators().map(({ name }) => name)).toEqual(['accuracy', 'top5'])
    expect(task.metric).toBe('eval/accuracy')
  })

  it.each([
    [{ data: 'shape' }, "task.data: unknown data set 'shape' (did you mean 'shapes'?)"],
    [{ data: shapes({ difficulty: 2 }) }, 'task.data.difficulty: 2, expected at most 1'],
    [{ dat: 'shapes' }, "task: unknown option 'dat' (did you mean 'data'?)"],
  ])('refuses %j', (options, message) => {
    expect(() => resolveTask(image(options as { data: string }))).toThrow(message)
  })
})
