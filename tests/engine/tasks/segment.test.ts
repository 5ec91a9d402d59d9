import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { dataset, permuted, resized, scenes } from '../../../engine/data/index.ts'
import { sceneData } from '../../../engine/data/scenes/index.ts'
import { meanIou } from '../../../engine/evaluate/index.ts'
import { mixer } from '../../../engine/models/index.ts'
import { createModel } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { resolveTask, segment, type TaskSpec, taskKind } from '../../../engine/tasks/index.ts'
import { noFiles as files } from '../data/memory-files.ts'

const open = (spec: TaskSpec) => taskKind('segment').open(resolveTask(spec).options, files)
const small = scenes({ size: 16, train: 8, test: 4 })
/** The left half is dark and of class 0, the right half bright. */
const halves = dataset('halves', {
  ...{ train: 4, validation: 2, test: 2, classes: ['left', 'right'] },
  make: () => {
    const target = [0, 1].map(() => [0, 0, 1, 1])
    return { image: target.map((row) => row.map((value) => [value])), target }
  },
})

describe('dense prediction', () => {
  it('reads images, and asks for the class of each pixel', async () => {
    const task = await open(segment({ data: halves }))
    const before = tf.memory().numTensors
    const { value: batch } = await task.evalBatches('test', 1).next()
    const { input, target } = batch as { input: tf.Tensor; target: tf.Tensor }
    expect([input.shape, target.shape, task.classes]).toEqual([
      [1, 2, 4, 1],
      [1, 2, 4],
      ['left', 'right'],
    ])
    expect([...input.dataSync()]).toEqual([-1, -1, 1, 1, -1, -1, 1, 1])
    expect([...target.dataSync()]).toEqual([0, 0, 1, 1, 0, 0, 1, 1])
    tf.dispose([input, target])
    expect(tf.memory().numTensors).toBe(before)
  })
  it('has models from [batch, height, width, channels] to [batch, height, width, classes]', async () => {
    const task = await open(segment({ data: small }))
    const model = createModel(task.model(mixer, resolveSize(mixer, { patch: 4, dim: 8, depth: 1 }, '')), task.input, 1)
    expect(tf.tidy(() => model.apply(tf.zeros([2, 16, 16, 3])).shape)).toEqual([2, 16, 16, 5])
    model.dispose()
  })
  it('is measured by the mean of intersection over union, of the classes that are there', () => {
    const iou = meanIou(4)
    const say = (classes: number[]) =>
      Float32Array.from(classes.flatMap((of) => [0, 1, 2, 3].map((c) => (c === of ? 1 : 0))))
    iou.add(say([0, 0, 1]), { target: Int32Array.of(0, 1, 1) })
    iou.add(say([2]), { target: Int32Array.of(0) })
    expect(iou.value()).toBeCloseTo((1 / 3 + 1 / 2 + 0) / 3)
  })
  it('is on scenes with every class, drawn by seed and index', async () => {
    const data = await sceneData.open(scenes({ size: 24, train: 30, test: 5 }), files)
    const { maps, pixels } = await data.train.read(Array.from({ length: 30 }, (_, i) => i))
    expect(new Set(maps)).toEqual(new Set([0, 1, 2, 3, 4]))
    expect(pixels.every((value) => value >= 0 && value <= 1)).toBe(true)
    const [again, other] = [await data.train.read([7]), await data.test.read([3])]
    expect(again.maps).toEqual(maps.subarray(7 * 576, 8 * 576))
    expect(other.pixels).not.toEqual(again.pixels)
  })
  it('has its maps resized and permuted with the images', async () => {
    const { maps, pixels } = await (await sceneData.open(permuted(halves), files)).train.read([0])
    expect([...maps]).toEqual([...pixels])
    expect([...maps]).not.toEqual([0, 0, 1, 1, 0, 0, 1, 1])
    const larger = await sceneData.open(resized(halves, [4, 8]), files)
    expect(larger.shape).toEqual([4, 8, 1])
    expect([...(await larger.test.read([1])).maps.subarray(0, 8)]).toEqual([0, 0, 0, 0, 1, 1, 1, 1])
  })
  it('refuses maps of another size, and classes that are no whole numbers', async () => {
    const of = (target: number[][]) =>
      open(
        segment({
          data: dataset('d', { train: 2, test: 1, classes: ['a', 'b'], make: () => ({ image: [[[0]]], target }) }),
        }),
      )
    await expect(of([[0, 1]])).rejects.toThrow(
      "data set 'd': target is [1, 2], expected [1, 1], a class for each pixel",
    )
    await expect(of([[0.5]])).rejects.toThrow(
      "data set 'd': target of train has 0.5, expected whole numbers where classes are given",
    )
    await expect(of([[2]])).rejects.toThrow("data set 'd': target of train has 2, expected a class from 0 to 1")
  })
})
