// %% [markdown] question
// # Of two models that know text equally well, is gMLP worse on pairs of sentences, and better on single ones?
//
// In table 4 of [Pay Attention to MLPs](https://arxiv.org/abs/2105.08050) models of several sizes learn masked words and are then
// fine-tuned. A gMLP of 36 blocks and a Transformer of 12 layers know text about equally well, with perplexities of 4.35 and 4.26.
// On SST-2, praise or blame of one sentence, gMLP is then better, 92.3 against 91.3; on MNLI, where two sentences are compared,
// it is worse, 80.9 against 83.3. That gap shrinks with size: 3.8 points between the smallest models and 1.7 between the largest.
//
// Here gMLP has three blocks of 32 channels, BERT, the Transformer, two layers with 4 heads and relative positions; parameters
// are equal within 3%, some 39,000. It is the length of the pretraining, on texts of 32 tokens of the bundled `world`, that makes
// them know as much, for gMLP learns sooner: after 500 steps it is where BERT is after 1,000, the pair *early*; after 2,000 they
// are level, the pair *late*. Both are then fine-tuned for 300 steps with 2,000 pairs of sentences, of which the second follows
// from the first, contradicts it, or neither, or with 2,000 sentences of praise or blame; all weights are trained, and the head
// is new. So it is training and not size that makes the perplexity better here.
//
// The plan. It is asked whether the losses, logarithms of the perplexity, are equal within 0.1 nats, as they have to be for the
// rest to count; whether gMLP is worse on pairs and better on sentences, early and late; and whether its gap on pairs shrinks,
// a difference of differences. A difference of 5 points is the smallest that matters there: what a survey of such models counts
// as a gap between families. Rates of the pretraining are from gmlp/alike-curves, 6e-3 of BERT and 1.2e-2 of gMLP. Those of the
// fine-tuning are the best by validation with seeds 1001 and 1002, each twice the one before: on pairs from 1.5e-3 to 1.2e-2 for
// BERT, 3e-3 early and late, and from 3e-3 to 2.4e-2 for gMLP, 6e-3 and 1.2e-2; on sentences from 1.5e-3 to 6e-3 for BERT, 6e-3
// and 3e-3, and from 6e-3 to 2.4e-2 for gMLP, 1.2e-2. So BERT's 6e-3 is at an end; 1.2e-2 was at chance on harder sentences. The
// lengths were chosen by validation with these seeds and, for BERT, one more: losses of 2.22 for BERT and 2.17 for gMLP early, 1.74 and 1.73
// late. Sentences of another difficulty were tried with seed 1001, too, on which the best had 0.71 and 0.96.
//
// The differences spread by 0.32 nats early, as BERT's seeds differ by when they come to learn, and 0.075 late; by 2.9 points on
// pairs, 2.8 in the shrinking, and 3.3 on sentences, where early and late are taken together. Two seeds tell it badly, so that
// the plan counts with one and a half times as much. With 8 seeds a difference of 5 points is then shown with a power of 0.51 on
// pairs, 0.55 in the shrinking and 0.52 on sentences, and equal losses with 0.00 early and 0.47 late. In the pilot gMLP was 18 points behind on
// pairs early and level late, and 13 and 8 ahead on sentences. Three comparisons need 7 seeds. No test was looked at.
//
// Press **Run all**, or Shift-Enter in each cell. Then give `learned` other lengths, and run again. On the command line:
// `mixlab run transfer.ts`, with `--quick` for a first look. About fifteen minutes on one idle core; chance is 0.333 with pairs
// and 0.5 with sentences.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | asked | the paper | here | verdict | plan |
// | --- | --- | --- | --- | --- |
// | pretraining, early: model gmlp instead of bert | perplexity 4.35 against 4.26 | 2.09 against 2.37, difference -0.28 (-0.50 to -0.13), 8 seeds | **found otherwise** | margin 0.1; power 0.07, to be equal 0.00 |
// | pretraining, late: model gmlp instead of bert | perplexity 4.35 against 4.26 | 1.668 against 1.704, difference -0.035 (-0.054 to -0.020), 8 seeds | **found** | margin 0.1; power 0.58, to be equal 0.47 |
// | pairs: model gmlp instead of bert at loss early | MNLI 80.9 against 83.3 | 0.48 against 0.61, difference -0.13 (-0.18 to -0.06), 8 seeds | **found** | margin 0.05; power 0.52, to be equal 0.42 |
// | pairs: model gmlp instead of bert at loss late | MNLI 80.9 against 83.3 | 0.52 against 0.63, difference -0.10 (-0.17 to -0.01), 8 seeds | **open** | margin 0.05; power 0.52, to be equal 0.42 |
// | pairs: loss late instead of early, at model gmlp rather than bert | gap on MNLI 3.8, then 1.7 | difference 0.02 (-0.05 to 0.10), 8 seeds | **open** | margin 0.05; power 0.56, to be equal 0.49 |
// | sentences: model gmlp instead of bert at loss early | SST-2 92.3 against 91.3 | 0.91 against 0.76, difference 0.14 (0.11 to 0.18), 8 seeds | **found** | margin 0.05; power 0.52, to be equal 0.41 |
// | sentences: model gmlp instead of bert at loss late | SST-2 92.3 against 91.3 | 0.929 against 0.849, difference 0.080 (0.053 to 0.101), 8 seeds | **found** | margin 0.05; power 0.52, to be equal 0.41 |
//
// | pretraining, early | test/loss, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | loss=early model=bert | 2.37 ± 0.25 | 8 |  |
// | loss=early model=gmlp | 2.09 ± 0.05 | 8 |  |
//
// - model gmlp instead of bert: better by 0.28 (lower), 95% interval 0.13 to 0.50, 7 of 8 seeds
//
// | pretraining, late | test/loss, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | loss=late model=bert | 1.704 ± 0.026 | 8 |  |
// | loss=late model=gmlp | 1.668 ± 0.010 | 8 |  |
//
// - model gmlp instead of bert: better by 0.035 (lower), within the margin of 0.1 nats, 95% interval 0.020 to 0.054, 7 of 8 seeds
//
// | pairs | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | loss=early model=bert | 0.61 ± 0.07 | 8 |  |
// | loss=early model=gmlp | 0.48 ± 0.06 | 8 |  |
// | loss=late model=bert | 0.63 ± 0.04 | 8 |  |
// | loss=late model=gmlp | 0.52 ± 0.09 | 8 |  |
//
// - model gmlp instead of bert at loss early: worse by 12.7 points, 95% interval 6.0 to 17.9, 7 of 8 seeds
// - model gmlp instead of bert at loss late: not better by more than 5 points: -10.3 points, 95% interval -17.0 to -1.4, better on 2 of 8 seeds; about 13 more seeds would settle a difference of this size
// - loss late instead of early, at model gmlp rather than bert: no difference shown: +2.5 points, 95% interval -4.5 to 10.0, better on 4 of 8 seeds; not shown to be equal within 5 points; more than 100 more seeds are needed to settle a difference of this size
//
// | sentences | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | loss=early model=bert | 0.76 ± 0.05 | 8 |  |
// | loss=early model=gmlp | 0.908 ± 0.028 | 8 |  |
// | loss=late model=bert | 0.849 ± 0.021 | 8 |  |
// | loss=late model=gmlp | 0.929 ± 0.027 | 8 |  |
//
// - model gmlp instead of bert at loss early: better by 14.5 points, 95% interval 11.0 to 17.6, 8 of 8 seeds
// - model gmlp instead of bert at loss late: better by 8.0 points, 95% interval 5.3 to 10.1, 8 of 8 seeds

// %% pretraining
import { adamw, ask, bert, compare, factors, gmlp, mlm, world } from 'mixlab'

const attention = { heads: 4, positions: 32, segments: 0, relativeBuckets: 32, headTransform: false }
const models = {
  bert: bert({ ...attention, depth: 2, ffn: 96 }),
  gmlp: gmlp({ depth: 3, ffn: 146 }),
}
type Loss = 'early' | 'late'
type Rates = Record<keyof typeof models, number>
const rate = (learningRate: number) => ({ optimizer: adamw({ learningRate }) })
const names: (keyof Rates)[] = ['bert', 'gmlp']

const text = world({ difficulty: 0, train: 8000 })
/** What all tasks have in common, so that the weights fit. */
const reads = { tokens: 32, tokenizer: { corpus: text } }
const common = {
  model: { dim: 32 },
  seeds: [11, 12, 13, 14, 15, 16, 17, 18],
  quick: { train: { steps: 20 }, seeds: 1 },
}

/** After these steps both models have come to about the same loss, the logarithm of the perplexity. */
const pretraining = (loss: Loss, steps: { bert: number; gmlp: number }) =>
  compare(`pretraining, ${loss}`, {
    ...common,
    task: mlm({ data: text, ...reads }),
    variants: factors({ loss: [loss], model: names }, ({ model }) => ({
      block: models[model],
      train: {
        ...rate(model === 'bert' ? 6e-3 : 1.2e-2),
        ...(steps[model] !== steps.bert && { steps: steps[model] }),
      },
    })),
    questions: [ask.effect('model')],
    metric: 'test/loss', // nats
    margin: 0.1,
    train: { steps: steps.bert, batch: 16, warmup: 100, evalEvery: 1000 },
  })

export const learned = {
  early: pretraining('early', { bert: 1000, gmlp: 500 }),
  late: pretraining('late', { bert: 2000, gmlp: 2000 }),
}

// %% tasks
import { pair, sequence } from 'mixlab'

const tuning = (rates: Record<Loss, Rates>) => ({
  ...common,
  variants: factors({ loss: ['early', 'late'] as Loss[], model: names }, ({ loss, model }) => ({
    block: models[model],
    train: rate(rates[loss][model]),
    from: learned[loss],
  })),
  margin: 0.05,
  train: { steps: 300, batch: 32, warmup: 20, evalEvery: 100 },
})

export const pairs = compare('pairs', {
  ...tuning({ early: { bert: 3e-3, gmlp: 6e-3 }, late: { bert: 3e-3, gmlp: 1.2e-2 } }),
  task: pair({ data: world({ difficulty: 0, train: 2000, validation: 0.5, test: 1024 }), pool: 'mean', ...reads }),
  questions: [ask.simple('model', { at: 'loss' }), ask.interaction('loss', 'model')],
})

export const sentences = compare('sentences', {
  ...tuning({ early: { bert: 6e-3, gmlp: 1.2e-2 }, late: { bert: 3e-3, gmlp: 1.2e-2 } }),
  task: sequence({
    data: world({ difficulty: 0.4, train: 2000, validation: 0.5, test: 1024 }),
    pool: 'mean',
    ...reads,
  }),
  questions: [ask.simple('model', { at: 'loss' })],
})

// %% claim
import { claim } from 'mixlab'

type Expected = 'better' | 'worse' | 'equal'

const part = (study: typeof pairs, of: string, expected: Expected, figures: string, spread: number) => ({
  ...{ study, of, expected, figures, spread },
})
const gmlpAt = (loss: Loss) => `model gmlp instead of bert at loss ${loss}`

export const claimed = claim({
  paper: 'gmlp',
  where: 'table 4',
  pilot: [1001, 1002],
  minutes: 15,
  parts: [
    part(learned.early, 'model gmlp instead of bert', 'equal', 'perplexity 4.35 against 4.26', 0.47),
    part(learned.late, 'model gmlp instead of bert', 'equal', 'perplexity 4.35 against 4.26', 0.11),
    part(pairs, gmlpAt('early'), 'worse', 'MNLI 80.9 against 83.3', 0.044),
    part(pairs, gmlpAt('late'), 'worse', 'MNLI 80.9 against 83.3', 0.044),
    part(
      pairs,
      'loss late instead of early, at model gmlp rather than bert',
      'better',
      'gap on MNLI 3.8, then 1.7',
      0.042,
    ),
    part(sentences, gmlpAt('early'), 'better', 'SST-2 92.3 against 91.3', 0.049),
    part(sentences, gmlpAt('late'), 'better', 'SST-2 92.3 against 91.3', 0.049),
  ],
})

// %% [markdown] found
// ## What was found, and why it may be otherwise elsewhere
//
// As in the paper, a gMLP that knows text as well as BERT is the better one on sentences, by 8 points late, where their losses are
// equal within 0.1 nats. Early it is ahead by 14.5 points, but it then knows more of the text: on these seeds BERT had not yet come
// as far after 1,000 steps as on those of the pilot, and was behind by 0.28 nats.
//
// On pairs gMLP is behind by 13 points early, though its loss is the better one there: knowing more of the text does not help it
// to compare two sentences. Late it is behind by 10 points on average, which stays open, as its seeds differ by 9 points: three
// have learned to compare, with 0.61 to 0.66, and five have not, with 0.42 to 0.49. In the pilot both seeds had, so that the gap
// seemed to have gone. Hence it stays open, too, whether the gap shrinks; in the paper it does with size, not with training.
//
// The differences are larger than the paper's 1 to 4 points. Its models see all of MNLI and SST-2, hundreds and tens of thousands
// of examples, and ours 2,000; with so few it counts more what a model finds easy. The gate has learned what words do to their
// neighbours, and praise or blame hangs on those. Whether words of two sentences are the same is what attention reads off its
// products, and a matrix of fixed places has to learn of each distance. The planned spread was too small for gMLP on pairs.
