// %% [markdown] question
// # What is left when all pixels of an image are shuffled?
//
// By one permutation, the same for all images, each pixel goes to another place. In section 3.4 of
// [MLP-Mixer](https://arxiv.org/abs/2105.01601) that costs a Mixer about 45% of its accuracy, and a ResNet50 about 75%: both
// rely on what lies side by side, Mixer only on that it lies in one patch, the ResNet on each pixel's neighbours.
//
// Here both learn letters, plain and shuffled, for 150 steps. Mixer has 29,000 parameters, a small ResNet 20,000;
// each is compared with itself, and then their losses with each other.
//
// The plan. It is asked first of each of the two whether it does worse on shuffled images, and then whether the ResNet loses
// more. A difference of 10 points is the smallest that matters, a third of the 30 that the paper has between the two losses. Each
// model has, for either order of the pixels, the learning rate that is best by validation with seeds 1001 to 1003, of four, each
// three times the one before; a smaller one was replaced by the largest, as the one before that was best for the ResNet. The
// spread is that of these seeds, and no test accuracy of them was looked at. Three comparisons, in two questions, need 7 seeds;
// with 8 such a difference is shown with a power of 0.99 for Mixer, 0.87 for the ResNet, and 0.88 between the two.
//
// Press **Run all**, or Shift-Enter in each cell. Then give `permuted` a `patch` of 7, so that pixels stay in a patch
// together, and run again: only the shuffled variants are trained anew. On the command line: `mixlab run pixel-shuffle.ts`,
// with `--quick` for a first look. About five minutes on two idle cores; chance is 0.038.

// %% study
import { adamw, ask, compare, factors, glyphs, image, mixer, permuted, resnet, tuned } from 'mixlab'

const images = glyphs({ difficulty: 0.1, test: 1024 })
const data = { plain: images, shuffled: permuted(images) }
const models = { mixer, resnet: resnet({ width: 8, blocksPerStage: 1 }) }

export const letters = compare('letters', {
  task: image({ data: images }),
  model: { patch: 7, dim: 32, depth: 3 },
  variants: factors({ pixels: data, model: models }, ({ pixels, model }) => ({
    block: model,
    task: image({ data: pixels }),
  })),
  questions: [ask.simple('pixels', { at: 'model' }), ask.interaction('pixels', 'model')],
  tune: tuned({ lr: [6e-3, 1.8e-2, 5.4e-2, 0.162] }, ({ lr }) => ({
    train: { optimizer: adamw({ learningRate: lr, weightDecay: 0.05 }) },
  })),
  margin: 0.1,
  train: { steps: 150, batch: 32, warmup: 20, evalEvery: 150 },
  seeds: 8,
  quick: { train: { steps: 20 }, seeds: 1 },
})

// %% claim
import { claim } from 'mixlab'

const mixerDrops = {
  of: 'pixels shuffled instead of plain at model mixer',
  expected: 'worse',
  figures: 'loses about 45%',
} as const
const resnetDrops = {
  of: 'pixels shuffled instead of plain at model resnet',
  expected: 'worse',
  figures: 'loses about 75%',
} as const
const resnetMore = {
  of: 'pixels shuffled instead of plain, at model resnet rather than mixer',
  expected: 'worse',
  figures: 'about 75% against 45%',
} as const

export const claimed = claim({
  paper: 'mixer',
  where: 'section 3.4',
  pilot: [1001, 1002, 1003],
  minutes: 5,
  parts: [
    { study: letters, ...mixerDrops, spread: 0.045 },
    { study: letters, ...resnetDrops, spread: 0.064 },
    { study: letters, ...resnetMore, spread: 0.075 },
  ],
})
