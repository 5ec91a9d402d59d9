// %% [markdown] question
// # Gallery: what else mixes tokens?
//
// Seven ideas for mixing tokens that came after MLP-Mixer, each as short as its equations, beside
// [gMLP](https://arxiv.org/abs/2105.08050): weights that follow from the tokens, a Fourier transform, circulant and Monarch
// matrices, functions on edges instead of weights. In all equations x is the residual stream, `[batch, tokens, dim]`, LN
// a LayerNorm, MLP two dense layers with GELU between, and W a matrix; W x is a product over the tokens, x W one over the
// channels.
//
// Press **Run all**, or copy the cell of one idea into a notebook of yours and change it. On the command line:
// `mixlab run gallery-mixers.ts`, with `--quick` for a first look.
//
// About two minutes on two cores. All have the same recipe and two seeds: a look at what they are, no ranking.

// %% [markdown] expected
// Expected, on simd with numerics 4:
//
// | What else mixes tokens | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | gmlp | 0.477 ± 0.028 | 2 |  |
// | swiglu | 0.581 ± 0.029 | 2 | too few seeds to tell swiglu from gmlp: +10.4 points, better on 2 of 2 seeds; at least 7 more seeds are needed |
// | hyperMixer | 0.283 ± 0.004 | 2 | too few seeds to tell hyperMixer from gmlp: -19.3 points, better on 0 of 2 seeds; at least 7 more seeds are needed |
// | fnet | 0.157 ± 0.005 | 2 | too few seeds to tell fnet from gmlp: -32.0 points, better on 0 of 2 seeds; at least 7 more seeds are needed |
// | dynaMixer | 0.3901 ± 0.0021 | 2 | too few seeds to tell dynaMixer from gmlp: -8.6 points, better on 0 of 2 seeds; at least 7 more seeds are needed |
// | circulant | 0.13 ± 0.04 | 2 | too few seeds to tell circulant from gmlp: -34.6 points, better on 0 of 2 seeds; at least 7 more seeds are needed |
// | monarchMixer | 0.45 ± 0.08 | 2 | too few seeds to tell monarchMixer from gmlp: -2.7 points, better on 1 of 2 seeds; at least 7 more seeds are needed |
// | kanMixer | 0.575 ± 0.023 | 2 | too few seeds to tell kanMixer from gmlp: +9.8 points, better on 2 of 2 seeds; at least 7 more seeds are needed |

// %% language
import * as tf from '@tensorflow/tfjs'
import {
  addPositions,
  block,
  concat,
  dense,
  einsum,
  exp,
  fourierMix,
  gather,
  gelu,
  joinHeads,
  layerNorm,
  mlp,
  mul,
  normal,
  parameter,
  reshape,
  residual,
  rmsNorm,
  silu,
  softmax,
  split,
  splitHeads,
  square,
  sub,
  tokenDense,
  transpose,
} from 'mixlab'

// %% [markdown] swiglu-paper
// ## SwiGLU with RMSNorm
//
// Shazeer 2020, [GLU Variants Improve Transformer](https://arxiv.org/abs/2002.05202); Zhang and Sennrich 2019, [Root Mean
// Square Layer Normalization](https://arxiv.org/abs/1910.07467). The tokens are mixed by one matrix, as in ResMLP.
//
// $x \leftarrow x + W\,\mathrm{RMS}(x)$, then $y = \mathrm{RMS}(x)$, $\ x \leftarrow x + (\mathrm{SiLU}(y U) \odot y V)\,O$

// %% swiglu
export const swiglu = block('SwiGLU', (x, { dim, ffn }) => {
  x = residual(x, tokenDense(rmsNorm(x)))
  const [u, v] = split(dense(rmsNorm(x), 2 * ffn, { bias: false }), 2)
  return residual(x, dense(mul(silu(u), v), dim, { bias: false }))
})

// %% [markdown] hyper-mixer-paper
// ## HyperMixer
//
// Mai et al. 2022, [HyperMixer: An MLP-based Low Cost Alternative to Transformers](https://arxiv.org/abs/2203.03691). The
// two matrices of a token mixing MLP are made from the tokens, with their positions P.
//
// $y = \mathrm{LN}(x)$, $\ W_i = \mathrm{MLP}_i(y + P)$, $\ x \leftarrow x + \mathrm{LN}(W_2\,\mathrm{GELU}(W_1^\top y))$

// %% hyper-mixer
export const hyperMixer = block('HyperMixer', (x, { ffn }) => {
  const y = layerNorm(x)
  const placed = addPositions(y, 'positions')
  const hidden = gelu(einsum('bnh,bnd->bhd', mlp(placed, ffn), y))
  x = residual(x, layerNorm(einsum('bnh,bhd->bnd', mlp(placed, ffn), hidden)))
  return residual(x, mlp(layerNorm(x), ffn))
})

// %% [markdown] fnet-paper
// ## FNet
//
// Lee-Thorp et al. 2021, [FNet: Mixing Tokens with Fourier Transforms](https://arxiv.org/abs/2105.03824). Nothing is
// learned in the mixing: the real part of the transform over channels and tokens. The norms come after the sums.
//
// $x \leftarrow \mathrm{LN}(x + \mathrm{Re}\,F_{tokens}\,x\,F_{dim})$, then $x \leftarrow \mathrm{LN}(x + \mathrm{MLP}(x))$

// %% fnet
export const fnet = block('FNet', (x, { ffn }) => {
  x = layerNorm(residual(x, fourierMix(x)))
  return layerNorm(residual(x, mlp(x, ffn)))
})

// %% [markdown] dyna-mixer-paper
// ## DynaMixer
//
// Wang et al. 2022, [DynaMixer: A Vision MLP Architecture with Dynamic Mixing](https://arxiv.org/abs/2201.12083). A few
// channels of all tokens say, by one dense layer, how much each token takes of each. Here over all tokens at once.
//
// $y = \mathrm{LN}(x)$, $\ P = \mathrm{softmax}(\mathrm{vec}(y A)\,B)$ as tokens by tokens, $\ x \leftarrow x + (P y)\,O$

// %% dyna-mixer
export const dynaMixer = block('DynaMixer', { reduced: 2 }, (x, { dim, ffn, tokens, reduced }) => {
  const y = layerNorm(x)
  const all = reshape(dense(y, reduced), [-1, tokens * reduced])
  const shares = softmax(reshape(dense(all, tokens * tokens), [-1, tokens, tokens]))
  x = residual(x, dense(einsum('bij,bjd->bid', shares, y), dim))
  return residual(x, mlp(layerNorm(x), ffn))
})

// %% [markdown] circulant-paper
// ## Multi-head token mixing by circulant matrices
//
// Yu et al. 2021, [Rethinking Token-Mixing MLP for MLP-based Vision Backbone](https://arxiv.org/abs/2106.14882), CCS. Each
// group of channels, a head, has a token matrix of its own, which depends on the distance alone: n values a head.
//
// $y_h = C(w_h)\,\mathrm{LN}(x)_h$ with $C(w)_{ij} = w_{(j - i)\,\mathrm{mod}\,n}$, $\ x \leftarrow x + y\,O$

// %% circulant
export const circulant = block('circulant', { heads: 4 }, (x, { dim, ffn, tokens, heads }) => {
  const distance = (i: number, j: number) => (j - i + tokens) % tokens
  const table = Array.from({ length: tokens }, (_, i) => Array.from({ length: tokens }, (_, j) => distance(i, j)))
  const filters = parameter('filters', [heads, tokens], normal(0.2))
  const matrices = gather(filters, tf.tensor2d(table, [tokens, tokens], 'int32'))
  const mixed = einsum('hij,bhjc->bhic', matrices, splitHeads(layerNorm(x), heads))
  x = residual(x, dense(joinHeads(mixed), dim))
  return residual(x, mlp(layerNorm(x), ffn))
})

// %% [markdown] monarch-paper
// ## Monarch Mixer
//
// Fu et al. 2023, [Monarch Mixer: A Simple Sub-Quadratic GEMM-Based Architecture](https://arxiv.org/abs/2310.12109); Dao
// et al. 2022, [Monarch](https://arxiv.org/abs/2204.00595). Every large matrix, over tokens and over channels, is two
// block-diagonal ones, L and R, with the permutation P between that turns rows by columns around.
//
// $M = P^\top L P R$, $\ x \leftarrow x + M_2\,\mathrm{GELU}(M_1\,\mathrm{LN}(x))$, then the same over the channels

// %% monarch
const monarch = (x: tf.Tensor, groups: number) => {
  const [rows = 1, width = 1] = x.shape.slice(1)
  // `high` rows of channels become columns
  const turned = (y: typeof x, high: number) =>
    reshape(transpose(reshape(y, [-1, rows, high, width / high]), [0, 1, 3, 2]), [-1, rows, width])
  const blocks = width / groups
  return turned(dense(turned(dense(x, width, { groups }), groups), width, { groups: blocks }), blocks)
}
export const monarchMixer = block('MonarchMixer', { groups: 4 }, (x, { groups }) => {
  const mix = (y: typeof x) => monarch(gelu(monarch(y, groups)), groups)
  x = residual(x, transpose(mix(transpose(layerNorm(x), [0, 2, 1])), [0, 2, 1]))
  return residual(x, mix(layerNorm(x)))
})

// %% [markdown] kan-paper
// ## KAN mixer
//
// Liu et al. 2024, [KAN: Kolmogorov-Arnold Networks](https://arxiv.org/abs/2404.19756), with Gaussians in place of splines
// (Li 2024, [FastKAN](https://arxiv.org/abs/2405.06721)), in the frame of MLP-Mixer. A learned function on every edge, no
// activation at the nodes.
//
// $\mathrm{KAN}(x)_j = \sum_i \big(a_{ij}\,\mathrm{SiLU}(x_i) + \sum_c b_{ijc}\,e^{-(x_i - c)^2}\big) + d_j$ for $c$ from -2 to 2

// %% kan
const kan = (x: tf.Tensor, units: number) => {
  const bumps = [-2, -1, 0, 1, 2].map((centre) => exp(mul(square(sub(x, centre)), -1)))
  return dense(concat([silu(x), ...bumps], -1), units)
}
export const kanMixer = block('KAN mixer', (x, { dim, tokens }) => {
  x = residual(x, transpose(kan(transpose(layerNorm(x), [0, 2, 1]), tokens), [0, 2, 1]))
  return residual(x, kan(layerNorm(x), dim))
})

// %% study
import { adamw, compare, glyphs, gmlp, image } from 'mixlab'

export const gallery = compare('What else mixes tokens', {
  task: image({ data: glyphs({ difficulty: 0.2, test: 1024 }) }),
  model: { patch: 7, dim: 48, depth: 2, ffnRatio: 2 },
  variants: { gmlp, swiglu, hyperMixer, fnet, dynaMixer, circulant, monarchMixer, kanMixer },
  train: { steps: 200, batch: 64, optimizer: adamw({ learningRate: 3e-3 }), evalEvery: 100 },
  seeds: 2,
  quick: { train: { steps: 30, evalEvery: 15 }, seeds: 1 },
})
