import { adamw } from '../optimizers/index.ts'
import { preset } from './preset.ts'

/**
 * gMLP on ImageNet (Liu et al. 2021, appendix A, table 7): 300 epochs at batch 4096. Where the cosine ends is not stated.
 * Stochastic depth depends on the size: dropPath 0 for Ti, 0.05 for S, 0.2 for B.
 */
export const gmlp = preset({
  steps: 93_835,
  batch: 4096,
  warmup: 10_000,
  learningRate: 1e-3,
  scaling: 'sqrt',
  optimizer: (options) => adamw({ weightDecay: 0.05, eps: 1e-6, ...options }),
  recipe: {
    schedule: 'cosine',
    floor: 0,
    clip: 1,
    labelSmoothing: 0.1,
    mixup: 0.8,
    cutmix: 1,
    mixupSwitchProb: 0.5,
    augment: { crop: 4, flip: 0.5, autoAugment: true },
  },
  model: { dropPath: 0 },
})
