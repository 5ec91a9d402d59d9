// %% [markdown] question
// # Gallery: rows and columns, or all patches at once?
//
// Eight ideas that use where a patch lies in the image, each as short as its equations, beside
// [gMLP](https://arxiv.org/abs/2105.08050), which mixes all patches at once: pooling, shifts, matrices over rows and over
// columns, windows in stages, convolution. In all equations x is the residual stream, `[batch, tokens, dim]`, with the
// place of a token as row r and column s; LN is a LayerNorm, MLP two dense layers with GELU between, x W a product over
// the channels. Behind each mixing stands $x \leftarrow x + \mathrm{MLP}(\mathrm{LN}(x))$.
//
// Press **Run all**, or copy the cell of one idea into a notebook of yours and change it. On the command line:
// `mixlab run gallery-grids.ts`, with `--quick` for a first look.
//
// About two minutes on two cores. All have the same recipe and two seeds: a look at what they are, no ranking.

// %% [markdown] expected
// Expected, on simd with numerics 4:
//
// | Rows and columns | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | gmlp | 0.477 ± 0.028 | 2 |  |
// | poolFormer | 0.303 ± 0.014 | 2 | too few seeds to tell poolFormer from gmlp: -17.4 points, better on 0 of 2 seeds; at least 7 more seeds are needed |
// | asMlp | 0.225 ± 0.009 | 2 | too few seeds to tell asMlp from gmlp: -25.1 points, better on 0 of 2 seeds; at least 7 more seeds are needed |
// | cycleMlp | 0.15 ± 0.03 | 2 | too few seeds to tell cycleMlp from gmlp: -33.1 points, better on 0 of 2 seeds; at least 7 more seeds are needed |
// | vip | 0.634 ± 0.015 | 2 | too few seeds to tell vip from gmlp: +15.7 points, better on 2 of 2 seeds; at least 7 more seeds are needed |
// | sMlp | 0.572 ± 0.020 | 2 | too few seeds to tell sMlp from gmlp: +9.5 points, better on 2 of 2 seeds; at least 7 more seeds are needed |
// | waveMlp | 0.288 ± 0.006 | 2 | too few seeds to tell waveMlp from gmlp: -18.8 points, better on 0 of 2 seeds; at least 7 more seeds are needed |
// | convMlp | 0.559 ± 0.023 | 2 | too few seeds to tell convMlp from gmlp: +8.20 points, better on 2 of 2 seeds; at least 7 more seeds are needed |
// | swinMixer | 0.67 ± 0.05 | 2 | too few seeds to tell swinMixer from gmlp: +18.9 points, better on 2 of 2 seeds; at least 7 more seeds are needed |

// %% language
import * as tf from '@tensorflow/tfjs'
import {
  add,
  avgPool,
  block,
  concat,
  cos,
  dense,
  depthwiseConv2d,
  einsum,
  gelu,
  layerNorm,
  mlp,
  mul,
  parameter,
  reshape,
  residual,
  shift,
  sin,
  split,
  stages,
  sub,
  windows,
  xavierUniform,
  zeros,
} from 'mixlab'

// %% [markdown] pool-former-paper
// ## PoolFormer
//
// Yu et al. 2021, [MetaFormer Is Actually What You Need for Vision](https://arxiv.org/abs/2111.11418). The mean of the
// neighbours, without a parameter.
//
// $y = \mathrm{LN}(x)$, $\ x \leftarrow x + \mathrm{pool}_{3 \times 3}(y) - y$

// %% pool-former
export const poolFormer = block('PoolFormer', (x, { ffn }) => {
  const y = layerNorm(x)
  x = residual(x, sub(avgPool(y), y))
  return residual(x, mlp(layerNorm(x), ffn))
})

// %% [markdown] as-mlp-paper
// ## AS-MLP
//
// Lian et al. 2021, [AS-MLP: An Axial Shifted MLP Architecture for Vision](https://arxiv.org/abs/2107.08391). Thirds of the
// channels are moved by -1, 0 and 1 along an axis, S; what mixes are the dense layers behind. The norms are over channels
// here, over channels and places in the paper.
//
// $y = \mathrm{GELU}(\mathrm{LN}(\mathrm{LN}(x) A))$, $\ x \leftarrow x + \mathrm{LN}(\mathrm{GELU}(S_r(y) B) + \mathrm{GELU}(S_s(y) C))\,O$

// %% as-mlp
export const asMlp = block('AS-MLP', (x, { dim, ffn }) => {
  const y = gelu(layerNorm(dense(layerNorm(x), dim)))
  const along = (axis: 'rows' | 'columns') => {
    const moved = split(y, 3).map((part, i) => shift(part, i - 1, { axis }))
    return gelu(dense(concat(moved, -1), dim))
  }
  x = residual(x, dense(layerNorm(add(along('rows'), along('columns'))), dim))
  return residual(x, mlp(layerNorm(x), ffn))
})

// %% [markdown] cycle-mlp-paper
// ## CycleMLP
//
// Chen et al. 2021, [CycleMLP: A MLP-like Architecture for Dense Prediction](https://arxiv.org/abs/2107.10224). A dense
// layer reads its channels like stairs: channel c of the place that is $\delta_c = c \bmod 3 - 1$ away along an axis. The
// three branches are added with equal weights.
//
// $x \leftarrow x + (y_{r + \delta_c,\,s,\,c}\,A + y_{r,\,s + \delta_c,\,c}\,B + y\,C)\,O$ with $y = \mathrm{LN}(x)$

// %% cycle-mlp
export const cycleMlp = block('CycleMLP', (x, { dim, ffn, tokens }) => {
  const y = layerNorm(x)
  const thirds = tf.unstack(reshape(y, [-1, tokens, dim / 3, 3]), 3)
  const stairs = (axis: 'rows' | 'columns') => {
    const moved = thirds.map((part, i) => shift(part, 1 - i, { axis }))
    return dense(reshape(tf.stack(moved, 3), [-1, tokens, dim]), dim)
  }
  x = residual(x, dense(add(add(stairs('rows'), stairs('columns')), dense(y, dim)), dim))
  return residual(x, mlp(layerNorm(x), ffn))
})

// %% [markdown] vip-paper
// ## Vision Permutator
//
// Hou et al. 2021, [Vision Permutator: A Permutable MLP-Like Architecture for Visual
// Recognition](https://arxiv.org/abs/2106.12368). One matrix over a row and the channels of a segment at once, one over a
// column and these, one over the channels; no biases.
//
// $x \leftarrow x + (\sum_{r, m} y_{r s g m} R_{r m} + \sum_{s, m} y_{r s g m} S_{s m} + y\,C)\,O$ with
// $y = \mathrm{LN}(x)$ in segments g

// %% vip
export const vip = block('ViP', { segments: 4 }, (x, { dim, ffn, tokens, grid, segments }) => {
  const [rows, columns] = grid ?? [1, tokens]
  const [y, n] = [layerNorm(x), dim / segments]
  const image = reshape(y, [-1, rows, columns, segments, n])
  const matrix = (name: string, length: number) =>
    parameter(name, [length, n, length, n], xavierUniform, { fans: { in: length * n, out: length * n } })
  const high = einsum('brsgm,rmik->bisgk', image, matrix('rows', rows))
  const wide = einsum('brsgm,smik->brigk', image, matrix('columns', columns))
  x = residual(x, dense(add(reshape(add(high, wide), [-1, tokens, dim]), dense(y, dim, { bias: false })), dim))
  return residual(x, mlp(layerNorm(x), ffn))
})

// %% [markdown] s-mlp-paper
// ## sMLP
//
// Tang et al. 2021, [Sparse MLP for Image Recognition: Is Self-Attention Really
// Necessary?](https://arxiv.org/abs/2109.05422). One matrix over rows, one over columns, both shared by all channels, and
// what they give is fused with the token itself.
//
// $x \leftarrow x + [R\,y,\ y\,S,\ y]\,O$ with $y = \mathrm{LN}(x)$

// %% s-mlp
export const sMlp = block('sMLP', (x, { dim, ffn, tokens, grid }) => {
  const [rows, columns] = grid ?? [1, tokens]
  const y = reshape(layerNorm(x), [-1, rows, columns, dim])
  const high = einsum('ir,brsd->bisd', parameter('rows', [rows, rows], xavierUniform), y)
  const wide = einsum('is,brsd->brid', parameter('columns', [columns, columns], xavierUniform), y)
  x = residual(x, dense(reshape(concat([high, wide, y], -1), [-1, tokens, 3 * dim]), dim))
  return residual(x, mlp(layerNorm(x), ffn))
})

// %% [markdown] wave-mlp-paper
// ## Wave-MLP
//
// Tang et al. 2021, [An Image Patch is a Wave: Phase-Aware Vision MLP](https://arxiv.org/abs/2111.12294). A token has an
// amplitude and, by $\theta$, a phase; waves of a row, or of a column, in phase add up where others cancel out. A
// convolution of each channel does the sum, over three tokens.
//
// $x \leftarrow x + (W_r[a \cos\theta,\ a \sin\theta] + W_s[a' \cos\theta',\ a' \sin\theta'] + y\,C)\,O$ with
// $y = \mathrm{LN}(x)$, $\ a = y A$, $\ \theta = y\,\Theta$

// %% wave-mlp
export const waveMlp = block('Wave-MLP', (x, { dim, ffn }) => {
  const y = layerNorm(x)
  const waves = (kernel: [number, number]) => {
    const [size, phase] = split(dense(y, 2 * dim), 2)
    const parts = concat([mul(size, cos(phase)), mul(size, sin(phase))], -1)
    return add(...split(depthwiseConv2d(parts, { kernel }), 2))
  }
  x = residual(x, dense(add(add(waves([3, 1]), waves([1, 3])), dense(y, dim)), dim))
  return residual(x, mlp(layerNorm(x), ffn))
})

// %% [markdown] conv-mlp-paper
// ## ConvMLP, a hybrid
//
// Li et al. 2021, [ConvMLP: Hierarchical Convolutional MLPs for Vision](https://arxiv.org/abs/2109.04454). A convolution of
// each channel, which sees the neighbours, between two channel MLPs.
//
// $x \leftarrow x + \mathrm{MLP}(\mathrm{LN}(x))$, then $x \leftarrow \mathrm{conv}_{3 \times 3}(\mathrm{LN}(x))$

// %% conv-mlp
export const convMlp = block('ConvMLP', (x, { ffn }) => {
  x = residual(x, mlp(layerNorm(x), ffn))
  x = depthwiseConv2d(layerNorm(x))
  return residual(x, mlp(layerNorm(x), ffn))
})

// %% [markdown] swin-mixer-paper
// ## Swin-Mixer, in stages
//
// Liu et al. 2021, [Swin Transformer: Hierarchical Vision Transformer using Shifted
// Windows](https://arxiv.org/abs/2103.14030), its MLP variant. Each head of the channels has a matrix over the tokens of
// a window; in every other block the windows lie half a window further, around the border here. Between the stages 2 x 2
// patches become one, with twice the channels.
//
// $x \leftarrow x + S^{-1}(W_h\,S(\mathrm{LN}(x))_{window,\,h} + b_h)$, S the shift of odd blocks

// %% swin-mixer
const around = (x: tf.Tensor, by: number, axis: 'rows' | 'columns') => shift(x, by, { axis, around: true })
const roll = (x: tf.Tensor, by: number) => around(around(x, by, 'rows'), by, 'columns')

const swinMixing = block('Swin mixing', { window: 2, heads: 3 }, (x, { dim, ffn, layer, window, heads }) => {
  const [by, area] = [layer % 2 ? window / 2 : 0, window * window]
  const mixed = windows(roll(layerNorm(x), -by), window, (y) => {
    const parts = reshape(y, [-1, area, heads, dim / heads])
    const mixed = einsum('bnhc,hmn->bmhc', parts, parameter('weight', [heads, area, area], xavierUniform))
    return reshape(add(mixed, parameter('bias', [area, heads, 1], zeros)), [-1, area, dim])
  })
  x = residual(x, roll(mixed, by))
  return residual(x, mlp(layerNorm(x), ffn))
})
export const swinMixer = stages('Swin-Mixer', [
  { block: swinMixing, depth: 2, dim: 24 },
  { block: swinMixing, depth: 2, dim: 48, merge: 2 },
])

// %% study
import { adamw, compare, glyphs, gmlp, image } from 'mixlab'

export const gallery = compare('Rows and columns', {
  task: image({ data: glyphs({ difficulty: 0.2, test: 1024 }) }),
  model: { patch: 7, dim: 48, depth: 2, ffnRatio: 2 },
  variants: { gmlp, poolFormer, asMlp, cycleMlp, vip, sMlp, waveMlp, convMlp, swinMixer },
  train: { steps: 200, batch: 64, optimizer: adamw({ learningRate: 3e-3 }), evalEvery: 100 },
  seeds: 2,
  quick: { train: { steps: 30, evalEvery: 15 }, seeds: 1 },
})
