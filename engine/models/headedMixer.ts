import { activate, block, concat, dropout, layerNorm, mlp, residual, split, tokenDense } from '../nn/index.ts'

const defaults = { heads: 4, tokenRatio: 0.5 }

/** Mixer with several heads: each group of channels has token-mixing matrices of its own. An open direction, no paper. */
export const headedMixer = block(
  'headed_mixer',
  defaults,
  (x, { dim, ffn, activation, eps, heads, tokenRatio, dropout: rates }) => {
    const tokens = x.shape[1] as number // x is [batch, tokens, dim]
    const hidden = Math.floor(tokenRatio * dim)
    const mixed = split(layerNorm(x, { name: 'norm1', eps }), heads).map((group, i) => {
      const y = activate(tokenDense(group, { name: `heads.${i}.fc1`, tokens: hidden }), activation) // [batch, hidden, dim / heads]
      return tokenDense(dropout(y, rates.activation), { name: `heads.${i}.fc2`, tokens, hidden: true })
    })
    x = residual(x, dropout(concat(mixed, -1), rates.hidden))
    return residual(
      x,
      mlp(layerNorm(x, { name: 'norm2', eps }), ffn, { name: 'mlp_channels', activation, dropout: rates }),
    )
  },
)
