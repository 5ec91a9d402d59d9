import {
  addPositions,
  block,
  dense,
  dropout,
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
  (x, { ffn, activation, eps, heads, qkvBias, dropout }) => {
    const y = layerNorm(x, { name: 'norm1', eps }) // [batch, tokens, dim]
    x = residual(x, selfAttention(y, { name: 'attn', heads, qkvBias, weight, dropout }))
    return residual(x, mlp(layerNorm(x, { name: 'norm2', eps }), ffn, { name: 'mlp', activation, weight, dropout }))
  },
  {
    image: {
      stem: (images, { patch, dim, dropout: rates }) => {
        const name = 'patch_embed.proj'
        const x = patchEmbed(images, patch, dim, { name, weight: torchDefault, bias: torchDefault })
        const positioned = addPositions(prependToken(x, 'cls_token', weight), 'pos_embed', weight)
        return dropout(positioned, rates.embedding) // [batch, tokens + 1, dim]
      },
      head: (x, { eps, dropout: rates }, classes) =>
        dense(dropout(firstToken(layerNorm(x, { name: 'norm', eps })), rates.head), classes, { name: 'head', weight }),
    },
  },
)
