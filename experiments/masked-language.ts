// %% [markdown] question
// # What is the gate worth in text?
//
// gMLP mixes tokens by a learned projection of half of its channels, which multiplies the other half. Table 3 of [Pay
// Attention to MLPs](https://arxiv.org/abs/2105.08050) takes that apart by masked language modelling (perplexity):
// 4.35 with the gate; 4.53 where all channels are projected and multiplied with themselves, 4.97 where they are added,
// 5.14 where the projection alone is left; BERT 4.26. aMLP adds a tiny attention to the gate (section 4.3). And here,
// at a thousandth of the size, on the bundled `world`?
//
// Press **Run all**, or Shift-Enter in each cell. Then change a variant and run again: only that one is trained anew.
// On the command line: `mixlab run masked-language.ts`, with `--quick` for a first look. About three minutes on two cores.
//
// The learning rate, of 1.5e-3, 3e-3, 6e-3 and 1.2e-2, was chosen by validation, with a seed that is none of these. This
// training is short: it says who learns fast, not who is best in the end.

// %% [markdown] expected
// Expected, on simd with numerics 4:
//
// | gates | test/perplexity, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | gmlp | 5.166 ± 0.027 | 3 |  |
// | multiplicative | 5.40 ± 0.11 | 3 | too few seeds to tell multiplicative from gmlp: +0.23 (lower is better), better on 0 of 3 seeds; about 9 more seeds would settle a difference of this size |
// | additive | 5.19 ± 0.05 | 3 | too few seeds to tell additive from gmlp: +0.02 (lower is better), better on 1 of 3 seeds; more than 100 more seeds are needed to settle a difference of this size |
// | linear | 5.26 ± 0.10 | 3 | too few seeds to tell linear from gmlp: +0.10 (lower is better), better on 0 of 3 seeds; about 58 more seeds would settle a difference of this size |
// | amlp | 5.23 ± 0.04 | 3 | too few seeds to tell amlp from gmlp: +0.07 (lower is better), better on 0 of 3 seeds; about 30 more seeds would settle a difference of this size |
// | bert | 5.39 ± 0.19 | 3 | too few seeds to tell bert from gmlp: +0.22 (lower is better), better on 0 of 3 seeds; about 21 more seeds would settle a difference of this size |

// %% gates
import { adamw, amlp, bert, compare, gmlp, mlm, world } from 'mixlab'

// About as large as each other: 106,000 to 111,000 parameters. Where channels are split, half of them are projected.
export const gates = compare('gates', {
  task: mlm({ data: world({ difficulty: 0, train: 8000 }), tokens: 32 }),
  model: { dim: 64, depth: 3 },
  variants: {
    gmlp: gmlp({ ffn: 256 }),
    multiplicative: gmlp({ ffn: 192, gate: 'multiplicative' }),
    additive: gmlp({ ffn: 192, gate: 'additive' }),
    linear: gmlp({ ffn: 192, gate: 'linear' }),
    amlp: amlp({ ffn: 192, attention: 24 }),
    bert: bert({ ffn: 144, heads: 4, depth: 2, positions: 32, relativeBuckets: 32, headTransform: false }),
  },
  train: { steps: 1000, batch: 32, optimizer: adamw({ learningRate: 6e-3 }), evalEvery: 250 },
  seeds: 3,
  quick: { train: { steps: 150 }, seeds: 1 },
})
