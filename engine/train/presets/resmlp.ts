import { lamb } from '../optimizers/index.ts'
import { preset } from './preset.ts'

/**
 * ResMLP (Touvron et al. 2021, section 3, and the authors' notes on their code): 400 epochs of ImageNet at batch 2048.
 * Affine layers and LayerScale are without decay anyway.
 */
export const resmlp = preset({
  steps: 250_000,
  batch: 2048,
  warmup: 3125, // 5 epochs
  learningRate: 5e-3,
  scaling: 'sqrt',
  optimizer: (options) => lamb({ weightDecay: 0.2, ...options }),
  recipe: {
    schedule: 'cosine',
    warmupStart: 2e-4, // 1e-6, as in the code of DeiT
    floor: 2e-3, // 1e-5, likewise
    labelSmoothing: 0.1,
    mixup: 0.8,
    cutmix: 1,
    mixupSwitchProb: 0.5,
    augment: {
      crop: 4,
      flip: 0.5,
      randAugment: { n: 2, m: 9, mstd: 0.5, inc: true },
      erase: 0.25,
      repeats: 3,
    },
  },
  model: { dropPath: 0.05, dropPathDecay: 'constant' },
})
