// %% [markdown] question
// # Gallery: must a token read those after it?
//
// Six ideas for sequences, each as short as its equations. In five of them a token reads only itself and those before it,
// as a language model must: long convolutions, recurrences with one pass over the tokens, a triangular gate. Here the
// patches of an image are the sequence, row by row, beside [gMLP](https://arxiv.org/abs/2105.08050), which reads all at
// once. In all equations x is the residual stream, `[batch, tokens, dim]`, t a token, LN a LayerNorm, MLP two dense layers
// with GELU between, and y W a product over the channels.
//
// Press **Run all**, or copy the cell of one idea into a notebook of yours and change it. On the command line:
// `mixlab run gallery-sequences.ts`, with `--quick` for a first look.
//
// About two minutes on two cores. All have the same recipe and two seeds: a look at what they are, no ranking.

// %% [markdown] expected
// Expected, on simd with numerics 4:
//
// | Sequences | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | gmlp | 0.477 ± 0.028 | 2 |  |
// | hyena | 0.16 ± 0.07 | 2 | too few seeds to tell hyena from gmlp: -31.6 points, better on 0 of 2 seeds; at least 6 more seeds are needed |
// | mamba | 0.17 ± 0.05 | 2 | too few seeds to tell mamba from gmlp: -30.7 points, better on 0 of 2 seeds; at least 6 more seeds are needed |
// | minGru | 0.201 ± 0.012 | 2 | too few seeds to tell minGru from gmlp: -27.5 points, better on 0 of 2 seeds; at least 6 more seeds are needed |
// | rwkv | 0.16 ± 0.04 | 2 | too few seeds to tell rwkv from gmlp: -32.1 points, better on 0 of 2 seeds; at least 6 more seeds are needed |
// | causalGmlp | 0.31 ± 0.03 | 2 | too few seeds to tell causalGmlp from gmlp: -16.6 points, better on 0 of 2 seeds; at least 6 more seeds are needed |
// | rotaryAttention | 0.190 ± 0.012 | 2 | too few seeds to tell rotaryAttention from gmlp: -28.7 points, better on 0 of 2 seeds; at least 6 more seeds are needed |

// %% language
import {
  add,
  attend,
  block,
  constant,
  conv1d,
  dense,
  div,
  einsum,
  exp,
  gelu,
  joinHeads,
  layerNorm,
  lerp,
  longConv,
  mlp,
  mul,
  ones,
  parameter,
  relu,
  residual,
  rotary,
  scan,
  shift,
  sigmoid,
  silu,
  sinusoid,
  softplus,
  spatialGating,
  split,
  splitHeads,
  square,
  sub,
  zeros,
} from 'mixlab'

// %% [markdown] hyena-paper
// ## Hyena
//
// Poli et al. 2023, [Hyena Hierarchy: Towards Larger Convolutional Language Models](https://arxiv.org/abs/2302.10866), of
// order 2. Filters as long as the sequence, made by an MLP from the positions P, between gates; a short convolution before.
// The paper multiplies each filter by a window that decays over the sequence (its equation 7); this cell leaves it out.
//
// $[v, a, b] = \mathrm{conv}_3(\mathrm{LN}(x) W)$, $\ h_i = \mathrm{MLP}_i(P)$,
// $\ x \leftarrow x + (b \odot h_2 * (a \odot h_1 * v))\,O$

// %% hyena
export const hyena = block('Hyena', (x, { dim, ffn, tokens }) => {
  const short = { groups: 3 * dim, padding: 'causal' } as const
  const [v, a, b] = split(conv1d(dense(layerNorm(x), 3 * dim), 3 * dim, short), 3)
  const places = parameter('places', [tokens, dim], sinusoid(dim), { trained: false })
  const inner = mul(a, longConv(v, mlp(places, ffn)))
  x = residual(x, dense(mul(b, longConv(inner, mlp(places, ffn))), dim))
  return residual(x, mlp(layerNorm(x), ffn))
})

// %% [markdown] mamba-paper
// ## A selective state space: Mamba
//
// Gu and Dao 2023, [Mamba: Linear-Time Sequence Modeling with Selective State Spaces](https://arxiv.org/abs/2312.00752). A
// linear recurrence with a few states for each channel, whose step, input and output follow from the token; no MLP.
//
// $[u, g] = \mathrm{LN}(x) W$, $\ v = \mathrm{SiLU}(\mathrm{conv}_4(u))$, $\ \Delta = \mathrm{softplus}(v D)$,
// $\ h_t = e^{-\Delta_t e^A} h_{t-1} + \Delta_t v_t\,(v_t B)$,
// $\ x_t \leftarrow x_t + ((h_t \cdot v_t C + d \odot v_t) \odot \mathrm{SiLU}(g_t))\,O$

// %% mamba
export const mamba = block('Mamba', { states: 4 }, (x, { dim, states }) => {
  const [u, gate] = split(dense(layerNorm(x), 2 * dim, { bias: false }), 2)
  const v = silu(conv1d(u, dim, { kernel: 4, groups: dim, padding: 'causal', bias: zeros }))
  const step = softplus(dense(v, dim))
  const rates = exp(parameter('rates', [dim, states], zeros))
  const kept = exp(mul(einsum('btd,ds->btds', step, rates), -1))
  const h = scan(kept, einsum('btd,bts->btds', mul(step, v), dense(v, states, { bias: false })))
  const y = einsum('btds,bts->btd', h, dense(v, states, { bias: false }))
  const skipped = mul(parameter('skip', [dim], ones), v)
  return residual(x, dense(mul(add(y, skipped), silu(gate)), dim, { bias: false }))
})

// %% [markdown] min-gru-paper
// ## minGRU
//
// Feng et al. 2024, [Were RNNs All We Needed?](https://arxiv.org/abs/2410.01201). A gated unit whose gate does not read the
// state: so it is a linear recurrence, and all tokens are done at once.
//
// $y = \mathrm{LN}(x)$, $\ z = \sigma(y A)$, $\ h_t = (1 - z_t) \odot h_{t-1} + z_t \odot y_t B$, $\ x \leftarrow x + h\,O$

// %% min-gru
export const minGru = block('minGRU', (x, { dim, ffn }) => {
  const y = layerNorm(x)
  const z = sigmoid(dense(y, dim))
  const h = scan(sub(1, z), mul(z, dense(y, dim)))
  x = residual(x, dense(h, dim))
  return residual(x, mlp(layerNorm(x), ffn))
})

// %% [markdown] rwkv-paper
// ## RWKV
//
// Peng et al. 2023, [RWKV: Reinventing RNNs for the Transformer Era](https://arxiv.org/abs/2305.13048), its version 4. A
// mean of all values so far, weighted by keys that fade with a rate w of each channel, u for the token itself; and each
// dense layer reads a mean, by $\mu$, of the token and the one before it.
//
// $\langle c \rangle_t = \sum_{i < t} e^{-(t - 1 - i) w} c_i + e^u c_t$, $\ x \leftarrow x + (\sigma(r) \odot
// \langle e^k \odot v \rangle / \langle e^k \rangle)\,O$; then $x \leftarrow x + \sigma(r') \odot \mathrm{ReLU}(k')^2\,V$

// %% rwkv
export const rwkv = block('RWKV', (x, { dim, ffn }) => {
  const read = (y: typeof x, name: string, units = dim) =>
    dense(lerp(shift(y, 1), y, parameter(`${name}.mu`, [dim], constant(0.5))), units, { name, bias: false })
  const [y, weight] = [layerNorm(x), (name: string) => exp(parameter(name, [dim], zeros))]
  const [key, fade, own] = [exp(read(y, 'key')), exp(mul(weight('decay'), -1)), weight('bonus')]
  const seen = (c: typeof x) => add(shift(scan(fade, c), 1), mul(own, c))
  const mean = div(seen(mul(key, read(y, 'value'))), seen(key))
  x = residual(x, dense(mul(sigmoid(read(y, 'receptance')), mean), dim, { bias: false }))
  const z = layerNorm(x)
  const hidden = square(relu(read(z, 'hidden', ffn)))
  return residual(x, mul(sigmoid(read(z, 'gate')), dense(hidden, dim, { bias: false })))
})

// %% [markdown] causal-gmlp-paper
// ## Causal gMLP
//
// Liu et al. 2021, [Pay Attention to MLPs](https://arxiv.org/abs/2105.08050). The matrix of the gate is a triangle: so a
// gMLP can be a language model.
//
// $[u, v] = \mathrm{GELU}(\mathrm{LN}(x) A)$, $\ x \leftarrow x + (u \odot (\mathrm{tril}(W)\,\mathrm{LN}(v) + b))\,O$

// %% causal-gmlp
export const causalGmlp = block('causal gMLP', (x, { dim, ffn }) => {
  const hidden = gelu(dense(layerNorm(x), ffn))
  return residual(x, dense(spatialGating(hidden, { causal: true }), dim))
})

// %% [markdown] rotary-attention-paper
// ## Attention with rotary positions
//
// Su et al. 2021, [RoFormer: Enhanced Transformer with Rotary Position Embedding](https://arxiv.org/abs/2104.09864). Pairs
// of channels of queries and keys are turned by an angle that grows with the position: products depend on the distance.
// It reads all tokens; `causal: true` in `attend` is the mask.
//
// $[q, k, v] = \mathrm{LN}(x) W$, $\ x \leftarrow x + \mathrm{softmax}(R(q)\,R(k)^\top / \sqrt{d})\,v\,O$ in each head

// %% rotary-attention
export const rotaryAttention = block('rotary attention', { heads: 2 }, (x, { dim, ffn, heads }) => {
  const [q, k, v] = split(dense(layerNorm(x), 3 * dim), 3)
  const turned = (y: typeof x) => joinHeads(rotary(splitHeads(y, heads)))
  x = residual(x, dense(attend([turned(q), turned(k)], v, { heads }), dim))
  return residual(x, mlp(layerNorm(x), ffn))
})

// %% study
import { adamw, compare, glyphs, gmlp, image } from 'mixlab'

export const gallery = compare('Sequences', {
  task: image({ data: glyphs({ difficulty: 0.2, test: 1024 }) }),
  model: { patch: 7, dim: 48, depth: 2, ffnRatio: 2 },
  variants: { gmlp, hyena, mamba, minGru, rwkv, causalGmlp, rotaryAttention },
  train: { steps: 200, batch: 64, optimizer: adamw({ learningRate: 3e-3 }), evalEvery: 100 },
  seeds: 2,
  quick: { train: { steps: 30, evalEvery: 15 }, seeds: 1 },
})
