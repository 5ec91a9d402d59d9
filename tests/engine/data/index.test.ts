import { describe, expect, it } from 'vitest'
import { datasets, folder, idx, openDataset, resolveData, shapes } from '../../../engine/data/index.ts'
import type { DataSpec } from '../../../engine/data/types.ts'
import { memoryFiles } from './memory-files.ts'

describe('data sets', () => {
  it('have names of their own', () => {
    expect(datasets.map(({ name }) => name)).toEqual(['shapes', 'idx', 'folder'])
  })
  it('are written as plain specs', () => {
    expect(shapes()).toEqual({ dataset: 'shapes', options: {} })
    expect(shapes({ difficulty: 0.3 })).toEqual({ dataset: 'shapes', options: { difficulty: 0.3 } })
    expect(idx({ path: 'd' })).toEqual({ dataset: 'idx', options: { path: 'd' } })
    expect(folder({ path: 'd', size: 28 })).toEqual({ dataset: 'folder', options: { path: 'd', size: 28 } })
  })
})

describe('resolveData', () => {
  it('fills in the defaults', () => {
    const resolved = {
      dataset: 'shapes',
      options: { difficulty: 0.5, size: 32, train: 4096, test: 1024, seed: 0 },
    }
    expect(resolveData('shapes')).toEqual(resolved)
    expect(resolveData(shapes())).toEqual(resolved)
    expect(resolveData(idx({ path: 'd' })).options).toEqual({ path: 'd', holdout: 0.2, seed: 0 })
    expect(resolveData(folder({ path: 'd' })).options).toMatchObject({ size: 32, channels: 3, skipUnreadable: false })
  })
  it('leaves a resolved spec as it is', () => {
    for (const spec of [shapes({ seed: 4 }), idx({ path: 'd' }), folder({ path: 'd' })]) {
      expect(resolveData(resolveData(spec))).toEqual(resolveData(spec))
    }
  })
  it.each([
    ['shape', "task.data: unknown data set 'shape' (did you mean 'shapes'?)"],
    ['cifar', "task.data: unknown data set 'cifar' (known: shapes, idx, folder)"],
    ['idx', 'task.data.path: missing, expected a string'],
    [{ dataset: 'shapes', options: { diff: 1 } }, "task.data: unknown option 'diff' (known: difficulty,"],
    [{ dataset: 'shapes', option: {} }, "task.data: unknown option 'option' (did you mean 'options'?)"],
    [{ options: {} }, 'task.data.dataset: missing, expected a string'],
    [undefined, 'task.data: missing, expected an object'],
    [7, 'task.data: 7, expected an object'],
  ])('refuses %j', (spec, message) => {
    expect(() => resolveData(spec as DataSpec)).toThrow(message)
    expect(() => resolveData(spec as DataSpec)).toThrow(expect.objectContaining({ code: 'option' }))
  })
})

describe('openDataset', () => {
  it('opens by name', async () => {
    expect((await openDataset('shapes', memoryFiles({}))).train.size).toBe(4096)
  })
  it('rejects what resolveData refuses', async () => {
    await expect(openDataset('nothing', memoryFiles({}))).rejects.toThrow("unknown data set 'nothing'")
  })
})
