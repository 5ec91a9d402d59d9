// %% [markdown] question
// # Can a pretrained convolution do what a pretrained Transformer does?
//
// A convolution tells a word from its neighbours by weights that are the same everywhere. [Are Pre-trained Convolutions Better
// than Pre-trained Transformers?](https://arxiv.org/abs/2105.03322) puts convolutions in place of attention, trains them on
// plain text first and then on eight tasks, and finds them competitive with Transformers and ahead in some. Where two texts are
// to be compared they fall behind, since nothing lets one look at the other. An article on gMLP takes that as a reason to ask
// what attention is for. The abstract and summaries of the paper were at hand; they have no figures.
//
// Here a Transformer with relative positions, and the same network with gated convolutions over 7 words in place of its
// attention, have two blocks of 32 channels and parameters equal within 1%, 37,500. They learn the masked words of texts of 32
// tokens, for 500 steps or for 1,500, and go on from there to two tasks of the bundled `world`: whether a sentence is praise or
// blame, which negations turn, and whether a second sentence follows from a first, contradicts it, or neither.
//
// The plan. After either pretraining it is asked whether the convolutions are equal to attention on masked words, by the loss,
// the logarithm of the perplexity; and whether they are better on sentences and worse on pairs, by accuracy. On masked words a
// difference of 0.04 nats is the smallest that matters, 4% of the perplexity; in the tasks it is one of 5 points, which a survey
// of such models counts as a gap between families. Each variant has the best of three or four rates by validation with seeds
// 1001 and 1002. On masked words these were from 3e-3 to 1.2e-2 for attention and from 1e-2 to 4e-2 for convolutions, each twice
// the one before, and the middle one was best for all. In the difference that is tested these seeds spread by 0.22 nats after
// the short pretraining and by 0.082 after the long one. Two seeds tell that badly, so the plan counts with one and a half times
// as much: 8 seeds then show 0.04 nats with a power of 0.03 and 0.06, and that there is less with none, so that only large
// differences can be shown, such as 0.5 nats with a power of 0.85 and 1.00. Earlier trials, on seeds 1 to 8 with another
// attention and on seed 21 with this one, had the convolutions ahead on masked words by 0.1 nats and more, and on pairs behind.
//
// In the tasks the rates were from 1e-3 to 2.7e-2, each three times the one before; the last added was 1e-3, since 3e-3 was best
// for attention after the short pretraining. All else was best at 9e-3. The seeds spread by 2.0 and 1.5 points on sentences, and
// by 1.7 and 16 on pairs, where one of two seeds of attention had learned far more than the other after the long pretraining.
// With one and a half times as much, 8 seeds show a difference of 5 points with a power of 0.91 and 0.99 on sentences, after the
// short and the long pretraining, and of 0.97 and 0.04 on pairs. That there is less they show with 0.95 and 1.00, and with 0.99
// and 0.00; on pairs after the long pretraining only very large differences can be shown. No test of seeds 11 to 18 was looked at.
//
// Press **Run all**, or Shift-Enter in each cell. Then give the convolutions another `kernel`, and run again. On the command
// line: `mixlab run pretrained.ts`, with `--quick` for a first look. About twelve minutes on one core; chance is 0.5 for
// sentences and 0.333 for pairs.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | asked | the paper | here | verdict | plan |
// | --- | --- | --- | --- | --- |
// | masked words: model convolution instead of attention at pretraining short | competitive, no figures | 1.87 against 3.44, difference -1.58 (-1.69 to -1.36), 8 seeds | **screening** | margin 0.04; power 0.03, to be equal 0.00 |
// | masked words: model convolution instead of attention at pretraining long | competitive, no figures | 1.64 against 1.87, difference -0.23 (-0.30 to -0.18), 8 seeds | **found otherwise** | margin 0.04; power 0.06, to be equal 0.00 |
// | sentences: model convolution instead of attention at pretraining short | ahead in some tasks, no figures | 0.77 against 0.61, difference 0.17 (0.14 to 0.21), 8 seeds | **found** | margin 0.05; power 0.91, to be equal 0.95 |
// | sentences: model convolution instead of attention at pretraining long | ahead in some tasks, no figures | 0.83 against 0.69, difference 0.14 (0.10 to 0.18), 8 seeds | **found** | margin 0.05; power 0.99, to be equal 1.00 |
// | pairs: model convolution instead of attention at pretraining short | behind, no figures | 0.41 against 0.58, difference -0.17 (-0.22 to -0.11), 8 seeds | **found** | margin 0.05; power 0.97, to be equal 0.99 |
// | pairs: model convolution instead of attention at pretraining long | behind, no figures | 0.415 against 0.627, difference -0.213 (-0.236 to -0.196), 8 seeds | **found** | margin 0.05; power 0.04, to be equal 0.00 |
//
// | masked words | test/loss, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | pretraining=short model=attention | 3.44 ± 0.25 | 8 |  |
// | pretraining=short model=convolution | 1.867 ± 0.020 | 8 |  |
// | pretraining=long model=attention | 1.87 ± 0.09 | 8 |  |
// | pretraining=long model=convolution | 1.644 ± 0.012 | 8 |  |
//
// - model convolution instead of attention at pretraining short: better by 1.58 (lower), 95% interval 1.36 to 1.69, 8 of 8 seeds
// - model convolution instead of attention at pretraining long: better by 0.23 (lower), 95% interval 0.18 to 0.30, 8 of 8 seeds
//
// | sentences | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | pretraining=short model=attention | 0.606 ± 0.020 | 8 |  |
// | pretraining=short model=convolution | 0.77 ± 0.04 | 8 |  |
// | pretraining=long model=attention | 0.69 ± 0.05 | 8 |  |
// | pretraining=long model=convolution | 0.83 ± 0.05 | 8 |  |
//
// - model convolution instead of attention at pretraining short: better by 16.7 points, 95% interval 13.6 to 21.2, 8 of 8 seeds
// - model convolution instead of attention at pretraining long: better by 14.1 points, 95% interval 9.8 to 17.9, 8 of 8 seeds
//
// | pairs | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | pretraining=short model=attention | 0.58 ± 0.08 | 8 |  |
// | pretraining=short model=convolution | 0.411 ± 0.008 | 8 |  |
// | pretraining=long model=attention | 0.627 ± 0.028 | 8 |  |
// | pretraining=long model=convolution | 0.415 ± 0.013 | 8 |  |
//
// - model convolution instead of attention at pretraining short: worse by 17.0 points, 95% interval 10.6 to 21.5, 8 of 8 seeds
// - model convolution instead of attention at pretraining long: worse by 21.3 points, 95% interval 19.6 to 23.6, 8 of 8 seeds

// %% blocks
import {
  attend,
  block,
  conv1d,
  dense,
  gelu,
  layerNorm,
  mul,
  relativePositionBias,
  residual,
  sigmoid,
  split,
} from 'mixlab'

/** The Transformer block, with the norms first, and a learned bias for each distance of two words. x is [batch, tokens, dim]. */
const attention = block('attention', { heads: 4 }, (x, { dim, ffn, heads }) => {
  const [q, k, v] = split(dense(layerNorm(x), 3 * dim), 3)
  const bias = relativePositionBias(x.shape[1] as number, heads, { name: 'bias', buckets: 32, maxDistance: 128 })
  x = residual(x, dense(attend([q, k], v, { heads, bias }), dim))
  return residual(x, dense(gelu(dense(layerNorm(x), ffn)), dim))
})

/** The same with a gate, a convolution along the tokens, one kernel a channel, and a projection in place of attention. */
const convolution = block('convolution', { kernel: 7 }, (x, { dim, ffn, kernel }) => {
  const [value, gate] = split(dense(layerNorm(x), 2 * dim), 2)
  x = residual(x, dense(conv1d(mul(value, sigmoid(gate)), dim, { kernel, groups: dim }), dim))
  return residual(x, dense(gelu(dense(layerNorm(x), ffn)), dim))
})

const models = { attention: attention({ ffn: 96 }), convolution: convolution({ ffn: 108 }) }

// %% pretraining
import { adamw, ask, compare, factors, mlm, world } from 'mixlab'

/** Each model after a short pretraining and after a longer one, at a learning rate that is its own. */
const variants = (train: (steps: 'short' | 'long', model: 'attention' | 'convolution') => object) =>
  factors({ pretraining: ['short', 'long'], model: ['attention', 'convolution'] }, ({ pretraining, model }) => ({
    block: models[model],
    train: train(pretraining, model),
  }))
const optimizer = (learningRate: number) => adamw({ learningRate })

const text = world({ difficulty: 0, train: 8000, test: 200 })
const reads = { tokens: 32, tokenizer: { corpus: text } }
const common = {
  model: { dim: 32, depth: 2 },
  questions: [ask.simple('model', { at: 'pretraining' })],
  seeds: [11, 12, 13, 14, 15, 16, 17, 18],
  quick: { train: { steps: 20 }, seeds: 1 },
}

const steps = { short: 500, long: 1500 }
/** Learning rates that were best by validation with pilot seeds. */
const rates = {
  words: { short: { attention: 6e-3, convolution: 2e-2 }, long: { attention: 6e-3, convolution: 2e-2 } },
  sentences: { short: { attention: 3e-3, convolution: 9e-3 }, long: { attention: 9e-3, convolution: 9e-3 } },
  pairs: { short: { attention: 3e-3, convolution: 9e-3 }, long: { attention: 9e-3, convolution: 9e-3 } },
}

export const pretraining = compare('masked words', {
  task: mlm({ data: text, ...reads }),
  ...common,
  variants: variants((length, model) => ({ steps: steps[length], optimizer: optimizer(rates.words[length][model]) })),
  metric: 'test/loss', // nats: the logarithm of the perplexity
  margin: 0.04,
  train: { batch: 16, warmup: 100, evalEvery: 500 },
})

// %% tasks
import { pair, sequence } from 'mixlab'

const tuning = { ...common, from: pretraining, margin: 0.05 }

export const sentences = compare('sentences', {
  task: sequence({ data: world({ difficulty: 0.5, train: 2000, validation: 0.33 }), pool: 'mean', ...reads }),
  ...tuning,
  variants: variants((length, model) => ({ optimizer: optimizer(rates.sentences[length][model]) })),
  train: { steps: 200, batch: 32, warmup: 20, evalEvery: 200 },
})

export const pairs = compare('pairs', {
  task: pair({ data: world({ difficulty: 0, train: 4000, validation: 0.2 }), pool: 'mean', ...reads }),
  ...tuning,
  variants: variants((length, model) => ({ optimizer: optimizer(rates.pairs[length][model]) })),
  train: { steps: 300, batch: 32, warmup: 20, evalEvery: 300 },
})

// %% claim
import { claim } from 'mixlab'

const parts = (
  study: typeof pairs,
  expected: 'better' | 'worse' | 'equal',
  figures: string,
  short: number,
  long: number,
) =>
  Object.entries({ short, long }).map(([length, spread]) => ({
    ...{ study, expected, figures, spread },
    of: `model convolution instead of attention at pretraining ${length}`,
  }))

export const claimed = claim({
  paper: 'convolutions',
  where: 'abstract, and an article on gMLP',
  pilot: [1001, 1002],
  minutes: 15,
  parts: [
    ...parts(pretraining, 'equal', 'competitive, no figures', 0.33, 0.124),
    ...parts(sentences, 'better', 'ahead in some tasks, no figures', 0.03, 0.023),
    ...parts(pairs, 'worse', 'behind, no figures', 0.026, 0.24),
  ],
})

// %% [markdown] found
// ## What was found, and why it may be otherwise elsewhere
//
// Convolutions are ahead where a sentence stands alone, and fall behind where two are compared, as the paper has it, after either
// pretraining and on each of eight seeds. On sentences they are better by 17 points after the short pretraining and by 14 after
// the long one; on pairs they are worse by 17 and by 21, with an accuracy of 41%, where chance is a third.
//
// On masked words they are not merely as good. They are ahead by 1.58 nats after 500 steps, where attention knows little more
// than how frequent words are, and by 0.23 after 1,500. The curves have not crossed; attention gained 1.57 nats between the two
// lengths, convolutions 0.22, and the paper trains far longer.
//
// Two blocks with kernels of 7 words see 6 words on either side, so that most words of the second sentence are out of sight of
// those of the first, and the mean over all words is the first place where both are. More blocks, or kernels with gaps, which
// the paper tries too, would reach further; that these would not help is not shown. In texts of this grammar what negates a word
// stands near it, which favours short kernels, and the fine-tuning has 200 and 300 steps, in which attention, late to learn,
// may not show all it can: with 63% on pairs it is far from the end, too. Parameters are equal; the convolutions need 10% fewer
// multiply-adds in pretraining. Whether pretraining helps either was not asked, as there is no variant without it.
