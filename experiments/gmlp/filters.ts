// %% [markdown] question
// # Does gMLP learn to look at neighbours?
//
// A gMLP reads an image as patches and mixes these with a learned matrix, which has one weight for each pair of patches. Nothing
// tells the model which patches lie side by side. In figure 3 of [Pay Attention to MLPs](https://arxiv.org/abs/2105.08050) the
// matrices learned on ImageNet are local nevertheless: the largest weights of a patch are those of its neighbours, as in a
// convolution, though the shape of the kernel is irregular. The figure is a drawing; no numbers come with it.
//
// Here locality is measured as the mean distance between two patches that a matrix connects, in patches, where each pair counts
// by the absolute value of its weight. It is read off networks trained on textures, and off networks trained on the same textures
// whose patches, and the pixels within each patch, were put in another order, the same one for all images. What lies side by
// side in the image does not do so in that order, so that locality learned from the images has to vanish there; locality that
// has another cause stays.
//
// The plan. It is asked whether patches that were put in another order are mixed over a larger distance. Of two patches drawn
// at random in a grid of 8 by 8 the distance is 4.1; a difference of 0.2, a twentieth of that, is the smallest that matters.
// The spread is that of seeds 1001 to 1003. One comparison needs 6 seeds. Nothing is chosen: the learning rate is the same for
// both, since the model and the images are the same but for that order.
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
// | reordered | 4.121 ± 0.016 | 6 | at image.data.dataset permuted instead of textures, with patch 4 and task.image.data.data.dataset textures and difficulty 0.3 and 2 more: reordered equals plain within 0.2 tokens: -0.002, 95% interval -0.019 to 0.020, within it on 6 of 6 seeds |

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
// Not here. The mean distance is 4.12 patches where patches stand in their own order, and 4.12 in the other order, the same as
// between two patches drawn at random. The two are equal within the margin: the mean over all weights shows nothing local.
//
// That mean counts small weights as well. The matrices begin near zero, and after 200 steps many weights may still be noise,
// which hides a few large ones; it is the large ones that one sees in the paper's figure. The textures are waves that run
// through a whole image, so that a far patch says as much about them as a near one, while in a photograph neighbours belong
// together. And the network of the paper has 30 blocks and was trained for 300 epochs. A measure that counts the largest weights
// alone, or images of letters, may show locality; neither was planned.
