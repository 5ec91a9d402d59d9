import type { Tensor } from '@tensorflow/tfjs-core'
import { add, dense, externalAttention, layerNorm, mlp, normal, reshape, scope, unfold } from '../nn/index.ts'

export interface TokensToTokenOptions {
  /** Channels of the tokens that are left. */
  dim: number
  /** Channels and memory of the two attention modules. */
  stemDim: number
  stemSlots: number
  eps: number
  /** eps of these norms, where it is not `eps`. */
  stemEps?: number | undefined
}

const weight = normal(0.02)

/** The stem of T2T-ViT with external attention: `[batch, h, w, c]` to `[batch, h w / 256, dim]` (Yuan et al. 2021). */
export function tokensToToken(images: Tensor, options: TokensToTokenOptions): Tensor {
  const { dim, stemDim, stemSlots, stemEps: eps = options.eps } = options
  return scope('tokens_to_token', 'tokens_to_token', () => {
    let x = windowTokens(images, 7, 4, 2)
    x = scope('attention', 'attention1', () => attentionModule(x, stemDim, stemSlots, eps))
    x = windowTokens(x, 3, 2, 1)
    x = scope('attention', 'attention2', () => attentionModule(x, stemDim, stemSlots, eps))
    x = windowTokens(x, 3, 2, 1)
    const [batch, rows, columns, width] = x.shape as [number, number, number, number]
    return dense(reshape(x, [batch, rows * columns, width]), dim, { name: 'project', weight })
  })
}

/** Windows as tokens that keep their place: `[batch, h, w, c]` to `[batch, rows, columns, c * kernel^2]`. */
function windowTokens(x: Tensor, kernel: number, stride: number, padding: number): Tensor {
  const [batch, height, width, channels] = x.shape as [number, number, number, number]
  const [rows, columns] = [height, width].map((length) => Math.floor((length + 2 * padding - kernel) / stride) + 1)
  return reshape(unfold(x, kernel, stride, padding), [batch, rows ?? 1, columns ?? 1, channels * kernel ** 2])
}

/** Projection, external attention over all places with a skip, MLP: `[batch, rows, columns, in]` to `stemDim`. */
function attentionModule(x: Tensor, stemDim: number, stemSlots: number, eps: number): Tensor {
  const [batch, rows, columns, width] = x.shape as [number, number, number, number]
  const h = layerNorm(reshape(x, [batch, rows * columns, width]), { name: 'norm1', eps })
  const y = scope('attn', 'attn', () => {
    const q = dense(h, stemDim, { name: 'q_linear', weight })
    const attended = externalAttention(q, { name: '', slots: stemSlots, bias: [false, true], weight })
    return add(q, dense(attended, stemDim, { name: 'proj', weight }))
  })
  const z = add(y, mlp(layerNorm(y, { name: 'norm2', eps }), stemDim, { name: 'mlp', weight }))
  return reshape(z, [batch, rows, columns, stemDim])
}
