// %% [markdown] question
// # Gallery: can a learning rate do without a schedule?
//
// [Schedule-free AdamW](https://arxiv.org/abs/2405.15682) (Defazio et al. 2024) needs to know no last step: the weights that
// are evaluated are a mean of those that were passed, which takes the place of a falling learning rate. Here it is in a
// cell, with a constant rate, beside AdamW with a constant rate and with a cosine.
//
// Press **Run all**, or copy the cell into a notebook of yours and change it. On the command line:
// `mixlab run schedule-free.ts`, with `--quick` for a first look.
//
// About a minute on two cores. Two seeds: a look at it, no ranking.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | Without a schedule | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | cosine | 0.477 ± 0.028 | 2 |  |
// | constant | 0.683 ± 0.016 | 2 | at schedule constant instead of cosine: too few seeds to tell constant from cosine: +20.7 points, better on 2 of 2 seeds; at least 5 more seeds are needed |
// | scheduleFree | 0.672 ± 0.010 | 2 | at optimizer schedule-free instead of adamw and learningRate 0.006 instead of 0.003 and schedule constant instead of cosine: too few seeds to tell scheduleFree from cosine: +19.5 points, better on 2 of 2 seeds; at least 5 more seeds are needed |

// %% [markdown] schedule-free-paper
// **Schedule-free AdamW** ([Defazio et al. 2024](https://arxiv.org/abs/2405.15682), algorithm 1): gradients g are those at
// y = (1 - β₁) z + β₁ x; v = β₂ v + (1 - β₂) g², γ = rate √(1 - β₂ᵗ), z = z - γ (g / (√v + ε) + λ y), and x becomes a mean of all z,
// x = x + γ² / Σγ² (z - x). What is trained is y, what is evaluated and saved x.

// %% schedule-free
import * as tf from '@tensorflow/tfjs'
import { add, div, mul, optimizer, sqrt, square, sub, zerosLike } from 'mixlab'

const mixed = (a: tf.Tensor, b: tf.Tensor, share: tf.Tensor | number) => add(a, mul(sub(b, a), share))

const defaults = { learningRate: 2.5e-3, beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0 }

export const scheduleFree = optimizer('schedule-free', defaults, {
  state: (weight) => ({ z: weight, x: weight, v: zerosLike(weight), total: tf.scalar(0) }),
  scalars: ({ learningRate, step, options: { beta2 } }) => ({ rate: learningRate * Math.sqrt(1 - beta2 ** step) }),
  update: ({ weight, gradient, rate, decay, options: { beta1, beta2, eps }, ...old }) => {
    const v = add(mul(old.v, beta2), mul(square(gradient), 1 - beta2))
    const z = sub(old.z, mul(add(div(gradient, add(sqrt(v), eps)), mul(weight, decay)), rate))
    const total = add(old.total, square(rate))
    const x = mixed(old.x, z, div(square(rate), total))
    return { weight: mixed(z, x, beta1), z, x, v, total }
  },
  evaluationWeights: ({ x }) => x,
})

// %% study
import { adamw, compare, glyphs, gmlp, image } from 'mixlab'

export const study = compare('Without a schedule', {
  task: image({ data: glyphs({ difficulty: 0.2, test: 1024 }) }),
  model: { patch: 7, dim: 48, depth: 2, ffnRatio: 2 },
  variants: {
    cosine: { block: gmlp, train: { optimizer: adamw({ learningRate: 3e-3 }) } },
    constant: { block: gmlp, train: { optimizer: adamw({ learningRate: 3e-3 }), schedule: 'constant' } },
    scheduleFree: { block: gmlp, train: { optimizer: scheduleFree({ learningRate: 6e-3 }), schedule: 'constant' } },
  },
  train: { steps: 200, batch: 64, evalEvery: 100 },
  seeds: 2,
  quick: { train: { steps: 30, evalEvery: 15 }, seeds: 1 },
})
