// %% [markdown] question
// # Does a small attention count where two sentences are compared, after pretraining?
//
// In table 6 of [Pay Attention to MLPs](https://arxiv.org/abs/2105.08050) models learn the masked words of plain text and are
// then fine-tuned. On MNLI, whether a sentence follows from another one, gMLP has 83.7, BERT 85.6, and aMLP, which adds one
// small attention to the gate, 85.9; of the large models it is 86.2, 87.0 and 88.4. On SST-2, praise or blame of one sentence,
// it is 94.2, 93.8 and 93.4. So attention counts for pairs of sentences, and not for single ones (section 4.3).
//
// Here gMLP and aMLP have three blocks of 32 channels, BERT two layers with 4 heads and relative positions, and parameters are
// equal within 3%, some 39,000. They learn the masked words of texts of 32 tokens that the bundled `world` makes, for 1,000 steps
// or for 2,000. Then they are fine-tuned for 300 steps with 2,000 pairs of sentences, of which the second follows from the
// first, contradicts it, or neither, or with 2,000 sentences of praise or blame; all weights are trained, and the head is new.
//
// The plan. It is asked whether aMLP and BERT are better than gMLP on pairs, and whether they are equal to it on sentences, after
// either pretraining. A difference of 5 points is the smallest that matters: what a survey of such models counts as a gap between
// families. Rates of the pretraining are from other notebooks of this folder, 6e-3 of BERT and 1.2e-2 of the others, each the
// better of these two. Those of the fine-tuning are the best by validation with seeds 1001 and 1002, each twice the one before:
// on pairs of four, from 1.5e-3 for BERT and from 3e-3 for the others; on sentences of three, from 1.5e-3 and from 6e-3. On pairs
// that is 6e-3 for gMLP after 1,000 steps and 1.2e-2 after 2,000, 6e-3 for aMLP, and 3e-3 for BERT; on sentences 6e-3 and 1.2e-2
// for gMLP, 1.2e-2 for aMLP, and 6e-3 and 3e-3 for BERT. So on sentences after 1,000 steps two are at an end of their values:
// BERT, for which 1.2e-2 was at chance on harder sentences, and gMLP, for which 3e-3 was worse on easier ones, with one seed.
// Sentences of these other difficulties were tried first; the best had 0.71 and 0.96 on them.
//
// The differences spread by 2.1 points on pairs and 3.0 on sentences, taken together over both lengths and models. Two seeds tell
// that badly, so that the plan counts with one and a half times as much: with 8 seeds a difference of 5 points is shown with a
// power of 0.89 on pairs and 0.59 on sentences, and that there is none with 0.94 and 0.52. In the pilot aMLP was ahead of gMLP on
// pairs by 18 points after 1,000 steps and 9 after 2,000, BERT by 14 and 0; on sentences aMLP was level, and BERT behind by 14
// and 8. Two comparisons need 7 seeds. No test was looked at.
//
// Press **Run all**, or Shift-Enter in each cell. Then leave out `from`, and run again: what is left is the difference from
// scratch. On the command line: `mixlab run amlp-finetuning.ts`, with `--quick` for a first look. About twenty minutes on one
// idle core; chance is 0.333 with pairs and 0.5 with sentences.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | asked | the paper | here | verdict | plan |
// | --- | --- | --- | --- | --- |
// | pairs after 1000 steps: amlp | MNLI 85.9 against 83.7 | 0.66 against 0.48, difference 0.18 (0.13 to 0.20), 8 seeds | **found** | margin 0.05; power 0.89, to be equal 0.94 |
// | pairs after 1000 steps: bert | MNLI 85.6 against 83.7 | 0.61 against 0.48, difference 0.12 (0.07 to 0.16), 8 seeds | **found** | margin 0.05; power 0.89, to be equal 0.94 |
// | sentences after 1000 steps: amlp | SST-2 93.4 against 94.2 | 0.902 against 0.914, difference -0.012 (-0.024 to -0.001), 8 seeds | **found** | margin 0.05; power 0.59, to be equal 0.52 |
// | sentences after 1000 steps: bert | SST-2 93.8 against 94.2 | 0.76 against 0.91, difference -0.15 (-0.18 to -0.12), 8 seeds | **found otherwise** | margin 0.05; power 0.59, to be equal 0.52 |
// | pairs after 2000 steps: amlp | MNLI 85.9 against 83.7 | 0.67 against 0.52, difference 0.14 (0.06 to 0.22), 8 seeds | **open** | margin 0.05; power 0.89, to be equal 0.94 |
// | pairs after 2000 steps: bert | MNLI 85.6 against 83.7 | 0.63 against 0.52, difference 0.10 (0.01 to 0.17), 8 seeds | **open** | margin 0.05; power 0.89, to be equal 0.94 |
// | sentences after 2000 steps: amlp | SST-2 93.4 against 94.2 | 0.92 against 0.93, difference -0.01 (-0.06 to 0.02), 8 seeds | **open** | margin 0.05; power 0.59, to be equal 0.52 |
// | sentences after 2000 steps: bert | SST-2 93.8 against 94.2 | 0.849 against 0.929, difference -0.080 (-0.101 to -0.053), 8 seeds | **found otherwise** | margin 0.05; power 0.59, to be equal 0.52 |
//
// | pairs after 1000 steps | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | gmlp | 0.48 ± 0.04 | 8 |  |
// | amlp | 0.66 ± 0.03 | 8 | amlp is more accurate than gmlp by 17.6 points, 95% interval 13.3 to 20.3, 8 of 8 seeds |
// | bert | 0.61 ± 0.07 | 8 | at learningRate 0.003 instead of 0.006: bert is more accurate than gmlp by 12.0 points, 95% interval 7.2 to 16.3, 8 of 8 seeds |
//
// | sentences after 1000 steps | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | gmlp | 0.914 ± 0.011 | 8 |  |
// | amlp | 0.902 ± 0.018 | 8 | at learningRate 0.012 instead of 0.006: amlp equals gmlp within 5 points: -1.2 points, 95% interval -2.4 to -0.1, within it on 8 of 8 seeds |
// | bert | 0.76 ± 0.05 | 8 | bert is less accurate than gmlp by 15.1 points, 95% interval 12.2 to 18.5, 8 of 8 seeds |
//
// | pairs after 2000 steps | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | gmlp | 0.52 ± 0.09 | 8 |  |
// | amlp | 0.67 ± 0.05 | 8 | at learningRate 0.006 instead of 0.012: amlp is not worse than gmlp by more than 5 points: +14.2 points, 95% interval 6.3 to 22.0, better on 6 of 8 seeds; about 4 more seeds would settle a difference of this size |
// | bert | 0.63 ± 0.04 | 8 | at learningRate 0.003 instead of 0.012: bert is not worse than gmlp by more than 5 points: +10.3 points, 95% interval 1.4 to 17.0, better on 6 of 8 seeds; about 11 more seeds would settle a difference of this size |
//
// | sentences after 2000 steps | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | gmlp | 0.929 ± 0.027 | 8 |  |
// | amlp | 0.92 ± 0.05 | 8 | amlp is not better than gmlp by more than 5 points: -0.9 points, 95% interval -5.7 to 1.7, better on 4 of 8 seeds; about 16 more seeds would show it equal |
// | bert | 0.849 ± 0.021 | 8 | at learningRate 0.003 instead of 0.012: bert is less accurate than gmlp by 8.0 points, 95% interval 5.3 to 10.1, 8 of 8 seeds |

// %% pretraining
import { adamw, amlp, bert, compare, gmlp, mlm, world } from 'mixlab'

const attention = { heads: 4, positions: 32, segments: 0, relativeBuckets: 32, headTransform: false }
const models = {
  gmlp: gmlp({ depth: 3, ffn: 146 }),
  amlp: amlp({ depth: 3, ffn: 120, attention: 8 }),
  bert: bert({ ...attention, depth: 2, ffn: 96 }),
}

type Rates = Record<keyof typeof models, number>

/** The three models, each with a learning rate of its own. */
const variants = (rates: Rates) => {
  const variant = (name: keyof Rates) => ({
    block: models[name],
    train: { optimizer: adamw({ learningRate: rates[name] }) },
  })
  return { gmlp: variant('gmlp'), amlp: variant('amlp'), bert: variant('bert') }
}

const text = world({ difficulty: 0, train: 8000 })
/** What all tasks have in common, so that the weights fit. */
const reads = { tokens: 32, tokenizer: { corpus: text } }
const common = {
  model: { dim: 32 },
  seeds: [11, 12, 13, 14, 15, 16, 17, 18],
  quick: { train: { steps: 20 }, seeds: 1 },
}

/** What the models have learned before: each of them is trained once for a seed and a number of steps. */
const pretraining = (steps: number) =>
  compare(`pretraining for ${steps} steps`, {
    ...common,
    task: mlm({ data: text, ...reads }),
    variants: variants({ gmlp: 1.2e-2, amlp: 1.2e-2, bert: 6e-3 }),
    metric: 'test/loss',
    train: { steps, batch: 16, warmup: 100, evalEvery: 1000 },
  })

// %% tasks
import { pair, sequence } from 'mixlab'

const pairs = (steps: number, rates: Rates) =>
  compare(`pairs after ${steps} steps`, {
    ...common,
    task: pair({ data: world({ difficulty: 0, train: 2000, validation: 0.5, test: 1024 }), pool: 'mean', ...reads }),
    variants: variants(rates),
    from: pretraining(steps),
    margin: 0.05,
    train: { steps: 300, batch: 32, warmup: 20, evalEvery: 100 },
  })

const sentences = (steps: number, rates: Rates) =>
  compare(`sentences after ${steps} steps`, {
    ...common,
    task: sequence({
      data: world({ difficulty: 0.4, train: 2000, validation: 0.5, test: 1024 }),
      pool: 'mean',
      ...reads,
    }),
    variants: variants(rates),
    from: pretraining(steps),
    margin: 0.05,
    train: { steps: 300, batch: 32, warmup: 20, evalEvery: 100 },
  })

export const studies = [
  pairs(1000, { gmlp: 6e-3, amlp: 6e-3, bert: 3e-3 }),
  sentences(1000, { gmlp: 6e-3, amlp: 1.2e-2, bert: 6e-3 }),
  pairs(2000, { gmlp: 1.2e-2, amlp: 6e-3, bert: 3e-3 }),
  sentences(2000, { gmlp: 1.2e-2, amlp: 1.2e-2, bert: 3e-3 }),
]

// %% claim
import { claim } from 'mixlab'

const onPairs = (study: number, of: string, figures: string) => ({
  study: studies[study] as (typeof studies)[number],
  ...{ of, expected: 'better' as const, figures, spread: 0.031 },
})
const onSentences = (study: number, of: string, figures: string) => ({
  study: studies[study] as (typeof studies)[number],
  ...{ of, expected: 'equal' as const, figures, spread: 0.045 },
})

export const claimed = claim({
  paper: 'gmlp',
  where: 'section 4.3, table 6',
  pilot: [1001, 1002],
  minutes: 20,
  parts: [0, 2].flatMap((i) => [
    onPairs(i, 'amlp', 'MNLI 85.9 against 83.7'),
    onPairs(i, 'bert', 'MNLI 85.6 against 83.7'),
    onSentences(i + 1, 'amlp', 'SST-2 93.4 against 94.2'),
    onSentences(i + 1, 'bert', 'SST-2 93.8 against 94.2'),
  ]),
})

// %% [markdown] found
// ## What was found, and why it may be otherwise elsewhere
//
// As in the paper, attention counts for pairs: after 1,000 steps of pretraining aMLP is 18 points ahead of gMLP and BERT 12. A
// single head of 8 channels beside the gate is enough for that, though on masked words it gains nothing (gmlp/amlp-pretraining).
// After 2,000 steps they are ahead by 14 and 10 points on average, which stays open: three of eight seeds of gMLP have then
// learned to compare, with 0.61 to 0.66, and five have not, with 0.42 to 0.49, so that the differences spread by far more than in
// the pilot, whose two seeds both had.
//
// On sentences aMLP is equal to gMLP within 5 points after 1,000 steps, behind by 1; after 2,000 that stays open, with about as
// much on average. BERT is worse there, by 15 and 8 points, where the paper has it 0.4 behind.
//
// The differences are larger than the paper's 2 points. Its models see all of MNLI, hundreds of thousands of pairs, and ours
// 2,000: attention finds the same word in two sentences by its products, while the gate has to learn it for each distance. For
// praise or blame it is enough to know what words do to their neighbours, in which the gate is ahead of BERT, which begins to
// learn late.
