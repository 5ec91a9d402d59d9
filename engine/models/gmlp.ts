import {
  activate,
  block,
  dense,
  dropout,
  type Gate,
  layerNorm,
  nearZero,
  residual,
  spatialGating,
  tinyAttention,
} from '../nn/index.ts'

export interface GmlpOptions {
  ffnRatio: number
  /** s(Z) of table 3. */
  gate: Gate
  /** The matrix over tokens: by default dense for images and Toeplitz for text, as in the paper. */
  spatial: 'dense' | 'toeplitz' | undefined
  /** eps of the LayerNorm in the gate; timm has 1e-5 there and 1e-6 elsewhere. */
  gateEps: number
  /** Whether a token sees those before it alone: the matrix over tokens is triangular, and so is the attention. */
  causal: boolean | undefined
  /** Kernels of convolutions beside the matrix over patches while training, e.g. `[1, 3]`; `export --fold` merges them. */
  locality: readonly number[] | undefined
  /** Width of the tiny attention of aMLP; 0 for none. */
  attention: number
  /** Whether its projection to q, k, v has a bias; the paper leaves it open. */
  qkvBias: boolean
  /** Text only: whether the output is tied to the embedding, and whether it then has a bias. */
  tied: boolean
  headBias: boolean
}

export const gmlpDefaults: GmlpOptions = {
  ffnRatio: 6,
  gate: 'split',
  spatial: undefined,
  gateEps: 1e-5,
  causal: undefined, // in the keys of blocks that are derived of this one it stands for nothing
  locality: undefined,
  attention: 0,
  qkvBias: true,
  tied: true,
  headBias: false,
}

/** gMLP block, Liu et al. 2021, "Pay Attention to MLPs", figure 1; names and initial values as in timm. */
export const gmlp = block(
  'gmlp',
  gmlpDefaults,
  (x, { dim, ffn, activation, eps, gate, gateEps, causal = false, attention, dropout: rates, ...size }) => {
    const shortcut = x // [batch, tokens, dim]
    const spatial = size.spatial ?? (size.modality === 'text' ? 'toeplitz' : 'dense')
    const width = gate === 'split' ? ffn / 2 : ffn
    const tiny = { qkvBias: size.qkvBias, dropout: rates, causal }
    x = layerNorm(x, { eps })
    const plus = attention > 0 ? tinyAttention(x, attention, width, tiny) : undefined
    x = activate(dense(x, ffn, { name: 'mlp_channels.fc1', bias: nearZero }), activation) // [batch, tokens, ffn]
    x = dropout(x, rates.activation)
    const { locality } = size
    // [batch, tokens, width]
    x = spatialGating(x, { name: 'mlp_channels.gate', gate, spatial, eps: gateEps, plus, causal, locality })
    x = dense(x, dim, { name: 'mlp_channels.fc2', bias: nearZero })
    return residual(shortcut, dropout(x, rates.hidden))
  },
)
