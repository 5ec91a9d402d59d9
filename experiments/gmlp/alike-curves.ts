// %% [markdown] question
// # Does gMLP learn text as quickly as a Transformer?
//
// [Pay Attention to MLPs](https://arxiv.org/abs/2105.08050) says in its introduction that what is measured in pretraining and
// fine-tuning improves as quickly for gMLP as for Transformers, as data and computing grow; it has no figures along a training.
//
// Here gMLP of three blocks and BERT of two layers with 4 heads and relative positions, both with 32 channels and equal in
// parameters within 1%, 38,600, learn the masked words of texts of 32 tokens that the bundled `world` makes of some 490 words. gMLP
// needs 9% more multiply-adds for a step. Each length of training is a training of its own, whose learning rate falls to its end.
//
// The plan. It is asked whether gMLP's loss, the logarithm of the perplexity, is equal to BERT's after 400 steps and after
// 1,000. A difference of 0.04 nats is the smallest that matters: 4% of the perplexity, as between the split and the
// multiplicative gate of table 3. The learning rate rises over the first 100 steps: in a first pilot of 400 steps without that
// BERT came to 4.3 nats on validation, where hardly more is known than how frequent words are, and gMLP to 2.3. Each has at
// each length the learning rate that is better for it by validation with seeds 1001 and 1002, of 6e-3 and 1.2e-2; in earlier
// pilots 3e-3 was worse for both after 1,000 steps, and 2.4e-2 for gMLP. The spread is that of these seeds after 1,000 steps,
// 0.30 nats, for BERT's seeds differ by when they come to learn; it is taken to be as large after 400, which was not tried with
// a rate that rises. The power is told for one and a half times as much. One comparison needs 6 seeds; 8 show 0.04 nats with a
// power of 0.05, and that there is less with none, so that large differences alone can be shown, such as one of 0.5 with a
// power of 0.75. No test was looked at but of tries of 20 to 220 steps, which were to tell the time.
//
// Press **Run all**, or Shift-Enter in each cell. On the command line: `mixlab run alike-curves.ts`, with `--quick` for a first
// look. About five minutes on two cores.

// %% study
import { adamw, bert, compare, gmlp, mlm, tuned, world } from 'mixlab'

const texts = (steps: number) =>
  compare(`${steps} steps`, {
    task: mlm({ data: world({ difficulty: 0, train: 8000 }), tokens: 32 }),
    model: { dim: 32 },
    variants: {
      bert: bert({
        depth: 2,
        ffn: 96,
        heads: 4,
        positions: 32,
        segments: 0,
        relativeBuckets: 32,
        headTransform: false,
      }),
      gmlp: gmlp({ depth: 3, ffn: 146 }),
    },
    tune: tuned(
      { lr: [6e-3, 1.2e-2] },
      ({ lr }) => ({
        train: { optimizer: adamw({ learningRate: lr }) },
      }),
      { seeds: 2 },
    ),
    metric: 'test/loss', // nats: the logarithm of the perplexity
    margin: 0.04,
    train: { steps, batch: 16, warmup: 100, evalEvery: 1000 },
    seeds: 8,
    quick: { train: { steps: 20 }, seeds: 1 },
  })

// %% short
export const short = texts(400)

// %% long
export const long = texts(1000)

// %% claim
import { claim } from 'mixlab'

const equal = (study: typeof short, spread: number) => ({
  ...{ study, of: 'gmlp', figures: 'as quickly, no figures', spread },
  expected: 'equal' as const,
})

export const claimed = claim({
  paper: 'gmlp',
  where: 'introduction',
  pilot: [1001, 1002],
  minutes: 8,
  parts: [equal(short, 0.3), equal(long, 0.3)],
})
