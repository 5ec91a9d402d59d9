// %% [markdown] question
// # Is gMLP as good on images as a Transformer, and better than other MLPs?
//
// On ImageNet [gMLP](https://arxiv.org/abs/2105.08050) has a top-1 accuracy of 72.3, 79.6 and 81.6 with 6, 20 and 73 million
// parameters, and the Transformer of DeiT one of 72.2, 79.8 and 81.8 with 5, 22 and 86 million (tables 1 and 2). MLP-Mixer has
// 77.3 with 59 million in the same setup, and of all MLPs gMLP has the best accuracy for its size (figure 2).
//
// Here gMLP, a Transformer, MLP-Mixer and ResMLP have two blocks of 32 channels each, with as many hidden channels as make
// their parameters equal within 1%, 19,600 to 19,700, and learn letters in 16 patches for 600 steps. The Transformer is told
// the places of the patches, and like the others it ends in the mean over them.
//
// The plan. It is asked of the Transformer whether it is as good as gMLP, and of the two other MLPs whether they are worse. A
// difference of 5 points is the smallest that matters: the paper's gap between gMLP and MLP-Mixer is 2 to 4 points, and its
// seeds differ by 0.1 where those here differ by some points. Each of the four has the learning rate that is best for it by
// validation with seeds 1001 to 1003, of four, each three times the one before; the smallest was added when the one after it
// was best for two of them. After 200 steps gMLP and the Transformer came to 0.12 and 0.11 on validation, hardly more than
// chance, so that such a short training is left out. No test accuracy of these seeds was looked at. They spread by 4.9 points
// in the difference of the Transformer, by 4.1 in that of MLP-Mixer and by 3.4 in that of ResMLP. Three seeds know that badly,
// so the plan is made with one and a half times as much. Three comparisons need 7 seeds; with 8 a difference of 5 points is
// shown with a power of 0.17, 0.25 and 0.38 only, and one of 10 points with 0.68, 0.83 and 0.95.
//
// Press **Run all**, or Shift-Enter in each cell. Then give `gmlp` another `ffn`, and run again: only that variant is trained
// anew. On the command line: `mixlab run vision.ts`, with `--quick` for a first look. About five minutes on two idle cores;
// chance is 0.038.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | asked | the paper | here | verdict | plan |
// | --- | --- | --- | --- | --- |
// | letters: transformer | top-1 72.2, 79.8, 81.8 against 72.3, 79.6, 81.6 | 0.45 against 0.49, difference -0.04 (-0.10 to 0.03), 8 seeds | **screening** | margin 0.05; power 0.17, to be equal 0.03 |
// | letters: mixer | top-1 77.3 with 59 M against 79.6 with 20 M | 0.72 against 0.49, difference 0.24 (0.16 to 0.29), 8 seeds | **screening** | margin 0.05; power 0.25, to be equal 0.09 |
// | letters: resmlp | below gMLP in figure 2 | 0.66 against 0.49, difference 0.17 (0.10 to 0.24), 8 seeds | **screening** | margin 0.05; power 0.38, to be equal 0.24 |
//
// | letters | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | gmlp | 0.49 ± 0.10 | 8 |  |
// | transformer | 0.450 ± 0.030 | 8 | transformer is not shown to differ from gmlp: -3.7 points, 95% interval -10.1 to 2.6, better on 3 of 8 seeds; not shown to be equal within 5 points; about 88 more seeds would settle a difference of this size; transformer at lr 0.006, gmlp at lr 0.006, each the best of 0.002, 0.006, 0.018, 0.054 on validation with seeds 1001 to 1003; tuning took 48 runs, the report 32 |
// | mixer | 0.72 ± 0.04 | 8 | mixer is more accurate than gmlp by 23.5 points, 95% interval 16.1 to 29.3, 8 of 8 seeds; mixer at lr 0.018, gmlp at lr 0.006, each the best of 0.002, 0.006, 0.018, 0.054 on validation with seeds 1001 to 1003; tuning took 48 runs, the report 32 |
// | resmlp | 0.66 ± 0.03 | 8 | resmlp is more accurate than gmlp by 17.0 points, 95% interval 10.0 to 23.9, 8 of 8 seeds; resmlp at lr 0.018, gmlp at lr 0.006, each the best of 0.002, 0.006, 0.018, 0.054 on validation with seeds 1001 to 1003; tuning took 48 runs, the report 32 |

// %% transformer
import { addPositions, dense, head, layerNorm, mean, patchEmbed, stem, vit } from 'mixlab'

/** The blocks of a Transformer behind patches with positions, and before the mean over them, as in the other three. */
const transformer = vit({
  ffn: 61,
  stem: stem('positions', (images, { patch, dim }) => addPositions(patchEmbed(images, patch, dim), 'positions')),
  head: head('mean', (x, _, classes) => dense(mean(layerNorm(x), 1), classes)),
})

// %% study
import { adamw, compare, glyphs, gmlp, image, mixer, resmlp, tuned } from 'mixlab'

export const letters = compare('letters', {
  task: image({ data: glyphs({ difficulty: 0.3, test: 2048 }) }),
  model: { patch: 7, dim: 32, depth: 2 },
  variants: {
    gmlp: gmlp({ ffn: 164 }),
    transformer,
    mixer: mixer({ ffn: 121 }),
    resmlp: resmlp({ ffn: 124 }),
  },
  tune: tuned({ lr: [2e-3, 6e-3, 1.8e-2, 5.4e-2] }, ({ lr }) => ({
    train: { optimizer: adamw({ learningRate: lr, weightDecay: 0.05 }) },
  })),
  margin: 0.05,
  train: { steps: 600, batch: 16, warmup: 60, evalEvery: 600 },
  seeds: 8,
  quick: { train: { steps: 20 }, seeds: 1 },
})

// %% claim
import { claim } from 'mixlab'

const part = (of: string, expected: 'equal' | 'worse', figures: string, spread: number) => ({
  ...{ study: letters, of, expected, figures, spread },
})

export const claimed = claim({
  paper: 'gmlp',
  where: 'tables 1 and 2, figure 2',
  pilot: [1001, 1002, 1003],
  minutes: 6,
  parts: [
    part('transformer', 'equal', 'top-1 72.2, 79.8, 81.8 against 72.3, 79.6, 81.6', 0.074),
    part('mixer', 'worse', 'top-1 77.3 with 59 M against 79.6 with 20 M', 0.062),
    part('resmlp', 'worse', 'below gMLP in figure 2', 0.051),
  ],
})

// %% [markdown] found
// ## What was found, and why it may be otherwise elsewhere
//
// Otherwise than in the paper, both other MLPs are better than gMLP, MLP-Mixer by 24 points and ResMLP by 17, each on all
// eight seeds. Whether the Transformer is as good as gMLP stays open: it is worse by 3.7 points in the mean, and better on 3
// of 8 seeds.
//
// What counts here is how soon a network begins to look beyond a patch. A gate of gMLP begins at one, with weights near zero
// over the patches, so that in the beginning a patch knows nothing of the others; the matrices of MLP-Mixer and ResMLP mix
// them from the first step. With a gate that begins at zero gMLP learns letters faster ([init.ts](init.ts)). The paper trains
// for 300 epochs with augmentation, here 600 steps see a little more than one. On validation gMLP came from 0.12 after 200
// steps to 0.53 after 600, and more steps would tell more.
