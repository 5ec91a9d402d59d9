// %% [markdown] question
// # gMLP or Mixer?
//
// Both mix tokens with plain matrix products and no attention. gMLP ("Pay Attention to MLPs", 2021) multiplies half of
// its channels by a learned projection over tokens; MLP-Mixer ("MLP-Mixer: An all-MLP Architecture", 2021) puts an MLP
// over tokens in front of one over channels. Which one learns `shapes` faster, with the same recipe?
//
// Run everything with the button above (or `Shift-Enter` in each cell), then change the block below and run again:
// only the variant whose code changed is trained anew.

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
import { adamw, compare, image, mixer } from 'mixlab'

export const first = compare('gMLP or Mixer', {
  task: image({ data: 'shapes' }),
  model: { patch: 4, dim: 64, ffn: 256, depth: 4 },
  variants: { gmlp: gated, mixer: mixer() },
  train: { steps: 600, batch: 64, optimizer: adamw({ learningRate: 2e-3, weightDecay: 0.05 }) },
  seeds: 6,
  quick: { model: { patch: 8, dim: 32, ffn: 96, depth: 2 }, train: { batch: 32 } },
})
