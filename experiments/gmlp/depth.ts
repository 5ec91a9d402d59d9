// %% [markdown] question
// # Does gMLP catch up with a Transformer as both grow deeper?
//
// In table 4 of [Pay Attention to MLPs](https://arxiv.org/abs/2105.08050) Transformers of 6, 12, 24 and 48 layers, each of
// attention and a feed-forward part, have a perplexity of 4.91, 4.26, 3.83 and 3.47 on masked words, and gMLPs of 18, 36, 72 and
// 144 blocks, with as many parameters or somewhat fewer, 5.25, 4.35, 3.79 and 3.43. In its logarithm, which is the loss in nats,
// gMLP is behind by 0.07 where both are shallow and ahead by 0.01 where both are deep: it gains more by depth.
//
// Here the Transformer, BERT with relative positions and 4 heads, has one layer (*shallow*) or three (*deep*), and gMLP three
// blocks or nine: three for a layer, as there. All have 32 channels. Parameters are equal within 2%, 27,900 and 27,500 of the
// shallow, 49,400 and 50,200 of the deep ones; gMLP has 5% and 9% more multiply-adds. They learn the masked words of texts of 32
// tokens, which the bundled `world` makes of some 490 words. Who knows how frequent words are, and no more, has a loss of 4.47
// nats on the test, and guesses one word in five.
//
// The plan. It is asked at each depth whether gMLP is behind or ahead, and whether it gains more by depth. A difference of 0.04
// nats is the smallest that matters: 4% of the perplexity, between the two differences of the paper. All train for 1,800 steps,
// and the learning rate rises over the first 100. A first pilot had 600 steps; it left the shallow Transformer at 4.2 nats on
// validation, hardly better than frequencies, and was given up. As that one is the last to learn, the shallow two are compared
// after 3,600 steps as well; for the deep ones that would take too long. Each has the rate that is best for it by validation
// with seeds 1001 and 1002, of 3e-3, 6e-3, 1.2e-2 and 2.4e-2, and for the longer training of 6e-3 and 1.2e-2.
//
// The spread is that of these seeds after 1,800 steps: 0.059 nats of the difference where both are shallow, 0.039 where both are
// deep and 0.097 of the difference of the two; after 3,600 steps, where the pilot was not done yet, it is taken to be as after
// 1,800. Two seeds tell it badly, so that the power is told for one and a half times as much. With 8 seeds 0.04 nats are shown
// with a power of 0.07, 0.18, 0.03 and, after 3,600 steps, 0.18, so that small differences will stay open; 0.3 nats with one of
// 0.97 at least.
// Trials with seed 2001, of 600 steps and of 2,400, showed their test: after 2,400 steps gMLP was ahead by 0.01 nats at one layer
// of the Transformer, and at four.
//
// Press **Run all**, or Shift-Enter in each cell. On the command line: `mixlab run depth.ts`, with `--quick` for a first look.
// About 15 minutes on two cores.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | asked | the paper | here | verdict | plan |
// | --- | --- | --- | --- | --- |
// | 1800 steps: model gmlp instead of bert at size shallow | perplexity 5.25 against 4.91, 0.07 nats | 1.73 against 1.95, difference -0.22 (-0.27 to -0.17), 8 seeds | **found otherwise** | margin 0.04; power 0.07, to be equal 0.00 |
// | 1800 steps: model gmlp instead of bert at size deep | perplexity 3.43 against 3.47, -0.01 nats | 1.64 against 1.70, difference -0.05 (-0.09 to -0.02), 8 seeds | **open** | margin 0.04; power 0.18, to be equal 0.04 |
// | 1800 steps: model gmlp instead of bert, at size deep rather than shallow | -0.01 against 0.07 nats | difference 0.17 (0.11 to 0.23), 8 seeds | **found otherwise** | margin 0.04; power 0.03, to be equal 0.00 |
// | shallow, 3600 steps: gmlp | perplexity 5.25 against 4.91, 0.07 nats | 1.635 against 1.646, difference -0.011 (-0.026 to -0.000), 8 seeds | **equal within the margin** | margin 0.04; power 0.18, to be equal 0.02 |
//
// | 1800 steps | test/loss, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | model=bert size=shallow | 1.95 ± 0.08 | 8 |  |
// | model=bert size=deep | 1.70 ± 0.05 | 8 |  |
// | model=gmlp size=shallow | 1.732 ± 0.009 | 8 |  |
// | model=gmlp size=deep | 1.645 ± 0.010 | 8 |  |
//
// - model gmlp instead of bert at size shallow: better by 0.22 (lower), 95% interval 0.17 to 0.27, 8 of 8 seeds; model=bert size=shallow at lr 0.006, model=gmlp size=shallow at lr 0.024, each the best of 0.003, 0.006, 0.012, 0.024 on validation with seeds 1001 and 1002; lr 0.024 is at the end of its values, and a better one may lie beyond; tuning took 32 runs, the report 32
// - model gmlp instead of bert at size deep: not worse by more than 0.04 nats: -0.05 (lower is better), 95% interval -0.09 to -0.02, better on 6 of 8 seeds; about 11 more seeds would settle a difference of this size; model=bert size=deep at lr 0.006, model=gmlp size=deep at lr 0.012, each the best of 0.003, 0.006, 0.012, 0.024 on validation with seeds 1001 and 1002; tuning took 32 runs, the report 32
// - model gmlp instead of bert, at size deep rather than shallow: gains less by 0.17, 95% interval 0.11 to 0.23, 8 of 8 seeds; each variant at its own lr, each the best of 0.003, 0.006, 0.012, 0.024 on validation with seeds 1001 and 1002; lr 0.024 is at the end of its values, and a better one may lie beyond; tuning took 32 runs, the report 32
//
// | shallow, 3600 steps | test/loss, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | bert | 1.646 ± 0.024 | 8 |  |
// | gmlp | 1.635 ± 0.015 | 8 | at depth 3 instead of 1: gmlp equals bert within 0.04 nats: -0.011 (lower is better), 95% interval -0.026 to -0.000, within it on 7 of 8 seeds; gmlp at lr 0.012, bert at lr 0.006, each the best of 0.006, 0.012 on validation with seeds 1001 and 1002; lr 0.006 and lr 0.012 are at the ends of their values, and better ones may lie beyond; tuning took 8 runs, the report 16 |

// %% texts
import { adamw, bert, gmlp, mlm, tuned, world } from 'mixlab'

const small = { heads: 4, positions: 32, segments: 0, relativeBuckets: 32, headTransform: false }
const models = {
  bert: { block: bert({ ...small, ffn: 96 }), blocks: 1 },
  gmlp: { block: gmlp({ ffn: 72 }), blocks: 3 },
}

const common = {
  task: mlm({ data: world({ difficulty: 0, train: 8000 }), tokens: 32 }),
  model: { dim: 32 },
  metric: 'test/loss', // nats: the logarithm of the perplexity
  margin: 0.04,
  seeds: 8,
  quick: { train: { steps: 20 }, seeds: 1 },
}
const rate = ({ lr }: { lr: number }) => ({ train: { optimizer: adamw({ learningRate: lr }) } })
const trained = (steps: number) => ({ steps, batch: 16, warmup: 100, evalEvery: steps })

// %% depths
import { ask, compare, factors } from 'mixlab'

export const depths = compare('1800 steps', {
  ...common,
  variants: factors({ model: models, size: { shallow: 1, deep: 3 } }, ({ model, size }) => ({
    block: model.block,
    model: { depth: model.blocks * size },
  })),
  questions: [ask.simple('model', { at: 'size' }), ask.interaction('model', 'size')],
  tune: tuned({ lr: [3e-3, 6e-3, 1.2e-2, 2.4e-2] }, rate, { seeds: 2 }),
  train: trained(1800),
})

// %% longer
export const longer = compare('shallow, 3600 steps', {
  ...common,
  variants: {
    bert: { block: models.bert.block, model: { depth: models.bert.blocks } },
    gmlp: { block: models.gmlp.block, model: { depth: models.gmlp.blocks } },
  },
  tune: tuned({ lr: [6e-3, 1.2e-2] }, rate, { seeds: 2 }),
  train: trained(3600),
})

// %% claim
import { claim } from 'mixlab'

const of = 'model gmlp instead of bert'
const shallow = { figures: 'perplexity 5.25 against 4.91, 0.07 nats', expected: 'worse' as const }
const deep = { figures: 'perplexity 3.43 against 3.47, -0.01 nats', expected: 'better' as const }
const deeper = { figures: '-0.01 against 0.07 nats', expected: 'better' as const }

export const claimed = claim({
  paper: 'gmlp',
  where: 'table 4',
  pilot: [1001, 1002],
  minutes: 20,
  parts: [
    { study: depths, of: `${of} at size shallow`, ...shallow, spread: 0.088 },
    { study: depths, of: `${of} at size deep`, ...deep, spread: 0.058 },
    { study: depths, of: `${of}, at size deep rather than shallow`, ...deeper, spread: 0.146 },
    { study: longer, of: 'gmlp', ...shallow, spread: 0.088 },
  ],
})

// %% [markdown] found
// ## What was found, and why it may be otherwise elsewhere
//
// After 1,800 steps it is the other way round. gMLP is ahead where both are shallow, by 0.22 nats on each of eight seeds, a
// perplexity of 5.6 against 7.0, and gains less by depth than the Transformer, by 0.17. Where both are deep it has 5.2 against
// 5.5, on six of eight seeds, which stays open. After 3,600 steps the shallow two are equal within 0.04 nats: 5.1 against 5.2.
// All have really learned, for frequencies alone give a loss of 4.47, a perplexity of 88. They guess 55% to 58% of the words.
//
// So depth is not what lets gMLP catch up here; training lets the Transformer catch up. Two more layers gain it 0.25 nats, and
// another 1,800 steps gain the shallow one 0.30; gMLP gains 0.09 and 0.10. A deeper Transformer begins to learn earlier: after
// 600 steps of the first pilot it was at 3.0 nats where the shallow one was at 4.2. The paper trains for 125,000 steps, after
// which nobody is late, and has 6 to 48 layers. Whether gMLP falls behind after more than 3,600 steps, as there where shallow,
// was not asked.
//
// The intervals are of seeds, on one test of some 2,450 masked words. On the texts of validation the pilot seeds had the shallow
// Transformer ahead after 3,600 steps, by 0.03 nats, so that other texts may turn so small a difference. With an equal loss it
// also guesses more words, 58% against 56%.
//
// The rate of 2.4e-2 that the shallow gMLP has is the highest of those tried; it is 0.015 nats better than half of it. The longer
// training had two rates to choose from, which differ by less than 0.01 nats for both.
