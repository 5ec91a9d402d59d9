// %% [markdown] question
// # Which mixing tells the next word?
//
// A causal language model tells each word from those before it, and writes by saying the next one again and again. What
// mixes the tokens may not look ahead:
//
// - `alone`: nothing is mixed, a word is told from the one before it, as by counting pairs of words;
// - `gmlp`: a gate over the tokens before ([Pay Attention to MLPs](https://arxiv.org/abs/2105.08050));
// - `attention`: self-attention over the tokens before, with positions that turn queries and keys
//   ([RoFormer](https://arxiv.org/abs/2104.09864)).
//
// Press **Run all**, or Shift-Enter in each cell. The page of a run goes on with a text of yours under *Try it*. On the
// command line: `mixlab run writing.ts`, with `--quick` for a first look, and `mixlab generate 1 --prompt 'the'`
// for a text of run 1.
//
// About a minute on two cores. All have the same recipe and two seeds: a look at what mixing does, no ranking.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | Which mixing tells the next word? | test/perplexity, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | alone | 15.975 ± 0.029 | 2 |  |
// | gmlp | 9.28 ± 0.10 | 2 | too few seeds to tell gmlp from alone: -6.69 (lower is better), better on 2 of 2 seeds; at least 5 more seeds are needed |
// | attention | 9.48 ± 0.97 | 2 | too few seeds to tell attention from alone: -6.5 (lower is better), better on 2 of 2 seeds; at least 5 more seeds are needed |

// %% blocks
import { attend, block, dense, gelu, joinHeads, layerNorm, residual, rotary, split, splitHeads } from 'mixlab'

// Each token by itself. x is [batch, tokens, dim].
export const alone = block('alone', (x, { dim, ffn }) => residual(x, dense(gelu(dense(layerNorm(x), ffn)), dim)))

// The Transformer block; `causal` hides the tokens after each one.
export const attention = block('attention', { heads: 4 }, (x, { dim, ffn, heads }) => {
  const [q, k, v] = split(dense(layerNorm(x), 3 * dim), 3)
  const turned = (y: typeof x) => joinHeads(rotary(splitHeads(y, heads)))
  x = residual(x, dense(attend([turned(q), turned(k)], v, { heads, causal: true }), dim))
  return residual(x, dense(gelu(dense(layerNorm(x), ffn)), dim))
})

// %% study
import { adamw, clm, compare, gmlp, world } from 'mixlab'

export const writing = compare('Which mixing tells the next word?', {
  task: clm({ data: world({ difficulty: 0, train: 8000 }), tokens: 32 }),
  model: { dim: 64, depth: 2, ffn: 192 },
  variants: { alone, gmlp: gmlp({ causal: true }), attention },
  train: { steps: 300, batch: 32, optimizer: adamw({ learningRate: 4e-3 }), evalEvery: 150 },
  seeds: 2,
  quick: { train: { steps: 100, evalEvery: 50 }, seeds: 1 },
})
