// %% [markdown] question
// # Is MLP-Mixer an advance over an MLP on all pixels?
//
// The first MLPs for images read all pixels as one long vector. The [survey](https://arxiv.org/abs/2105.15078) (sections 1
// and 5) says that they have many parameters, overfit and miss local structure, and that to mix tokens and channels apart,
// as MLP-Mixer does, is a significant advance. It has no figures for that.
//
// Here MLP-Mixer, with 20,570 parameters, learns 1,024 letters beside two such MLPs on 784 pixels. *Narrow* has as many
// parameters (20,690, within 1%), and a sixteenth of the multiply-adds. *Wide* has as many multiply-adds (320,292, within
// 1%), and sixteen times the parameters.
//
// The plan. It is asked whether either MLP is worse than MLP-Mixer. A difference of 5 points is the smallest that matters:
// the survey itself counts 5 points and more as a gap between families. Each of the three has the learning rate that is
// best for it by validation with seeds 1001 to 1003, of five, each four times the one before; the largest was added when
// the one before it was best for MLP-Mixer. No test accuracy of these seeds was looked at. They spread by 6.9 points in the
// difference of the narrow MLP and by 2.7 in that of the wide one. Three seeds tell that badly, so the plan counts with one
// and a half times as much. With 12 seeds a difference of 5 points is then shown with a power of 0.93 for the wide MLP, and
// of 0.23 for the narrow one, for which only a larger difference would be shown.
//
// Press **Run all**, or Shift-Enter in each cell. Then give `narrow` another `depth`, and run again: only that variant is
// trained anew. On the command line: `mixlab run plain-mlp.ts`, with `--quick` for a first look. About a minute and a half
// on two idle cores; chance is 0.038.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | asked | the paper | here | verdict | plan |
// | --- | --- | --- | --- | --- |
// | letters: narrow | no figures | 0.664 against 0.729, difference -0.064 (-0.080 to -0.037), 12 seeds | **screening** | margin 0.05; power 0.23, to be equal 0.02 |
// | letters: wide | no figures | 0.826 against 0.729, difference 0.098 (0.083 to 0.125), 12 seeds | **found otherwise** | margin 0.05; power 0.93, to be equal 0.94 |
//
// | letters | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | mixer | 0.73 ± 0.03 | 12 |  |
// | narrow | 0.664 ± 0.022 | 12 | at dim 24 instead of 32: narrow is less accurate than mixer by 6.4 points, 95% interval 3.7 to 8.0, 11 of 12 seeds; narrow at lr 0.004, mixer at lr 0.064, each the best of 0.001, 0.004, 0.016, 0.064, 0.256 on validation with seeds 1001 to 1003; tuning took 45 runs, the report 36 |
// | wide | 0.826 ± 0.009 | 12 | at dim 246 instead of 32: wide is more accurate than mixer by 9.8 points, 95% interval 8.3 to 12.5, 12 of 12 seeds; wide at lr 0.004, mixer at lr 0.064, each the best of 0.001, 0.004, 0.016, 0.064, 0.256 on validation with seeds 1001 to 1003; tuning took 45 runs, the report 36 |

// %% study
import { adamw, compare, glyphs, image, mixer, plainMlp, tuned } from 'mixlab'

export const letters = compare('letters', {
  task: image({ data: glyphs({ difficulty: 0.1, train: 1024, validation: 0.4, test: 1024 }) }),
  model: { patch: 7, depth: 2 },
  variants: {
    mixer: { block: mixer, model: { dim: 32 } },
    narrow: { block: plainMlp, model: { dim: 24 } },
    wide: { block: plainMlp, model: { dim: 246 } },
  },
  tune: tuned({ lr: [1e-3, 4e-3, 1.6e-2, 6.4e-2, 0.256] }, ({ lr }) => ({
    train: { optimizer: adamw({ learningRate: lr, weightDecay: 0.05 }) },
  })),
  margin: 0.05,
  train: { steps: 250, batch: 32, warmup: 25, evalEvery: 250 },
  seeds: 12,
  quick: { train: { steps: 20 }, seeds: 1 },
})

// %% claim
import { claim } from 'mixlab'

const worse = (of: string, spread: number) => ({
  ...{ study: letters, of, figures: 'no figures', spread },
  expected: 'worse' as const,
})

export const claimed = claim({
  paper: 'survey',
  where: 'sections 1 and 5',
  pilot: [1001, 1002, 1003],
  minutes: 2,
  parts: [worse('narrow', 0.104), worse('wide', 0.041)],
})

// %% [markdown] found
// ## What was found, and why it may be otherwise elsewhere
//
// At equal parameters the survey is right: an MLP on all pixels is behind MLP-Mixer by 6 points, on eleven of twelve seeds.
// At equal multiply-adds it is not: an MLP with sixteen times the parameters is ahead of it by 10 points, on all twelve.
//
// A letter of 28 pixels is not far from a long vector whose strokes have fixed places, and the wide MLP has a weight for
// each pixel and hidden unit, 321,056 in all, on 1,024 letters. That it overfits, as the survey says, does not keep it from
// being best: these letters are drawn upright near the middle, and little in them moves. Images in which things move,
// larger images, of which the long vector asks for many more weights, or more steps for MLP-Mixer, which after 250 still
// learned fastest with a large rate, may turn it. Neither was planned.
