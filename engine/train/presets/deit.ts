import { adamw } from '../optimizers/index.ts'
import { preset } from './preset.ts'

/**
 * DeiT (Touvron et al. 2021, table 9, and the authors' code): 300 epochs of ImageNet at batch 1024. The crop is what
 * their code takes for images of at most 32 pixels. Also the recipe of feed-forward only models.
 */
export const deit = preset({
  steps: 375_300,
  batch: 1024,
  warmup: 6255, // 5 epochs
  learningRate: 1e-3,
  scaling: 'linear', // as in the authors' code
  ema: 0.99996,
  optimizer: (options) => adamw({ weightDecay: 0.05, eps: 1e-8, ...options }),
  recipe: {
    schedule: 'cosine',
    warmupStart: 1e-3, // 1e-6
    floor: 0.01, // 1e-5
    labelSmoothing: 0.1,
    mixup: 0.8,
    cutmix: 1,
    mixupProb: 1,
    mixupSwitchProb: 0.5,
    augment: {
      crop: 4,
      flip: 0.5,
      randAugment: { n: 2, m: 9, mstd: 0.5, inc: true },
      colorJitter: 0.3, // listed, though timm leaves it out beside RandAugment
      erase: 0.25,
      repeats: 3,
    },
  },
  model: { dropPath: 0.1, dropPathDecay: 'linear' },
})
