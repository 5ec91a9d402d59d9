// %% [markdown] question
// # Does gMLP learn to look at neighbours?
//
// The matrices over tokens that [gMLP](https://arxiv.org/abs/2105.08050) has learned on images are local in figure 3: each
// patch reads its neighbours most, as in a convolution whose kernel is not square. Nothing in the block says which patches are
// neighbours, and the figure is drawn, without numbers. Here the mean distance of the patches that the matrices connect, each
// weighed by the absolute value of its weight, is read off trained networks: on textures, and on the same textures with their
// patches in another order, where neighbours in the image are no neighbours for the model. What is local by itself would be so
// there, too.
//
// The plan. It is asked whether patches that were put in another order are mixed over a larger distance. Of two patches drawn
// at random in a grid of 8 by 8 the distance is 4.1; a difference of 0.2, a twentieth of that, is the smallest that matters.
// The spread is that of seeds 1001 to 1003. One comparison needs 6 seeds. Nothing is chosen: the learning rate is the same for
// both, since one and the same model learns one and the same thing.
//
// Press **Run all**, or Shift-Enter in each cell. Then give the model another `patch`, and run again. On the command line:
// `mixlab run filters.ts`, with `--quick` for a first look. About two minutes on two idle cores.

// %% study
import { adamw, compare, gmlp, image, permuted, readouts, textures } from 'mixlab'

const waves = textures({ difficulty: 0.3, train: 2048, test: 256 })

export const filters = compare('filters', {
  task: image({ data: waves }),
  block: gmlp,
  model: { patch: 4, dim: 32, depth: 2, ffnRatio: 4 },
  variants: { plain: {}, reordered: { task: image({ data: permuted(waves, { patch: 4 }) }) } },
  train: {
    ...{ steps: 200, batch: 32, warmup: 20, evalEvery: 200 },
    optimizer: adamw({ learningRate: 1.2e-2, weightDecay: 0.05 }),
  },
  readouts: [readouts.mixingLocality()],
  metric: 'readout/mixing_distance',
  margin: 0.2,
  seeds: 6,
  quick: { train: { steps: 20 }, seeds: 1 },
})

// %% claim
import { claim } from 'mixlab'

export const claimed = claim({
  paper: 'gmlp',
  where: 'figure 3',
  pilot: [1001, 1002, 1003],
  minutes: 3,
  parts: [{ study: filters, of: 'reordered', expected: 'more', figures: 'drawn alone', spread: 0.027 }],
})
