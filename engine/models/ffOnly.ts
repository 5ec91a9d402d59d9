import {
  add,
  block,
  concat,
  dense,
  dropout,
  firstToken,
  layerNorm,
  mlp,
  normal,
  parameter,
  patchEmbed,
  prependToken,
  residual,
  resizedPositions,
  sidesOf,
  torchDefault,
  transpose,
} from '../nn/index.ts'

const weight = normal(0.02)

interface Options {
  dropPathDecay: 'linear' | 'constant'
  /** Rows and columns of the table of positions, which is resized to the patches; as many as patches by default. */
  positionGrid?: [number, number] | undefined
}

const defaults: Options = { dropPathDecay: 'linear', positionGrid: undefined }

/** Feed-forward only block: channels first, then tokens, with a norm over tokens (Melas-Kyriazi 2021). */
export const ffOnly = block(
  'ff_only',
  defaults,
  (x, { ffn, ffnRatio, activation, eps, dropout }) => {
    const tokens = x.shape[1] as number // x is [batch, tokens, dim]
    x = residual(x, mlp(layerNorm(x, { name: 'norm1', eps }), ffn, { name: 'mlp1', activation, weight, dropout }))
    const y = layerNorm(transpose(x, [0, 2, 1]), { name: 'norm2', eps }) // [batch, dim, tokens]
    const mixed = mlp(y, Math.floor(ffnRatio * tokens), { name: 'mlp2', axis: 'tokens', activation, weight, dropout })
    return residual(x, transpose(mixed, [0, 2, 1]))
  },
  {
    image: {
      stem: (images, { patch, dim, positionGrid, dropout: rates }) => {
        const [, height, width] = images.shape as [number, number, number, number]
        const [high, wide] = sidesOf(patch)
        const grid: [number, number] = [height / high, width / wide]
        const name = 'patch_embed.proj'
        const x = patchEmbed(images, patch, dim, { name, weight: torchDefault, bias: torchDefault })
        const positions = resizedPositions('pos_encoding.pos_embed', positionGrid ?? grid, grid, dim, weight)
        const own = parameter('pos_encoding.cls_pos_embed', [1, 1, dim], weight, { decay: false })
        const positioned = add(prependToken(x, 'cls_token', weight), concat([own, positions], 1))
        return dropout(positioned, rates.embedding)
      },
      head: (x, { eps, dropout: rates }, classes) =>
        dense(dropout(firstToken(layerNorm(x, { name: 'norm', eps })), rates.head), classes, { name: 'head', weight }),
    },
  },
)
