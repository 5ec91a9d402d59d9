import { describe, expect, it } from 'vitest'
import { adamw, lamb, sgd } from '../../../engine/train/optimizers/index.ts'
import { type RecipeOptions, resolveRecipe } from '../../../engine/train/recipe.ts'

describe('resolveRecipe', () => {
  it('fills in what depends on the number of steps', () => {
    expect(resolveRecipe({ steps: 200 })).toMatchObject({ steps: 200, batch: 64, warmup: 10, evalEvery: 20 })
  })
  it('has clipping and averaging off', () => {
    expect(resolveRecipe({})).toMatchObject({ schedule: 'cosine', noDecay: [] })
    expect(resolveRecipe({})).not.toHaveProperty('clip')
    expect(resolveRecipe({})).not.toHaveProperty('ema')
  })
  it('fills in what the optimizer leaves open', () => {
    expect(resolveRecipe({ optimizer: lamb({ weightDecay: 0.1 }) }).optimizer).toEqual({
      optimizer: 'lamb',
      options: { learningRate: 5e-3, beta1: 0.9, beta2: 0.999, eps: 1e-6, weightDecay: 0.1, maxGradNorm: 1 },
    })
    expect(resolveRecipe({ optimizer: sgd() }).optimizer).toEqual({
      optimizer: 'sgd',
      options: { learningRate: 0.1, momentum: 0.9, nesterov: false, weightDecay: 1e-4 },
    })
  })
  it.each([
    [{ batch: 0 }, 'train.batch: 0, expected at least 1'],
    [{ schedule: 'cosin' }, "train.schedule: unknown value 'cosin' (did you mean 'cosine'?)"],
    [{ schedule: 'step' }, "train.schedule: unknown value 'step' (known: cosine, linear, constant)"],
    [{ clip: 0 }, 'train.clip: 0, expected more than 0'],
    [{ clip: null }, 'train.clip: null, expected a number'],
    [{ ema: 0 }, 'train.ema: 0, expected more than 0'],
    [{ ema: 1 }, 'train.ema: 1, expected less than 1'],
    [{ noDecay: 'bias' }, "train.noDecay: 'bias', expected an array"],
    [{ noDecay: [1] }, 'train.noDecay.0: 1, expected a string'],
    [{ noDecays: [] }, "train: unknown option 'noDecays' (did you mean 'noDecay'?)"],
    [{ optimizer: lamb({ nesterov: true } as object) }, "train.optimizer: unknown option 'nesterov' (known:"],
    [{ optimizer: sgd({ momentum: 1 }) }, 'train.optimizer.momentum: 1, expected less than 1'],
    [{ optimizer: sgd({ eps: 1 } as object) }, "train.optimizer: unknown option 'eps' (known: learningRate,"],
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
