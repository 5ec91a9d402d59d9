import { block, dense, gelu, layerNorm, lecunNormal, residual, tokenDense } from '../nn/index.ts'

/** MLP-Mixer block, Tolstikhin et al. 2021, figure 1; initial values as in the authors' Flax code, names as in timm. */
export const mixer = block('mixer', { tokenRatio: 0.5 }, (x, { dim, ffn, tokenRatio }) => {
  const weight = lecunNormal
  const tokens = x.shape[1] as number // x is [batch, tokens, dim]
  let y = layerNorm(x, { name: 'norm1' })
  y = gelu(tokenDense(y, { name: 'mlp_tokens.fc1', tokens: Math.floor(tokenRatio * dim), weight })) // [batch, tokenFfn, dim]
  y = tokenDense(y, { name: 'mlp_tokens.fc2', tokens, weight })
  x = residual(x, y)
  y = layerNorm(x, { name: 'norm2' })
  y = gelu(dense(y, ffn, { name: 'mlp_channels.fc1', weight })) // [batch, tokens, ffn]
  y = dense(y, dim, { name: 'mlp_channels.fc2', weight })
  return residual(x, y)
})
