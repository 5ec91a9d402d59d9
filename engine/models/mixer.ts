import {
  activate,
  block,
  dropout,
  layerNorm,
  lecunNormal,
  mlp,
  nearZero,
  residual,
  tokenDense,
  xavierUniform,
  zeros,
} from '../nn/index.ts'

/** Initial values: those of the authors' Flax code, or those of timm. */
const initial = {
  paper: { weight: lecunNormal, bias: zeros },
  timm: { weight: xavierUniform, bias: nearZero },
}

export interface MixerOptions {
  dropPathDecay: 'linear' | 'constant'
  /** Hidden tokens of the token MLP as a multiple of dim. */
  tokenRatio: number
  init: keyof typeof initial
  /** Kernels of convolutions before the first matrix over patches while training, e.g. `[1, 3]`; `export --fold` merges them. */
  locality: readonly number[] | undefined
}

export const mixerDefaults: MixerOptions = {
  dropPathDecay: 'linear',
  tokenRatio: 0.5,
  init: 'paper',
  locality: undefined,
}

/** MLP-Mixer block, Tolstikhin et al. 2021, figure 1; names as in timm. */
export const mixer = block(
  'mixer',
  mixerDefaults,
  (x, { dim, ffn, activation, eps, tokenRatio, init, locality, dropout: rates }) => {
    const tokens = x.shape[1] as number // x is [batch, tokens, dim]
    const hidden = Math.floor(tokenRatio * dim)
    let y = layerNorm(x, { name: 'norm1', eps })
    y = tokenDense(y, { name: 'mlp_tokens.fc1', tokens: hidden, ...initial[init], locality }) // [batch, hidden, dim]
    y = dropout(activate(y, activation), rates.activation)
    y = tokenDense(y, { name: 'mlp_tokens.fc2', tokens, hidden: true, ...initial[init] })
    x = residual(x, dropout(y, rates.hidden))
    y = layerNorm(x, { name: 'norm2', eps })
    return residual(x, mlp(y, ffn, { name: 'mlp_channels', activation, dropout: rates, ...initial[init] }))
  },
)
