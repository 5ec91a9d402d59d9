// %% [markdown] question
// # Does MLP-Mixer cost each patch the same, however many there are?
//
// The hidden width of the token MLP of [MLP-Mixer](https://arxiv.org/abs/2105.01601) does not depend on the number of patches,
// so the whole network costs so much for each patch: linear in their number, where a Transformer is quadratic (section 2).
// The paper has no figures for it. The gate of gMLP has a matrix of tokens by tokens, which makes it quadratic, too.
//
// Images of 32 and of 128 pixels in patches of 4 are 64 and 1,024 tokens. The first study counts the multiply-adds of a forward
// pass for each token, which stay the same where all are linear in the tokens. The second measures how the time of a training
// step grows, as a power of the tokens.
//
// The plan. Multiply-adds are counted: they do not depend on the seed, and the spread is 0. The smallest difference that matters
// is 1,000 for a token, a twentieth of the 20 thousand that a Mixer of this size spends on one. Of time it is asked whether the
// power of gMLP and of the Transformer is larger than that of MLP-Mixer; a difference of 0.33, a third of the way from linear to
// quadratic, is the smallest that matters, for products over the channels, which are linear in all of them, are most of the
// work where tokens are few. The spread is that of seeds 1001 to 1003, on a machine that was busy with much else. Three
// comparisons need 7 seeds, which show such a difference with a power of 0.58 for gMLP and of 0.79 for the Transformer. Nothing
// is chosen, and what models learn in a step or two does not matter. In a first full run the second study took the runs of the
// first one, so that its verdicts, for gMLP and the Transformer, were exploratory, and both parts stayed open. Now it has runs
// of its own, of two steps; nothing else was changed.
//
// Press **Run all**, or Shift-Enter in each cell. Then put a block of yours among the models, and run again. On the command
// line: `mixlab run linear-cost.ts`, with `--quick` for a first look. About two minutes on two idle cores.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | asked | the paper | here | verdict | plan |
// | --- | --- | --- | --- | --- |
// | counted: tokens 1024 instead of 64 at model mixer | linear in patches, a Transformer quadratic | 19968.31 against 19973.00, difference -4.69, 7 seeds | **found** | margin 1000; power 1.00, to be equal 1.00 |
// | counted: tokens 1024 instead of 64 at model gmlp | linear in patches, a Transformer quadratic | 216576.31 against 32261.00, difference 184315.31, 7 seeds | **found** | margin 1000; power 1.00, to be equal 1.00 |
// | counted: tokens 1024 instead of 64 at model vit | linear in patches, a Transformer quadratic | 157464.44 against 34951.00, difference 122513.44, 7 seeds | **found** | margin 1000; power 1.00, to be equal 1.00 |
// | timed: model gmlp instead of mixer, along tokens | linear in patches, a Transformer quadratic | difference 0.62 (0.54 to 0.78), 7 seeds | **found** | margin 0.33; power 0.58, to be equal 0.72 |
// | timed: model vit instead of mixer, along tokens | linear in patches, a Transformer quadratic | difference 0.69 (0.61 to 0.75), 7 seeds | **found** | margin 0.33; power 0.79, to be equal 0.94 |
//
// | counted | readout/macs_per_token, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | tokens=64 model=mixer | 19973.00 ± 0.00 | 7 |  |
// | tokens=64 model=gmlp | 32261.00 ± 0.00 | 7 |  |
// | tokens=64 model=vit | 34951.00 ± 0.00 | 7 |  |
// | tokens=1024 model=mixer | 19968.31 ± 0.00 | 7 |  |
// | tokens=1024 model=gmlp | 216576.31 ± 0.00 | 7 |  |
// | tokens=1024 model=vit | 157464.44 ± 0.00 | 7 |  |
//
// - tokens 1024 instead of 64 at model mixer: better by 5 (lower), within the margin of 1000 macs, 7 of 7 seeds
// - tokens 1024 instead of 64 at model gmlp: worse by 184315 (higher), 7 of 7 seeds
// - tokens 1024 instead of 64 at model vit: worse by 122513 (higher), 7 of 7 seeds
//
// | timed | readout/step_time, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | tokens=64 model=mixer | 25.27 ± 20.92 | 7 |  |
// | tokens=64 model=gmlp | 28.13 ± 15.57 | 7 |  |
// | tokens=64 model=vit | 17.79 ± 7.48 | 7 |  |
// | tokens=1024 model=mixer | 123.11 ± 78.97 | 7 |  |
// | tokens=1024 model=gmlp | 1012.22 ± 955.67 | 7 |  |
// | tokens=1024 model=vit | 739.76 ± 604.99 | 7 |  |
//
// - model gmlp instead of mixer, along tokens: the exponent is larger by 0.62, 95% interval 0.54 to 0.78, 7 of 7 seeds
// - model vit instead of mixer, along tokens: the exponent is larger by 0.69, 95% interval 0.61 to 0.75, 7 of 7 seeds

// %% models
import { gmlp, mixer, vit } from 'mixlab'

const models = { mixer, gmlp, vit }

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

// %% studies
import { ask, compare, factors, image, readouts, shapes } from 'mixlab'

const imagesOf = (tokens: number) =>
  image({ data: shapes({ size: patch * Math.sqrt(tokens), train: 16, test: 8, validation: 0.5 }) })

const sized = {
  task: imagesOf(64),
  model: { patch, dim: 32, depth: 2 },
  variants: factors({ tokens: [64, 1024], model: models }, ({ tokens, model }) => ({
    block: model,
    task: imagesOf(tokens),
  })),
  train: { steps: 1, batch: 4, evalEvery: 1 },
  seeds: 7,
  quick: { seeds: 1 },
}

export const counted = compare('counted', {
  ...sized,
  readouts: [perToken],
  metric: 'readout/macs_per_token',
  questions: [ask.simple('tokens', { at: 'model' })],
  margin: 1000,
})

export const timed = compare('timed', {
  ...sized,
  train: { ...sized.train, steps: 2 },
  readouts: [readouts.stepTime()],
  metric: 'readout/step_time',
  questions: [ask.powerLaw('tokens', { by: 'model' })],
  margin: 0.33,
})

// %% claim
import { claim } from 'mixlab'

const figures = 'linear in patches, a Transformer quadratic'
const macs = (model: string, expected: 'equal' | 'worse') => ({
  ...{ study: counted, of: `tokens 1024 instead of 64 at model ${model}`, expected, figures, spread: 0 },
})
const time = (model: string, spread: number) => ({
  ...{ study: timed, of: `model ${model} instead of mixer, along tokens`, expected: 'more' as const, figures, spread },
})

export const claimed = claim({
  paper: 'mixer',
  where: 'section 2',
  pilot: [1001, 1002, 1003],
  minutes: 8,
  parts: [macs('mixer', 'equal'), macs('gmlp', 'worse'), macs('vit', 'worse'), time('gmlp', 0.23), time('vit', 0.18)],
})

// %% [markdown] found
// ## What was found, and why it may be otherwise elsewhere
//
// As the paper says: a token costs MLP-Mixer 20 thousand multiply-adds whether there are 64 or 1,024 of them. With 1,024 it
// costs the Transformer four and a half times as much as with 64, and gMLP nearly seven times: its matrix between tokens
// reads half of a layer that is six times as wide as the model, and attention two products as wide as the model itself.
//
// The time of a step grows with a power of the tokens that is larger than that of MLP-Mixer by 0.62 for gMLP and by 0.69 for
// the Transformer. In the first full run these two were 0.68 (0.52 to 0.79) and 0.70 (0.55 to 0.86) and stayed open, since the
// study took the runs of the one that counts. Not a whole power, for up to 1,024 tokens the products over channels, which are
// linear in all three, are a good part of the work, and so is what a step costs whatever its size. The machine was busy with
// much else: single times spread by more than half of their mean, and of the exponents only the difference was asked.
