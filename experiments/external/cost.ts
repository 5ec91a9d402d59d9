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
// Press **Run all**, or Shift-Enter in each cell. Then give a model other `slots`, and run again. On the command line: `mixlab
// run cost.ts`, with `--quick` for a first look. About a minute on two idle cores.

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
