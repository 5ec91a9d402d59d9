// %% [markdown] question
// # Does a convolution help an MLP from which it is gone afterwards?
//
// The matrix over the patches of an MLP does not know which patches are neighbours. RepMLP ([Ding et al.
// 2021](https://arxiv.org/abs/2105.01883)) trains with small convolutions beside its matrices. A convolution is a
// matrix with few weights that repeat, so after training it is added to the matrix and is gone: the network that is
// used has the size and the cost of the one without, and the same logits. Is it better for having had them?
//
// Four networks learn letters in 7 x 7 patches, each *without* convolutions and *with* those of 1 x 1 and 3 x 3. All
// have the same steps, batches, seeds and learning rate; the two variants of a network differ in one option. RepMLP
// has four matrices over patches, with kernels of their own; ResMLP, gMLP and MLP-Mixer have one for all channels. In
// MLP-Mixer the convolutions lie before the first of its two matrices over patches, since the hidden units between
// them have no place in the image.
//
// Press **Run all**, or Shift-Enter in each cell. Then try other kernels in `kernels`, and run again: only the
// variants *with* are trained anew. The command `mixlab export --fold` writes one of them without its convolutions. On
// the command line: `mixlab run folded-convolutions.ts`, with `--quick` for a first look. About two minutes on two idle
// cores; chance is 0.038.
//
// Limits: the networks have two blocks and some 10,000 to 25,000 parameters, they train for 200 steps at one learning
// rate, which was not chosen for each, and letters are drawn, not photographed. `experiments/repmlp/locality.ts` has
// real digits, and a plan that was made before. Networks are not compared with each other.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | RepMLP | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | without | 0.862 ± 0.016 | 6 |  |
// | with | 0.862 ± 0.005 | 6 | with is not shown to differ from without: 0.0 points, 95% interval -0.9 to 1.3, better on 2 of 6 seeds; more than 100 more seeds are needed to settle a difference of this size |
//
// | gMLP | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | without | 0.40 ± 0.10 | 6 |  |
// | with | 0.39 ± 0.11 | 6 | with is not shown to differ from without: -1.3 points, 95% interval -9.9 to 4.9, better on 3 of 6 seeds; more than 100 more seeds are needed to settle a difference of this size |
//
// | MLP-Mixer | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | without | 0.584 ± 0.029 | 6 |  |
// | with | 0.52 ± 0.06 | 6 | with is not shown to differ from without: -6.2 points, 95% interval -11.0 to -0.9, better on 2 of 6 seeds; the interval is narrow for so few seeds, p is 0.13; about 12 more seeds would settle a difference of this size |
//
// | ResMLP | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | without | 0.37 ± 0.06 | 6 |  |
// | with | 0.43 ± 0.09 | 6 | with is not shown to differ from without: +6.0 points, 95% interval -0.7 to 13.6, better on 5 of 6 seeds; about 26 more seeds would settle a difference of this size |

// %% setting
import { adamw, compare, glyphs, image } from 'mixlab'

const kernels = [1, 3]

/** What the studies have in common. */
const setting = {
  task: image({ data: glyphs({ difficulty: 0.1, test: 1024 }) }),
  model: { patch: 4, dim: 16, depth: 2, ffnRatio: 2 },
  train: {
    ...{ steps: 200, batch: 32, warmup: 20, evalEvery: 200 },
    optimizer: adamw({ learningRate: 1.6e-2, weightDecay: 0.05 }),
  },
  seeds: 6,
  quick: { train: { steps: 20 }, seeds: 1 },
}

// %% repmlp
import { repmlp } from 'mixlab'

export const repmlps = compare('RepMLP', {
  variants: { without: repmlp({ shareSets: 4, reparam: [] }), with: repmlp({ shareSets: 4, reparam: kernels }) },
  ...setting,
})

// %% gmlp
import { gmlp } from 'mixlab'

export const gmlps = compare('gMLP', { variants: { without: gmlp, with: gmlp({ locality: kernels }) }, ...setting })

// %% mixer
import { mixer } from 'mixlab'

export const mixers = compare('MLP-Mixer', {
  variants: { without: mixer({ tokenRatio: 2 }), with: mixer({ tokenRatio: 2, locality: kernels }) },
  ...setting,
})

// %% resmlp
import { resmlp } from 'mixlab'

export const resmlps = compare('ResMLP', {
  variants: { without: resmlp, with: resmlp({ locality: kernels }) },
  ...setting,
})

// %% [markdown] found
// ## What was found, and why it may be otherwise elsewhere
//
// No network is shown to be better for its convolutions. RepMLP comes to the same, within 1.3 points. ResMLP had 6
// points more and MLP-Mixer 6 points less, on 5 and 4 of 6 seeds; seeds lie so far apart that neither is shown. gMLP
// differs by one point on average and by ten between seeds.
//
// These networks learn for 200 steps, and see each letter hardly twice. A convolution says beforehand that neighbours
// belong together; that helps where there are too few images to learn it from, and here the images are not what is
// short. In MLP-Mixer the convolutions add to what the first matrix reads, which then is larger from the start;
// whether it loses by that was not tried. Few images, seen many times, are in `experiments/repmlp/locality.ts`;
// photographs were not tried.
