import { adamw } from '../optimizers/index.ts'
import { preset } from './preset.ts'

/**
 * Masked language modelling as in the ablations of gMLP (Liu et al. 2021, appendix A, table 8): 125,000 steps at batch
 * 2048 and length 128, neither clipping nor dropout. The full setup has 1,000,000 steps, batch 256 and 1e-4.
 */
export const mlm = preset({
  steps: 125_000,
  batch: 2048,
  warmup: 10_000,
  learningRate: 7e-4,
  scaling: 'sqrt',
  optimizer: (options) => adamw({ weightDecay: 0.01, eps: 1e-6, ...options }),
  recipe: { schedule: 'linear', floor: 0 },
  model: { dropPath: 0 },
})
