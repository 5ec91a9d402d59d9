// %% [markdown] question
// # Gallery: does SAM generalise better than SGD?
//
// [Sharpness-aware minimization](https://arxiv.org/abs/2010.01412) (Foret et al. 2021) takes the gradient not where the
// weights are, but a step up the loss away: what it finds lies in a flat part of the loss. Each step costs two gradients
// of the same batch, with the same draws of dropout. Here it is in a cell, over SGD.
//
// Press **Run all**, or copy the cell into a notebook of yours and change it. On the command line:
// `mixlab run sam.ts`, with `--quick` for a first look.
//
// About a minute on two cores. Two seeds: a look at it, no ranking.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | SAM or SGD | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | sgd | 0.69 ± 0.05 | 2 |  |
// | sam | 0.70 ± 0.04 | 2 | at optimizer sam instead of sgd: too few seeds to tell sam from sgd: +0.3 points, better on 1 of 2 seeds; at least 4 more seeds are needed |

// %% [markdown] sam-paper
// **SAM** ([Foret et al. 2021](https://arxiv.org/abs/2010.01412), algorithm 1): g = ∇L(w), ε = ρ g / |g|, and SGD with the
// gradient ∇L(w + ε) at w; |g| is the norm over all weights.

// %% sam
import { add, div, mul, optimizer, sgd } from 'mixlab'

export const sam = optimizer(
  'sam',
  { rho: 0.05 },
  {
    over: sgd,
    secondGradient: ({ weight, gradient, norm, options: { rho } }) =>
      add(weight, mul(gradient, div(rho, add(norm, 1e-12)))),
  },
)

// %% study
import { compare, glyphs, image, mixer } from 'mixlab'

export const study = compare('SAM or SGD', {
  task: image({ data: glyphs({ difficulty: 0.2, test: 1024 }) }),
  model: { patch: 7, dim: 48, depth: 2, ffnRatio: 2 },
  variants: {
    sgd: { block: mixer, train: { optimizer: sgd({ learningRate: 0.1 }) } },
    sam: { block: mixer, train: { optimizer: sam({ learningRate: 0.1 }) } },
  },
  train: { steps: 200, batch: 64, evalEvery: 100 },
  seeds: 2,
  quick: { train: { steps: 30, evalEvery: 15 }, seeds: 1 },
})
