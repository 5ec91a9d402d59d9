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
