// %% [markdown] question
// # From how many tokens on is external attention the cheaper one?
//
// Self-attention compares every token to every other one, [external attention](https://arxiv.org/abs/2105.02358) each token to
// a memory of S rows: so section 3, its cost is linear in the tokens, that of self-attention quadratic. The authors' code for
// classification also makes the heads four times as wide together as the model, of which the paper does not speak, and that
// costs more than it saves where tokens are few. Here are blocks of self-attention, of external attention with one head, and
// of that code.
//
// Images of 32 and of 96 pixels in patches of 4 are 64 and 576 tokens. Counted are the multiply-adds of a forward pass for
// each token: they stay the same where all are linear in the tokens.
//
// The plan. Multiply-adds are counted: they do not depend on the seed, and the spread is 0. The smallest difference that
// matters is 1,000 for a token, 3% of the 34 thousand that self-attention and what is around it spend on one of 64. It is
// asked whether each costs more for a token where there are more of them, and at either number of tokens which is the cheaper
// one. These seven comparisons need 9 seeds. Nothing is chosen, and what models learn in one step does not matter.
//
// Press **Run all**, or Shift-Enter in each cell. Then give a model other `slots`, and run again. On the command line:
// `mixlab run cost.ts`, with `--quick` for a first look. About a minute on two idle cores.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | asked | the paper | here | verdict | plan |
// | --- | --- | --- | --- | --- |
// | counted: tokens 576 instead of 64 at model self | external attention linear, self-attention quadratic | 99840.56 against 34309.00, difference 65531.56, 9 seeds | **found** | margin 1000; power 1.00, to be equal 1.00 |
// | counted: tokens 576 instead of 64 at model external | external attention linear, self-attention quadratic | 26112.56 against 26117.00, difference -4.44, 9 seeds | **found** | margin 1000; power 1.00, to be equal 1.00 |
// | counted: tokens 576 instead of 64 at model wide | external attention linear, self-attention quadratic | 67072.56 against 67077.00, difference -4.44, 9 seeds | **found** | margin 1000; power 1.00, to be equal 1.00 |
// | counted: model external instead of self at tokens 64 | cheaper | 26117.00 against 34309.00, difference -8192.00, 9 seeds | **found** | margin 1000; power 1.00, to be equal 1.00 |
// | counted: model external instead of self at tokens 576 | cheaper | 26112.56 against 99840.56, difference -73728.00, 9 seeds | **found** | margin 1000; power 1.00, to be equal 1.00 |
// | counted: model wide instead of self at tokens 64 | the code: dearer where tokens are few | 67077.00 against 34309.00, difference 32768.00, 9 seeds | **found** | margin 1000; power 1.00, to be equal 1.00 |
// | counted: model wide instead of self at tokens 576 | cheaper | 67072.56 against 99840.56, difference -32768.00, 9 seeds | **found** | margin 1000; power 1.00, to be equal 1.00 |
//
// | counted | readout/macs_per_token, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | tokens=64 model=self | 34309.00 ± 0.00 | 9 |  |
// | tokens=64 model=external | 26117.00 ± 0.00 | 9 |  |
// | tokens=64 model=wide | 67077.00 ± 0.00 | 9 |  |
// | tokens=576 model=self | 99840.56 ± 0.00 | 9 |  |
// | tokens=576 model=external | 26112.56 ± 0.00 | 9 |  |
// | tokens=576 model=wide | 67072.56 ± 0.00 | 9 |  |
//
// - tokens 576 instead of 64 at model self: worse by 65532 (higher), 9 of 9 seeds
// - tokens 576 instead of 64 at model external: better by 4 (lower), within the margin of 1000 macs, 9 of 9 seeds
// - tokens 576 instead of 64 at model wide: better by 4 (lower), within the margin of 1000 macs, 9 of 9 seeds
// - model external instead of self at tokens 64: better by 8192 (lower), 9 of 9 seeds
// - model wide instead of self at tokens 64: worse by 32768 (higher), 9 of 9 seeds
// - model external instead of self at tokens 576: better by 73728 (lower), 9 of 9 seeds
// - model wide instead of self at tokens 576: better by 32768 (lower), 9 of 9 seeds

// %% models
import { block, externalAttention, layerNorm, mlp, multiHeadExternalAttention, residual, selfAttention } from 'mixlab'

const around = (name: string, attend: typeof selfAttention) =>
  block(name, {}, (x, { ffn }) => {
    x = residual(x, attend(layerNorm(x)))
    return residual(x, mlp(layerNorm(x), ffn))
  })

const models = {
  self: around('self', (x) => selfAttention(x, { heads: 4 })),
  external: around('external', (x) => externalAttention(x, { slots: 64 })),
  wide: around('wide', (x) => multiHeadExternalAttention(x, { heads: 4, widen: 4, slots: 64 })),
}

// %% read-out
import { readout } from 'mixlab'

const patch = 4

const perToken = readout(
  'macs_per_token',
  { better: 'lower', unit: 'macs', bounds: [0, Infinity], words: 'multiply-adds per token' },
  async ({ cost, data }) => {
    const { macs } = await cost()
    for await (const { input } of data.train(1)) {
      const [, height = 1, width = 1] = input.shape
      return macs / ((height / patch) * (width / patch))
    }
    return macs
  },
)

// %% study
import { ask, compare, factors, image, shapes } from 'mixlab'

const imagesOf = (tokens: number) =>
  image({ data: shapes({ size: patch * Math.sqrt(tokens), train: 16, test: 8, validation: 0.5 }) })

export const counted = compare('counted', {
  task: imagesOf(64),
  model: { patch, dim: 32, depth: 2 },
  variants: factors({ tokens: [64, 576], model: models }, ({ tokens, model }) => ({
    block: model,
    task: imagesOf(tokens),
  })),
  train: { steps: 1, batch: 4, evalEvery: 1 },
  seeds: 9,
  quick: { seeds: 1 },
  readouts: [perToken],
  metric: 'readout/macs_per_token',
  questions: [ask.simple('tokens', { at: 'model' }), ask.simple('model', { at: 'tokens' })],
  margin: 1000,
})

// %% claim
import { claim } from 'mixlab'

const grows = (model: string, expected: 'equal' | 'worse') => ({
  ...{ study: counted, of: `tokens 576 instead of 64 at model ${model}`, expected, spread: 0 },
  figures: 'external attention linear, self-attention quadratic',
})
const costs = (model: string, tokens: number, expected: 'better' | 'worse', figures: string) => ({
  ...{ study: counted, of: `model ${model} instead of self at tokens ${tokens}`, expected, figures, spread: 0 },
})

export const claimed = claim({
  paper: 'external',
  where: 'section 3, and the code of the authors',
  pilot: [1001, 1002, 1003],
  minutes: 2,
  parts: [
    grows('self', 'worse'),
    grows('external', 'equal'),
    grows('wide', 'equal'),
    costs('external', 64, 'better', 'cheaper'),
    costs('external', 576, 'better', 'cheaper'),
    costs('wide', 64, 'worse', 'the code: dearer where tokens are few'),
    costs('wide', 576, 'better', 'cheaper'),
  ],
})

// %% [markdown] found
// ## What was found, and why it may be otherwise elsewhere
//
// As the paper says: what external attention spends on a token does not depend on how many there are, and self-attention
// spends nearly three times as much on one of 576 as on one of 64. As in the paper, external attention with one head is the
// cheaper one at either number of tokens. As the authors' code has it, with heads that are four times as wide together as the
// model, it costs twice as much as self-attention at 64 tokens, and two thirds of it at 576: self-attention grows by 128
// multiply-adds a token, so that the two meet at 320 tokens, which is more than the 196 of an ImageNet picture in patches of 16.
//
// Where they meet depends on the sizes alone: here the model has 32 channels and the memory 64 rows. In a wider model the
// products over channels, which are linear in all three, are more of the work, and they meet later. Counts are no times:
// products of small matrices take longer than their multiply-adds say.
