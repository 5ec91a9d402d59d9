// %% [markdown] question
// # Is a gate enough for negation?
//
// "it was not true that the drill near the roofer was not good": whether this is praise depends on which words go
// together. In table 6 of [Pay Attention to MLPs](https://arxiv.org/abs/2105.08050) gMLP needs no attention for the
// sentiment of a sentence (SST-2: 94.2, BERT 93.8, aMLP 93.4). Here, on sentences of the bundled `world`, the mean over
// all tokens is classified, and before that
//
// - `alone`: nothing is mixed, each token goes through its own feed-forward layers;
// - `gated`: the gate of gMLP;
// - `amlp`: the same with a tiny attention in the gate;
// - `bert`: self-attention ([Devlin et al. 2018](https://arxiv.org/abs/1810.04805)).
//
// Press **Run all**, or Shift-Enter in each cell. Then change the gate, e.g. to `dense(gate, dim)`, and run again:
// only that variant is trained anew.
//
// On the command line: `mixlab run sentiment.ts`, with `--quick` for a first look. Two to three minutes on two cores.
//
// Logistic regression on word counts has 0.605. The learning rate, of 1e-3, 2e-3 and 4e-3, is the one that is best on
// average by validation, with a seed that is none of these; bert alone is a little better with the smallest.

// %% [markdown] expected
// Expected, on simd with numerics 4:
//
// | Is a gate enough for negation? | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | alone | 0.594 ± 0.010 | 3 |  |
// | gated | 0.958 ± 0.008 | 3 | too few seeds to tell gated from alone: +36.4 points, better on 3 of 3 seeds; about 4 more seeds would settle a difference of this size |
// | amlp | 0.90 ± 0.07 | 3 | too few seeds to tell amlp from alone: +30.9 points, better on 3 of 3 seeds; about 4 more seeds would settle a difference of this size |
// | bert | 0.88 ± 0.05 | 3 | too few seeds to tell bert from alone: +28.3 points, better on 3 of 3 seeds; about 4 more seeds would settle a difference of this size |

// %% layers
import { block, dense, gelu, layerNorm, mul, nearZero, ones, residual, split, tokenDense } from 'mixlab'

// %% alone
// Each token by itself: they meet in the mean at the end alone. x is [batch, tokens, dim].
export const alone = block('alone', (x, { dim, ffn }) => residual(x, dense(gelu(dense(layerNorm(x), ffn)), dim)))

// %% gate
// The gMLP block: a gate over tokens, whose weights depend on their distance.
export const gated = block('gated', (x, { dim, ffn }) => {
  const [u, v] = split(gelu(dense(layerNorm(x), ffn)), 2)
  const gate = tokenDense(layerNorm(v), { weight: nearZero, bias: ones, structure: 'toeplitz' })
  return residual(x, dense(mul(u, gate), dim))
})

// %% study
import { adamw, amlp, bert, compare, sequence, world } from 'mixlab'

export const negation = compare('Is a gate enough for negation?', {
  task: sequence({ data: world({ difficulty: 0.5 }), tokens: 32, pool: 'mean' }),
  model: { dim: 64, ffn: 192, depth: 2 },
  variants: { alone, gated, amlp: amlp({ attention: 32 }), bert: bert({ ffn: 128, heads: 4 }) },
  train: { steps: 600, batch: 64, optimizer: adamw({ learningRate: 2e-3 }) },
  seeds: 3,
  quick: { train: { steps: 300 }, seeds: 1 },
})
