// %% [markdown] question
// # gMLP or Mixer?
//
// Both mix tokens with plain matrix products and no attention. gMLP ([Pay Attention to MLPs](https://arxiv.org/abs/2105.08050))
// multiplies half of its channels by a learned projection over tokens; MLP-Mixer
// ([An all-MLP Architecture](https://arxiv.org/abs/2105.01601)) puts an MLP over tokens in front of one over channels.
// Which one learns the bundled `shapes` faster, with the same recipe?
//
// Press **Run all**, or Shift-Enter in each cell. Then change the block and run again: only the variant whose code
// changed is trained anew.
//
// On the command line: `mixlab run first-comparison.ts`, with `--quick` for a first look. Under a minute on two cores. The
// learning rate, of 4e-3, 8e-3 and 1.6e-2, was chosen by validation, with a seed that is none of these.

// %% [markdown] expected
// Expected:
//
// | gMLP or Mixer | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | gmlp | 0.971 ± 0.027 | 6 |  |
// | mixer | 0.984 ± 0.011 | 6 | against gmlp: no difference shown: +1.3 points, 95% interval -0.1 to 3.4, better on 4 of 6 seeds; about 33 more seeds would settle a difference of this size |

// %% block
import { block, dense, gelu, layerNorm, mul, nearZero, ones, residual, split, tokenDense } from 'mixlab'

// The gMLP block, as in figure 1 of the paper. x is [batch, tokens, dim].
export const gated = block('gated', (x, { dim, ffn }) => {
  const shortcut = x
  x = layerNorm(x)
  x = gelu(dense(x, ffn))
  const [u, v] = split(x, 2)
  x = mul(u, tokenDense(layerNorm(v), { weight: nearZero, bias: ones }))
  return residual(shortcut, dense(x, dim))
})

// %% study
import { adamw, compare, image, mixer, shapes } from 'mixlab'

export const first = compare('gMLP or Mixer', {
  task: image({ data: shapes({ difficulty: 0.2 }) }),
  model: { patch: 8, dim: 32, ffn: 96, depth: 2 },
  variants: { gmlp: gated, mixer: mixer() },
  train: { steps: 300, batch: 32, optimizer: adamw({ learningRate: 8e-3 }) },
  seeds: 6,
})
