import {
  affine,
  block,
  dense,
  dropout,
  type Initialiser,
  layerScale,
  mean,
  mlp,
  nearZero,
  normal,
  patchEmbed,
  residual,
  tokenDense,
  torchDefault,
  xavierUniform,
  zeros,
} from '../nn/index.ts'

interface Preset {
  weight: Initialiser
  bias: Initialiser
  /** LayerScale at the start, by depth. */
  scale(depth: number): number
}

/** Initial values: those of the authors' code (LayerScale by depth as in CaiT), or those of timm. */
const initial: Record<'paper' | 'timm', Preset> = {
  paper: { weight: normal(0.02), bias: zeros, scale: (depth) => (depth <= 18 ? 0.1 : depth <= 24 ? 1e-5 : 1e-6) },
  timm: { weight: xavierUniform, bias: nearZero, scale: (depth) => (depth <= 18 ? 1e-4 : depth <= 24 ? 1e-5 : 1e-6) },
}

interface Options {
  init: keyof typeof initial
  /** Kernels of convolutions beside the matrix over patches while training, e.g. `[1, 3]`; `export --fold` merges them. */
  locality: readonly number[] | undefined
}

const defaults: Options = { init: 'paper', locality: undefined }

/** ResMLP block, Touvron et al. 2021, equations 2 and 3; names as in timm. */
export const resmlp = block(
  'resmlp',
  defaults,
  (x, { ffn, depth, activation, init, locality, dropout: rates }) => {
    const { weight, bias, scale } = initial[init] // x is [batch, tokens, dim]
    let y = tokenDense(affine(x, { name: 'norm1' }), { name: 'linear_tokens', weight, bias: zeros, locality })
    x = residual(x, layerScale(y, scale(depth), { name: 'ls1' }))
    y = mlp(affine(x, { name: 'norm2' }), ffn, { name: 'mlp_channels', activation, weight, bias, dropout: rates })
    return residual(x, layerScale(y, scale(depth), { name: 'ls2' }))
  },
  {
    image: {
      stem: (images, { patch, dim }) =>
        patchEmbed(images, patch, dim, { name: 'stem.proj', weight: torchDefault, bias: torchDefault }),
      head: (x, { dropout: rates }, classes) =>
        dense(dropout(mean(affine(x, { name: 'norm' }), 1), rates.head), classes, {
          name: 'head',
          weight: normal(0.02),
        }),
    },
  },
)
