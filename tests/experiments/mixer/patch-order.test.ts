import * as tf from '@tensorflow/tfjs-core'
import { describe, expect, it } from 'vitest'
import { imageData } from '../../../engine/data/images/index.ts'
import { dataset, permuted } from '../../../engine/data/index.ts'
import type { DataSpec } from '../../../engine/data/types.ts'
import { mixer } from '../../../engine/models/index.ts'
import { createModel, type Model } from '../../../engine/nn/model.ts'
import type { Parameter } from '../../../engine/nn/scope.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { image, resolveTask, taskKind } from '../../../engine/tasks/index.ts'
import { memoryFiles } from '../../engine/data/memory-files.ts'

const SIDE = 12
const PATCH = 4
const ACROSS = SIDE / PATCH
const files = memoryFiles({})
const places = (count: number) => Array.from({ length: count }, (_, i) => i)

/** The patch that a pixel is in, and its place in there. */
const patchOf = (pixel: number) => Math.floor(pixel / SIDE / PATCH) * ACROSS + Math.floor((pixel % SIDE) / PATCH)
const withinOf = (pixel: number) => (Math.floor(pixel / SIDE) % PATCH) * PATCH + (pixel % PATCH)

/** Pixels 0, 1, 2, ... row by row, by turns as they are and less 70. */
const counted = dataset('counted', {
  ...{ train: 4, test: 4, validation: 4, shape: { image: [SIDE, SIDE, 1] } },
  make: (_, index) => ({
    image: Float32Array.from(places(SIDE * SIDE), (i) => i - 70 * (index % 2)),
    label: index % 2,
  }),
})

const pixelsOf = async (data: DataSpec) => (await (await imageData.open(data, files)).train.read([0, 1])).pixels

/** What stands at each pixel of a permuted image, and so in each patch, and at each place of a patch. */
async function orders() {
  const pixels = [...(await pixelsOf(permuted(counted, { patch: PATCH }))).subarray(0, SIDE * SIDE)]
  const by = (of: (pixel: number) => number, count: number) =>
    places(count).map((place) => of(pixels[pixels.findIndex((_, to) => of(to) === place)] as number))
  return { pixels, patches: by(patchOf, ACROSS * ACROSS), within: by(withinOf, PATCH * PATCH) }
}

describe('permuted by patches', () => {
  it('moves patches as a whole, and the pixels within each of them alike', async () => {
    const { pixels, patches, within } = await orders()
    expect(pixels.toSorted((a, b) => a - b)).toEqual(places(SIDE * SIDE))
    for (const [to, from] of pixels.entries()) {
      expect([patchOf(from), withinOf(from)]).toEqual([patches[patchOf(to)], within[withinOf(to)]])
    }
    expect(patches).not.toEqual(places(patches.length))
    expect(within).not.toEqual(places(within.length))
  })

  it('refuses patches that do not fill an image', async () => {
    await expect(imageData.open(permuted(counted, { patch: 5 }), files)).rejects.toThrow(
      'permuted.patch: 5; the images have 12 x 12 pixels, which are no whole number of such patches',
    )
  })
})

it('MLP-Mixer says the same of permuted images where its weights are permuted along', async () => {
  const { patches, within } = await orders()
  const { model: forwardOf, input } = await taskKind('image').open(resolveTask(image({ data: counted })).options, files)
  const forward = forwardOf(mixer, resolveSize(mixer, { patch: PATCH, dim: 8, depth: 2 }, 'mixer'))
  const [plain, along] = [createModel(forward, input, 1), createModel(forward, input, 1)]
  for (const { name, variable } of along.parameters) {
    const order = name.startsWith('stem.proj.weight') ? within : patches
    const axis = /mlp_tokens.fc1.weight$/.test(name) ? 1 : 0
    if (/^stem.proj.weight$|mlp_tokens.(fc1.weight|fc2.weight|fc2.bias)$/.test(name)) {
      const moved = tf.gather(variable, order, axis)
      variable.assign(moved)
      moved.dispose()
    }
  }
  for (const { parameters } of [plain, along]) {
    // it begins with zeros, and says nothing
    const { variable } = parameters.find(({ name }) => name === 'head.weight') as Parameter
    const weight = tf.tensor(places(variable.size).map(Math.sin), variable.shape)
    variable.assign(weight)
    weight.dispose()
  }
  const [logits, permutedLogits] = await Promise.all([
    said(plain, await pixelsOf(counted)),
    said(along, await pixelsOf(permuted(counted, { patch: PATCH }))),
  ])
  expect(Math.max(...logits.map(Math.abs))).toBeGreaterThan(0.01)
  for (const [i, logit] of logits.entries()) expect(permutedLogits[i]).toBeCloseTo(logit, 4)
  for (const model of [plain, along]) model.dispose()
})

/** The logits of two images. */
async function said(model: Model, pixels: Float32Array): Promise<number[]> {
  const logits = tf.tidy(() => model.apply(tf.tensor4d(pixels, [2, SIDE, SIDE, 1])))
  const values = [...(await logits.data())]
  logits.dispose()
  return values
}
