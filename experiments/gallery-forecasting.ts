// %% [markdown] question
// # Gallery: does mixing over time forecast?
//
// [TSMixer](https://arxiv.org/abs/2303.06053), an MLP-Mixer for time series, beside
// [gMLP](https://arxiv.org/abs/2105.08050), on generated series of seven channels with seasons, trends and noise that
// reaches the channels one after the other. Both read 48 steps and forecast 12; `skill` is over saying the last value again.
//
// Press **Run all**, or copy the cell of the idea into a notebook of yours and change it. On the command line:
// `mixlab run gallery-forecasting.ts`, with `--quick` for a first look.
//
// About a minute on two cores. Both have the same recipe and two seeds: a look at what they are, no ranking.

// %% [markdown] expected
// Expected, on simd with numerics 4:
//
// | Does mixing over time forecast? | test/mse, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | gmlp | 0.332 ± 0.017 | 2 |  |
// | tsMixer | 0.310 ± 0.016 | 2 | too few seeds to tell tsMixer from gmlp: -0.023 (lower is better), better on 1 of 2 seeds; at least 4 more seeds are needed |

// %% language
import type { Tensor } from '@tensorflow/tfjs'
import { block, dense, layerNorm, relu, reshape, residual, tokenDense } from 'mixlab'

// %% [markdown] tsmixer-paper
// ## TSMixer
//
// Chen et al. 2023, [TSMixer: An All-MLP Architecture for Time Series Forecasting](https://arxiv.org/abs/2303.06053). A
// matrix over the steps, shared by all features, then an MLP over the features of each step; LN is over steps and features
// together. The head of the task is its temporal projection; its dropout is left out.
//
// $x \leftarrow x + \mathrm{ReLU}(W_t\,\mathrm{LN}(x)),\quad x \leftarrow x + \mathrm{ReLU}(\mathrm{LN}(x)\,W_1)\,W_2$

// %% tsmixer
export const tsMixer = block('TSMixer', (x, { dim, ffn, tokens }) => {
  const norm = (y: Tensor) => reshape(layerNorm(reshape(y, [-1, tokens * dim])), [-1, tokens, dim])
  x = residual(x, relu(tokenDense(norm(x))))
  return residual(x, dense(relu(dense(norm(x), ffn)), dim))
})

// %% study
import { adamw, compare, forecast, gmlp, seasons } from 'mixlab'

export const gallery = compare('Does mixing over time forecast?', {
  task: forecast({ data: seasons({ steps: 120 }), window: 48, horizon: 12 }),
  model: { dim: 32, depth: 2, ffnRatio: 2 },
  variants: { gmlp, tsMixer },
  train: { steps: 400, batch: 64, optimizer: adamw({ learningRate: 2e-3 }), evalEvery: 100 },
  seeds: 2,
  quick: { train: { steps: 40, evalEvery: 20 }, seeds: 1 },
})
