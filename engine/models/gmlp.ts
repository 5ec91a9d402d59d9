import { block, dense, gelu, layerNorm, nearZero, residual, spatialGating } from '../nn/index.ts'

/** gMLP block, Liu et al. 2021, "Pay Attention to MLPs", figure 1; names and initial values as in timm. */
export const gmlp = block('gmlp', { ffnRatio: 6 }, (x, { dim, ffn }) => {
  const shortcut = x // [batch, tokens, dim]
  x = layerNorm(x)
  x = gelu(dense(x, ffn, { name: 'mlp_channels.fc1', bias: nearZero })) // [batch, tokens, ffn]
  x = spatialGating(x, { name: 'mlp_channels.gate' }) // [batch, tokens, ffn / 2]
  x = dense(x, dim, { name: 'mlp_channels.fc2', bias: nearZero })
  return residual(shortcut, x)
})
