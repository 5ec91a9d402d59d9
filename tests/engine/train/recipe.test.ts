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
    [{ steps: 0 }, 'train.steps: 0, expected at least 1'],
    [{ steps: 1.5 }, 'train.steps: 1.5, expected a whole number'],
    [{ step: 10 }, "train: unknown option 'step' (did you mean 'steps'?)"],
    [{ batch: 0 }, 'train.batch: 0, expected at least 1'],
    [{ batch: 10, accumulate: 4 }, 'train.accumulate: 4, expected a divisor of the batch of 10'],
    [{ accumulate: 0 }, 'train.accumulate: 0, expected at least 1'],
    [{ schedule: 'cosin' }, "train.schedule: unknown value 'cosin' (did you mean 'cosine'?)"],
    [{ schedule: 'step' }, "train.schedule: unknown value 'step' (known: cosine, linear, constant)"],
    [{ warmup: -1 }, 'train.warmup: -1, expected at least 0'],
    [{ warmupStart: 2 }, 'train.warmupStart: 2, expected at most 1'],
    [{ floor: -0.1 }, 'train.floor: -0.1, expected at least 0'],
    [{ evalEvery: 0 }, 'train.evalEvery: 0, expected at least 1'],
    [{ evalExamples: 0 }, 'train.evalExamples: 0, expected at least 1'],
    [{ logEvery: 0 }, 'train.logEvery: 0, expected at least 1'],
    [{ checkpointEvery: 10 }, 'train.checkpointEvery: 10, expected an object'],
    [{ checkpointEvery: { steps: 0 } }, 'train.checkpointEvery.steps: 0, expected at least 1'],
    [{ checkpointEvery: { seconds: 0 } }, 'train.checkpointEvery.seconds: 0, expected more than 0'],
    [{ clip: 0 }, 'train.clip: 0, expected more than 0'],
    [{ clip: null }, 'train.clip: null, expected a number'],
    [{ ema: 0 }, 'train.ema: 0, expected more than 0'],
    [{ ema: 1 }, 'train.ema: 1, expected less than 1'],
    [{ ema: true }, 'train.ema: true, expected a decay between 0 and 1, or { decay, warmup: true }'],
    [{ noDecay: 'bias' }, "train.noDecay: 'bias', expected an array"],
    [{ noDecay: [1] }, 'train.noDecay.0: 1, expected a string'],
    [{ noDecays: [] }, "train: unknown option 'noDecays' (did you mean 'noDecay'?)"],
    [{ layerDecay: 0 }, 'train.layerDecay: 0, expected more than 0'],
    [{ layerDecay: 1.1 }, 'train.layerDecay: 1.1, expected at most 1'],
  ])('refuses %j', (options, message) => {
    expect(() => resolveRecipe(options as RecipeOptions)).toThrow(message)
  })
  it.each([
    [{ optimizer: 'adamv', options: {} }, "train.optimizer: unknown optimizer 'adamv' (did you mean 'adamw'?)"],
    [adamw({ learningrate: 1 } as object), "unknown option 'learningrate' (did you mean 'learningRate'?)"],
    [adamw({ learningRate: -1 }), 'train.optimizer.learningRate: -1, expected more than 0'],
    [adamw({ beta1: 1 }), 'train.optimizer.beta1: 1, expected less than 1'],
    [adamw({ beta2: -0.1 }), 'train.optimizer.beta2: -0.1, expected at least 0'],
    [adamw({ eps: 0 }), 'train.optimizer.eps: 0, expected more than 0'],
    [adamw({ weightDecay: -1 }), 'train.optimizer.weightDecay: -1, expected at least 0'],
    [lamb({ learningRate: 0 }), 'train.optimizer.learningRate: 0, expected more than 0'],
    [lamb({ beta1: 1 }), 'train.optimizer.beta1: 1, expected less than 1'],
    [lamb({ eps: 0 }), 'train.optimizer.eps: 0, expected more than 0'],
    [lamb({ weightDecay: -1 }), 'train.optimizer.weightDecay: -1, expected at least 0'],
    [lamb({ maxGradNorm: -1 }), 'train.optimizer.maxGradNorm: -1, expected at least 0'],
    [lamb({ nesterov: true } as object), "train.optimizer: unknown option 'nesterov' (known:"],
    [sgd({ learningRate: 0 }), 'train.optimizer.learningRate: 0, expected more than 0'],
    [sgd({ momentum: 1 }), 'train.optimizer.momentum: 1, expected less than 1'],
    [sgd({ nesterov: true, momentum: 0 }), 'train.optimizer.nesterov: true, expected a momentum above 0'],
    [sgd({ weightDecay: -1 }), 'train.optimizer.weightDecay: -1, expected at least 0'],
    [sgd({ eps: 1 } as object), "train.optimizer: unknown option 'eps' (known: learningRate,"],
  ])('refuses the optimizer %j', (optimizer, message) => {
    expect(() => resolveRecipe({ optimizer })).toThrow(message)
  })
  it.each([
    [{ labelSmoothing: 1 }, 'train.labelSmoothing: 1, expected less than 1'],
    [{ mixup: -1 }, 'train.mixup: -1, expected at least 0'],
    [{ mixupp: 1 }, "train: unknown option 'mixupp' (did you mean 'mixup'?)"],
    [{ cutmix: -1 }, 'train.cutmix: -1, expected at least 0'],
    [{ mixupProb: 1.1 }, 'train.mixupProb: 1.1, expected at most 1'],
    [{ mixupSwitchProb: -0.1 }, 'train.mixupSwitchProb: -0.1, expected at least 0'],
  ])('refuses to mix by %j', (options, message) => {
    expect(() => resolveRecipe(options as RecipeOptions)).toThrow(message)
  })
  it.each([
    [{ crop: -1 }, 'train.augment.crop: -1, expected at least 0'],
    [{ crop: 0.5 }, 'train.augment.crop: 0.5, expected a whole number'],
    [{ flip: 2 }, 'train.augment.flip: 2, expected at most 1'],
    [{ flipp: 1 }, "train.augment: unknown option 'flipp' (did you mean 'flip'?)"],
    [{ autoAugment: 'original' }, "train.augment.autoAugment: 'original', expected a boolean"],
    [{ randAugment: 'rand-m9' }, "train.augment.randAugment: 'rand-m9', expected an object"],
    [{ randAugment: { n: 0 } }, 'train.augment.randAugment.n: 0, expected at least 1'],
    [{ randAugment: { m: -1 } }, 'train.augment.randAugment.m: -1, expected at least 0'],
    [{ randAugment: { mstd: -1 } }, 'train.augment.randAugment.mstd: -1, expected at least 0'],
    [{ randAugment: { mmax: 0 } }, 'train.augment.randAugment.mmax: 0, expected more than 0'],
    [{ randAugment: { inc: 1 } }, 'train.augment.randAugment.inc: 1, expected a boolean'],
    [{ randAugment: { std: 1 } }, "train.augment.randAugment: unknown option 'std' (did you mean 'mstd'?)"],
    [{ randAugment: {}, autoAugment: true }, 'train.augment.autoAugment: true, expected no randAugment beside it'],
    [{ colorJitter: 2 }, 'train.augment.colorJitter: 2, expected at most 1'],
    [{ erase: -1 }, 'train.augment.erase: -1, expected at least 0'],
    [{ repeats: 0 }, 'train.augment.repeats: 0, expected at least 1'],
  ])('refuses to augment by %j', (augment, message) => {
    expect(() => resolveRecipe({ augment } as RecipeOptions)).toThrow(message)
  })
})
