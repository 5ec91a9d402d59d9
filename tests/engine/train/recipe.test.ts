import { describe, expect, it } from 'vitest'
import { adamw } from '../../../engine/train/optimizers/index.ts'
import { type RecipeOptions, resolveRecipe } from '../../../engine/train/recipe.ts'
import { learningRateAt } from '../../../engine/train/schedule.ts'

describe('resolveRecipe', () => {
  it('fills in what depends on the number of steps', () => {
    expect(resolveRecipe({ steps: 200 })).toMatchObject({ steps: 200, batch: 64, warmup: 10, evalEvery: 20 })
  })
  it.each([
    [{ batch: 0 }, 'train.batch: 0, expected at least 1'],
    [{ step: 10 }, "train: unknown option 'step' (did you mean 'steps'?)"],
    [{ optimizer: { optimizer: 'adamv', options: {} } }, "train.optimizer: unknown optimizer 'adamv' (did you mean"],
    [
      { optimizer: adamw({ learningrate: 1 } as object) },
      "unknown option 'learningrate' (did you mean 'learningRate'?)",
    ],
    [{ optimizer: adamw({ learningRate: -1 }) }, 'train.optimizer.learningRate: -1, expected more than 0'],
  ])('refuses %j', (options, message) => {
    expect(() => resolveRecipe(options as RecipeOptions)).toThrow(message)
  })
})

describe('learningRateAt', () => {
  const recipe = resolveRecipe({ steps: 100, warmup: 10, floor: 0.1 })
  it('rises linearly to the peak, then follows half a cosine down to the floor', () => {
    expect(learningRateAt(0, recipe)).toBeCloseTo(0.1)
    expect(learningRateAt(9, recipe)).toBe(1)
    expect(learningRateAt(10, recipe)).toBe(1)
    expect(learningRateAt(55, recipe)).toBeCloseTo(0.55)
    expect(learningRateAt(100, recipe)).toBeCloseTo(0.1)
  })
  it('stays at the peak when constant', () => {
    expect(learningRateAt(99, { ...recipe, schedule: 'constant' })).toBe(1)
  })
})
