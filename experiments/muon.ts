// %% [markdown] question
// # Gallery: does Muon train a gMLP faster than AdamW?
//
// [Muon](https://kellerjordan.github.io/posts/muon/) (Jordan 2024; at scale [Liu et al. 2025](https://arxiv.org/abs/2502.16982))
// takes the momentum of each matrix to a matrix with singular values of about 1, so that all directions move alike. Here
// it is in a cell, for the matrices of the blocks; AdamW trains the rest.
//
// Press **Run all**, or copy the cell into a notebook of yours and change it. On the command line:
// `mixlab run muon.ts`, with `--quick` for a first look.
//
// About a minute on two cores. Two rates that are usual for each, and two seeds: a look at it, no ranking.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | Muon or AdamW | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | adamw | 0.477 ± 0.028 | 2 |  |
// | muon | 0.59 ± 0.04 | 2 | at optimizer groups instead of adamw and learningRate 0.02 instead of 0.003, with groups [{"match":"/^blocks/","dims":2,"optimize…: too few seeds to tell muon from adamw: +11.3 points, better on 2 of 2 seeds; at least 4 more seeds are needed |

// %% [markdown] muon-paper
// **Muon** ([Jordan 2024](https://kellerjordan.github.io/posts/muon/)): B = μ B + G, and W moves along the orthogonal matrix
// nearest to G + μ B (Nesterov), times √max(1, out / in). Five iterations X = a X + (b A + c A²) X with A = X Xᵀ, from X = G / |G| on,
// come near enough.

// %% muon
import * as tf from '@tensorflow/tfjs'
import { add, div, mul, optimizer, sqrt, square, sub, sum } from 'mixlab'

const orthogonal = (g: tf.Tensor) => {
  let x = div(g, add(sqrt(sum(square(g))), 1e-7)) as tf.Tensor2D
  for (let i = 0; i < 5; i++) {
    const a = tf.matMul(x, x, false, true)
    x = add(mul(x, 3.4445), tf.matMul(add(mul(a, -4.775), mul(tf.matMul(a, a), 2.0315)), x))
  }
  return mul(x, Math.sqrt(Math.max(1, x.shape[1] / x.shape[0])))
}

export const muon = optimizer(
  'muon',
  { learningRate: 0.02, momentum: 0.95, weightDecay: 0 },
  {
    state: ['buffer'],
    update: ({ weight, gradient, buffer, learningRate, decay, options: { momentum } }) => {
      const next = add(mul(buffer, momentum), gradient)
      const change = add(orthogonal(add(gradient, mul(next, momentum))), mul(weight, decay))
      return { weight: sub(weight, mul(change, learningRate)), buffer: next }
    },
  },
)

// %% study
import { adamw, compare, glyphs, gmlp, groups, image } from 'mixlab'

const both = groups([{ match: /^blocks/, dims: 2, optimizer: muon() }, { optimizer: adamw({ learningRate: 3e-3 }) }])

export const study = compare('Muon or AdamW', {
  task: image({ data: glyphs({ difficulty: 0.2, test: 1024 }) }),
  model: { patch: 7, dim: 48, depth: 2, ffnRatio: 2 },
  variants: {
    adamw: { block: gmlp, train: { optimizer: adamw({ learningRate: 3e-3 }) } },
    muon: { block: gmlp, train: { optimizer: both } },
  },
  train: { steps: 200, batch: 64, evalEvery: 100 },
  seeds: 2,
  quick: { train: { steps: 30, evalEvery: 15 }, seeds: 1 },
})
