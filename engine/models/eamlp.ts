import {
  add,
  block,
  dense,
  dropout,
  firstToken,
  layerNorm,
  mlp,
  multiHeadExternalAttention,
  normal,
  parameter,
  prependToken,
  residual,
  sinusoid,
} from '../nn/index.ts'
import { tokensToToken } from './tokensToToken.ts'

const weight = normal(0.02)

const defaults = {
  eps: 1e-5,
  dropPathDecay: 'linear' as 'linear' | 'constant',
  heads: 4,
  /** How much wider the heads are together than the model. */
  widen: 4,
  slots: 64,
  /** eps of the norms in the stem, where it is not that of the others. */
  stemEps: undefined as number | undefined,
  /** Channels and memory of the two attention modules in the stem. */
  stemDim: 64,
  stemSlots: 128,
}

/** EAMLP block: multi-head external attention in a Transformer block (Guo et al. 2021; names as in the authors' code). */
export const eamlp = block(
  'eamlp',
  defaults,
  (x, { ffn, activation, eps, heads, widen, slots, dropout }) => {
    const h = layerNorm(x, { name: 'norm1', eps }) // [batch, tokens, dim]
    x = residual(x, multiHeadExternalAttention(h, { name: 'attn', heads, widen, slots, weight, dropout }))
    return residual(x, mlp(layerNorm(x, { name: 'norm2', eps }), ffn, { name: 'mlp', activation, weight, dropout }))
  },
  {
    image: {
      stem: (images, size) => {
        const x = prependToken(tokensToToken(images, size), 'cls_token', weight)
        const [, tokens, dim] = x.shape as [number, number, number]
        const positioned = add(x, parameter('pos_embed', [1, tokens, dim], sinusoid(dim), { trained: false }))
        return dropout(positioned, size.dropout.embedding)
      },
      head: (x, { eps, dropout: rates }, classes) =>
        dense(dropout(firstToken(layerNorm(x, { name: 'norm', eps })), rates.head), classes, { name: 'head', weight }),
    },
  },
)
