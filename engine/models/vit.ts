import {
  addPositions,
  block,
  dense,
  firstToken,
  layerNorm,
  mlp,
  normal,
  patchEmbed,
  prependToken,
  residual,
  selfAttention,
  torchDefault,
} from '../nn/index.ts'

const weight = normal(0.02)

interface Options {
  dropPathDecay: 'linear' | 'constant'
  heads: number
  qkvBias: boolean
}

const defaults: Options = { dropPathDecay: 'linear', heads: 4, qkvBias: true }

/** ViT block, pre-LN (Dosovitskiy et al. 2021); names and initial values as in timm's DeiT (Touvron et al. 2021). */
export const vit = block(
  'vit',
  defaults,
  (x, { ffn, activation, eps, heads, qkvBias }) => {
    const attended = selfAttention(layerNorm(x, { name: 'norm1', eps }), { name: 'attn', heads, qkvBias, weight })
    x = residual(x, attended) // [batch, tokens, dim]
    return residual(x, mlp(layerNorm(x, { name: 'norm2', eps }), ffn, { name: 'mlp', activation, weight }))
  },
  {
    image: {
      stem: (images, { patch, dim }) => {
        const name = 'patch_embed.proj'
        const x = patchEmbed(images, patch, dim, { name, weight: torchDefault, bias: torchDefault })
        return addPositions(prependToken(x, 'cls_token', weight), 'pos_embed', weight) // [batch, tokens + 1, dim]
      },
      head: (x, { eps }, classes) =>
        dense(firstToken(layerNorm(x, { name: 'norm', eps })), classes, { name: 'head', weight }),
    },
  },
)
