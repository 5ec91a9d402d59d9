import {
  add,
  block,
  dense,
  mean,
  mlp,
  mul,
  ones,
  parameter,
  residual,
  tokenDense,
  usualFrames,
  zeros,
} from '../nn/index.ts'

/** ResMLP for inference, every Affine and LayerScale folded into its neighbours; see engine/weights/foldAffine.ts. */
export const resmlpFolded = block(
  'resmlp_folded',
  {},
  (x, { ffn, dim, activation }) => {
    const tokens = x.shape[1] as number // x is [batch, tokens, dim]
    const mixed = tokenDense(x, { name: 'linear_tokens', bias: false })
    const scaled = mul(mixed, parameter('token_scale', [dim], ones))
    x = residual(x, add(scaled, parameter('token_bias', [tokens, dim], zeros)))
    return residual(x, mlp(x, ffn, { name: 'mlp_channels', activation }))
  },
  { image: { ...usualFrames.image, head: (x, _, classes) => dense(mean(x, 1), classes, { name: 'head' }) } },
)
