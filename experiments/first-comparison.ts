// %% [markdown] question
// # What is the gate worth?
//
// A gMLP block ([Pay Attention to MLPs](https://arxiv.org/abs/2105.08050), section 2) mixes tokens by its gate alone: half
// of the channels, projected over the tokens, multiplies the other half. Without the gate it is a plain feed-forward
// layer, and the patches of an image meet in the mean at the end only. How much of what it learns of the bundled `shapes`
// does the gate bring?
//
// Press **Run all**, or Shift-Enter in each cell. Then change the gate, e.g. to `add(u, ...)`, and run again: only the
// variant whose code changed is trained anew.
//
// On the command line: `mixlab run first-comparison.ts`, with `--quick` for a first look. About half a minute on two
// cores; chance is 0.1. The learning rate, of 4e-3, 8e-3 and 1.6e-2, is the one that suits `ungated` best by
// validation, and the number of steps one that is enough to tell, both with seeds that are none of these.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | What is the gate worth? | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | ungated | 0.499 ± 0.007 | 6 |  |
// | gated | 0.962 ± 0.023 | 6 | gated is more accurate than ungated by 46.3 points, 95% interval 44.5 to 47.9, 6 of 6 seeds |

// %% layers
import { add, block, dense, gelu, layerNorm, mul, nearZero, ones, residual, split, tokenDense } from 'mixlab'

// %% gated
// The gMLP block, as in figure 1 of the paper. x is [batch, tokens, dim].
export const gated = block('gated', (x, { dim, ffn }) => {
  const shortcut = x
  x = layerNorm(x)
  x = gelu(dense(x, ffn))
  const [u, v] = split(x, 2)
  x = mul(u, tokenDense(layerNorm(v), { weight: nearZero, bias: ones }))
  return residual(shortcut, dense(x, dim))
})

// %% ungated
// The same without the gate.
export const ungated = block('ungated', (x, { dim, ffn }) => {
  const shortcut = x
  x = layerNorm(x)
  x = gelu(dense(x, ffn))
  return residual(shortcut, dense(x, dim))
})

// %% study
import { adamw, compare, image, shapes } from 'mixlab'

export const first = compare('What is the gate worth?', {
  task: image({ data: shapes({ difficulty: 0.2 }) }),
  model: { patch: 8, dim: 32, ffn: 96, depth: 2 },
  variants: { ungated, gated },
  train: { steps: 250, batch: 32, optimizer: adamw({ learningRate: 8e-3 }) },
  seeds: 6,
  quick: { train: { steps: 200 }, seeds: 6 },
})
