// %% [markdown] question
// # Distillation: does a mixer learn more from a CNN than from the labels?
//
// A mixer is trained by what a small ResNet says of an image beside its class: by the whole distribution, softened
// ([Hinton et al. 2015](https://arxiv.org/abs/1503.02531)), or by the most likely class alone, the hard labels of
// [DeiT](https://arxiv.org/abs/2012.12877).
//
// Press **Run all**: the teacher is trained first, and its weights stay as they are. Then change the temperature `t` and
// run again: only `soft` is trained anew.
//
// On the command line: `mixlab run distillation.ts`, with `--quick` for a first look. About four minutes on two cores; all
// have the same recipe and two seeds: a look at what distillation is, no ranking.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | teacher | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | resnet | 0.75 ± 0.05 | 2 |  |
//
// | distillation | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | labels | 0.544 ± 0.005 | 2 |  |
// | soft | 0.46 ± 0.09 | 2 | at task soft instead of image: too few seeds to tell soft from labels: -8.3 points, better on 0 of 2 seeds; at least 5 more seeds are needed |
// | hard | 0.548 ± 0.011 | 2 | at task hard instead of image: too few seeds to tell hard from labels: +0.3 points, better on 1 of 2 seeds; at least 5 more seeds are needed |

// %% teacher
import { adamw, compare, glyphs, image, resnet } from 'mixlab'

export const base = image({ data: glyphs({ difficulty: 0.2, train: 1024, test: 1024 }) })
export const train = { steps: 200, batch: 64, optimizer: adamw({ learningRate: 3e-3 }), evalEvery: 100 }
export const quick = { train: { steps: 30, evalEvery: 15 }, seeds: 1 }

export const cnn = compare('teacher', {
  task: base,
  variants: { resnet: resnet({ width: 8 }) },
  train,
  seeds: 2,
  quick,
})

// %% [markdown] soft-paper
// ## Soft labels
//
// z are the logits of the mixer, v those of the teacher, both divided by the temperature t:
//
// $(1 - a)\,\mathrm{CE}(z, y) + a\,t^2\,\mathrm{CE}(z / t, \mathrm{softmax}(v / t))$

// %% soft
import { add, crossEntropy, div, mul, softmax, task } from 'mixlab'

const [t, a] = [4, 0.9]
export const soft = task('soft', {
  base,
  teacher: cnn,
  loss: (z, y, { teacher: v }) =>
    add(mul(1 - a, crossEntropy(z, y)), mul(a * t * t, crossEntropy(div(z, t), softmax(div(v, t))))),
})

// %% [markdown] hard-paper
// ## Hard labels
//
// $\frac{1}{2}\,\mathrm{CE}(z, y) + \frac{1}{2}\,\mathrm{CE}(z, \mathrm{argmax}\,v)$

// %% hard
import * as tf from '@tensorflow/tfjs'

export const hard = task('hard', {
  base,
  teacher: cnn,
  loss: (z, y, { teacher: v }) => div(add(crossEntropy(z, y), crossEntropy(z, tf.argMax(v, -1))), 2),
})

// %% study
import { mixer } from 'mixlab'

export const distillation = compare('distillation', {
  task: base,
  model: { patch: 7, dim: 48, depth: 2, ffnRatio: 2 },
  block: mixer,
  variants: { labels: {}, soft: { task: soft }, hard: { task: hard } },
  train,
  seeds: 2,
  quick,
})
