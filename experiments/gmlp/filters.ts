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

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | asked | the paper | here | verdict | plan |
// | --- | --- | --- | --- | --- |
// | filters: reordered | drawn alone | 4.121 against 4.123, difference -0.002 (-0.019 to 0.020), 6 seeds | **equal within the margin** | margin 0.2; power 1.00, to be equal 1.00 |
//
// | filters | readout/mixing_distance, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | plain | 4.123 ± 0.020 | 6 |  |
// | reordered | 4.121 ± 0.016 | 6 | against plain: at image.data.dataset permuted instead of textures and patch 4 instead of none and task.image.data.data.dataset textures instead of none and difficulty 0.3 instead of none and train 2048 instead of none and test 256 instead of none: equal within 0.2 tokens: -0.002, 95% interval -0.019 to 0.020, within it on 6 of 6 seeds |

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

// %% [markdown] found
// ## What was found, and why it may be otherwise elsewhere
//
// Not here: with patches in their order the matrices mix over 4.12 patches in the mean, with patches in another one over 4.12,
// too, which is the distance of two patches drawn at random, and the two are equal within the margin. Nothing local was learned
// that the mean of all weights would show.
//
// That mean counts every weight, and the matrices begin with weights near zero: what 200 steps have made of them may be noise
// around a few large ones, of which the figure shows the signs and shapes. The textures are waves that run through a whole
// image, so that a far patch says as much of their direction as a near one; a picture of things has more to be had from
// neighbours. The network of the paper has 30 blocks and was trained for 300 epochs. A read-out of the largest weights alone,
// or letters in place of waves, may find otherwise; neither was planned.
