import { describe, expect, it } from 'vitest'
import { cifar, folder, glyphs, idx, imageData, shapes, textures } from '../../../../engine/data/images/index.ts'
import type { DataSpec } from '../../../../engine/data/types.ts'
import { memoryFiles } from '../memory-files.ts'

describe('data sets of images', () => {
  it('have names of their own', () => {
    expect(new Set(imageData.names).size).toBe(imageData.names.length)
  })
  it('are written as plain specs', () => {
    expect(shapes()).toEqual({ dataset: 'shapes', options: {} })
    expect(shapes({ difficulty: 0.3 })).toEqual({ dataset: 'shapes', options: { difficulty: 0.3 } })
    expect(glyphs({ classes: 36 })).toEqual({ dataset: 'glyphs', options: { classes: 36 } })
    expect(textures()).toEqual({ dataset: 'textures', options: {} })
    expect(cifar({ path: 'd' })).toEqual({ dataset: 'cifar', options: { path: 'd' } })
    expect(idx({ path: 'd' })).toEqual({ dataset: 'idx', options: { path: 'd' } })
    expect(folder({ path: 'd', size: 28 })).toEqual({ dataset: 'folder', options: { path: 'd', size: 28 } })
  })
})

describe('imageData.resolve', () => {
  it('fills in the defaults', () => {
    const resolved = {
      dataset: 'shapes',
      options: { difficulty: 0.5, size: 32, train: 4096, validation: 0.1, test: 1024, seed: 0 },
    }
    expect(imageData.resolve('shapes')).toEqual(resolved)
    expect(imageData.resolve(shapes())).toEqual(resolved)
    expect(imageData.resolve(idx({ path: 'd' })).options).toEqual({
      path: 'd',
      holdout: 0.2,
      validation: 0.1,
      seed: 0,
    })
    expect(imageData.resolve(folder({ path: 'd' })).options).toMatchObject({
      size: 32,
      channels: 3,
      skipUnreadable: false,
    })
  })
  it('leaves a resolved spec as it is', () => {
    for (const spec of [
      shapes({ seed: 4 }),
      glyphs(),
      textures(),
      ...[idx, cifar, folder].map((of) => of({ path: 'd' })),
    ]) {
      expect(imageData.resolve(imageData.resolve(spec))).toEqual(imageData.resolve(spec))
    }
  })
  it.each([
    ['shape', "task.data: unknown data set 'shape' (did you mean 'shapes'?)"],
    ['imagenet', "task.data: unknown data set 'imagenet' (known: cifar,"],
    ['idx', 'task.data.path: missing, expected a string'],
    [{ dataset: 'shapes', options: { diff: 1 } }, "task.data: unknown option 'diff' (known: difficulty,"],
    [{ dataset: 'shapes', option: {} }, "task.data: unknown option 'option' (did you mean 'options'?)"],
    [{ options: {} }, 'task.data.dataset: missing, expected a string'],
    [undefined, 'task.data: missing, expected an object'],
    [7, 'task.data: 7, expected an object'],
  ])('refuses %j', (spec, message) => {
    expect(() => imageData.resolve(spec as DataSpec)).toThrow(message)
    expect(() => imageData.resolve(spec as DataSpec)).toThrow(expect.objectContaining({ code: 'option' }))
  })
})

describe('imageData.open', () => {
  it('opens by name', async () => {
    expect((await imageData.open('shapes', memoryFiles({}))).train.size).toBe(4096)
  })
  it('rejects what resolve refuses', async () => {
    await expect(imageData.open('nothing', memoryFiles({}))).rejects.toThrow("unknown data set 'nothing'")
  })
})
