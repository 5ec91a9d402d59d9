import { adamw } from '../optimizers/index.ts'
import { preset } from './preset.ts'

/**
 * MLP-Mixer B/16 from scratch on ImageNet, as in the authors' code (big_vision): 300 epochs at batch 4096. Their decay of
 * 1e-4 is not multiplied by the learning rate; here it is, and 0.1 says the same. Theirs is a sigmoid loss, ours softmax;
 * their crop is an Inception crop, ours that for small images.
 */
export const mixer = preset({
  steps: 93_835,
  batch: 4096,
  warmup: 10_000,
  learningRate: 1e-3,
  scaling: 'sqrt',
  optimizer: (options) => adamw({ weightDecay: 0.1, ...options }),
  recipe: {
    schedule: 'linear',
    floor: 0.01, // 1e-5
    clip: 1,
    mixup: 0.5,
    augment: { crop: 4, flip: 0.5, randAugment: { n: 2, m: 15, mmax: 15 } },
  },
  model: { dropPath: 0.1, dropPathDecay: 'linear' },
})
