// %% [markdown] question
// # What do the scales and shifts of ResMLP cost once it is trained?
//
// In place of norms [ResMLP](https://arxiv.org/abs/2105.03404) has a scale and a shift for each channel, before and after the
// layers of a block. Section 2 says that they cost nothing at inference, since they can be absorbed by the matrices beside
// them; a norm, whose mean and variance change with every image, cannot. The paper has no figures for that.
//
// `mixlab export --fold` writes a trained ResMLP so (*folded*). Before an MLP over the channels, and after it, its matrices absorb all.
// Around the matrix over the patches they do not: that is one for all channels, and what is left is one scale for each channel
// and one shift for each channel of each patch.
//
// The first study folds 3 blocks of 24 channels after a single step of training (*drawn*), when scales are 1 and shifts 0, and
// after 200 steps on letters (*trained*), and reads off how far the largest logit that changed has moved, as a share of the
// standard deviation of all logits. The second takes the time of a forward pass of 16 images through 4 blocks of 48 channels
// with 49 patches: as it is folded, as it is trained, and without any scales and shifts (*bare*). The three have the same
// multiply-adds. It is the best of forty times, which what else a machine does at that moment cannot make
// shorter. Compared is its logarithm, so that a difference of 0.1 is a tenth.
//
// The plan. It is asked whether folding changes the logits of the trained network as little as those of the drawn one, where
// there is nothing to absorb; a thousandth is the smallest difference that matters, which turns no answer but one that was as
// good as undecided. Of time it is asked whether the network is slower before it is folded, and whether the bare one is as
// fast as the folded one; a tenth is the smallest difference that matters. Nothing is chosen, and what models learn in the
// single step of the second study does not matter. In the pilot, with seeds 1001 to 1003, the change of the logits spread
// by less than a millionth, and the differences of time by 0.05. Three seeds tell that badly, so the plan counts with one and
// a half times as much: with 16 seeds a tenth of the time is shown with a power of 0.99. One comparison needs 6
// seeds, and two need 7; the logits have 8.
//
// Press **Run all**, or Shift-Enter in each cell. Then give the models more channels, and run again. On the command line:
// `mixlab run folding.ts`, with `--quick` for a first look. About a minute on two idle cores.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | asked | the paper | here | verdict | plan |
// | --- | --- | --- | --- | --- |
// | same: trained | absorbed, no figures | 0.00000130 against 0.00000065, difference 0.00000065 (0.00000052 to 0.00000096), 8 seeds | **found** | margin 0.001; power 1.00, to be equal 1.00 |
// | timed: unfolded | costs nothing, no figures | 1.82 against 1.68, difference 0.15 (0.04 to 0.32), 16 seeds | **open** | margin 0.1; power 0.99, to be equal 1.00 |
// | timed: bare | costs nothing, no figures | 1.61 against 1.68, difference -0.07 (-0.21 to 0.02), 16 seeds | **open** | margin 0.1; power 0.99, to be equal 1.00 |
//
// | same | readout/logit_change, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | drawn | 0.00000065 ± 0.00000010 | 8 |  |
// | trained | 0.00000130 ± 0.00000028 | 8 | at steps 200 instead of 1 and warmup 20 instead of 0 and evalEvery 200 instead of 1: trained is worse than drawn by 0.000065 points, within the margin of 0.1 points, 95% interval 0.000052 to 0.000096, 8 of 8 seeds |
//
// | timed | readout/log_forward_time, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | folded | 1.68 ± 0.17 | 16 |  |
// | unfolded | 1.82 ± 0.23 | 16 | unfolded is not better than folded by more than 0.1 log ms: +0.15 (lower is better), 95% interval 0.04 to 0.32, better on 2 of 16 seeds; about 28 more seeds would settle a difference of this size |
// | bare | 1.61 ± 0.13 | 16 | bare is not worse than folded by more than 0.1 log ms: -0.07 (lower is better), 95% interval -0.21 to 0.02, better on 13 of 16 seeds; about 89 more seeds would settle a difference of this size |

// %% change
import * as tf from '@tensorflow/tfjs'
import { readout } from 'mixlab'

/** The largest change of a logit by folding, beside the standard deviation of the logits of 128 images. */
const change = readout(
  'logit_change',
  { better: 'lower', unit: 'share', bounds: [0, Infinity], words: 'largest change of a logit' },
  async ({ model, weights, data }) => {
    const named = (name: string) => {
      const found = weights[name]
      if (!found) throw new Error(`there is no weight '${name}'`)
      return found
    }
    /** A scale and a shift at `norm`, absorbed by the layer behind them. */
    const absorbed = (norm: string, layer: string) => ({
      weight: tf.mul(named(`${layer}.weight`), tf.expandDims(named(`${norm}.alpha`), 1)),
      bias: tf.add(named(`${layer}.bias`), tf.dot(named(`${norm}.beta`), named(`${layer}.weight`))),
    })
    /** x [images, patches, dim] through block i, folded. */
    const folded = (x: tf.Tensor, i: number) => {
      const [at, matrix] = [`blocks.${i}`, named(`blocks.${i}.linear_tokens.weight`)]
      const scale = tf.mul(named(`${at}.ls1`), named(`${at}.norm1.alpha`))
      const beta = tf.mul(tf.sum(matrix, 1, true), named(`${at}.norm1.beta`)) // [patches, dim]
      const bias = tf.expandDims(named(`${at}.linear_tokens.bias`), 1)
      const shift = tf.mul(named(`${at}.ls1`), tf.add(bias, beta))
      const mixed = tf.einsum('ij,bjc->bic', matrix, x)
      x = tf.add(x, tf.add(tf.mul(mixed, scale), shift))
      const [fc1, fc2] = [absorbed(`${at}.norm2`, `${at}.mlp_channels.fc1`), `${at}.mlp_channels.fc2`]
      const z = tf.add(tf.einsum('bic,ch->bih', x, fc1.weight), fc1.bias)
      const hidden = tf.mul(z, tf.mul(0.5, tf.add(1, tf.erf(tf.div(z, Math.SQRT2)))))
      const last = tf.mul(named(`${fc2}.weight`), named(`${at}.ls2`))
      const y = tf.einsum('bih,hc->bic', hidden, last)
      return tf.add(x, tf.add(y, tf.mul(named(`${fc2}.bias`), named(`${at}.ls2`))))
    }
    for await (const batch of data.validation(128)) {
      const grid = tf.reshape(batch.input, [-1, 4, 7, 4, 7]) // of 4 x 4 patches
      const patches = tf.reshape(tf.transpose(grid, [0, 1, 3, 2, 4]), [-1, 16, 49])
      let x: tf.Tensor = tf.einsum('bpv,vc->bpc', patches, named('stem.proj.weight'))
      x = tf.add(x, named('stem.proj.bias'))
      for (let i = 0; i < 3; i++) x = folded(x, i)
      const { weight, bias } = absorbed('norm', 'head')
      const logits = model(batch)
      const own = tf.add(tf.matMul(tf.mean(x, 1) as tf.Tensor2D, weight as tf.Tensor2D), bias)
      const spread = tf.sqrt(tf.moments(logits).variance)
      return tf.div(tf.max(tf.abs(tf.sub(own, logits))), spread)
    }
    return Number.NaN
  },
)

// %% same
import { adamw, compare, glyphs, image, resmlp } from 'mixlab'

export const same = compare('same', {
  task: image({ data: glyphs({ difficulty: 0.1, test: 512 }) }),
  block: resmlp,
  model: { patch: 7, dim: 24, depth: 3 },
  variants: { drawn: { train: { steps: 1, warmup: 0, evalEvery: 1 } }, trained: {} },
  train: {
    ...{ steps: 200, batch: 32, warmup: 20, evalEvery: 200 },
    optimizer: adamw({ learningRate: 2e-2, weightDecay: 0.05 }),
  },
  readouts: [change],
  metric: 'readout/logit_change',
  margin: 0.001,
  seeds: 8,
  quick: { train: { steps: 20 }, seeds: 1 },
})

// %% time
/** The logarithm of the milliseconds that a forward pass of 16 images takes, the best of forty. */
const forwardTime = readout(
  'log_forward_time',
  { better: 'lower', unit: 'log ms', words: 'logarithm of the time of a forward pass' },
  async ({ model, data }) => {
    for await (const batch of data.train(16)) {
      let best = Infinity
      for (let i = 0; i < 40; i++) {
        const start = performance.now()
        await model(batch).data()
        best = Math.min(best, performance.now() - start)
      }
      return Math.log(best)
    }
    return Number.NaN
  },
)

// %% timed
import { block, dense, mean, mlp, patchEmbed, residual, resmlpFolded, tokenDense } from 'mixlab'

const bare = block(
  'bare',
  {},
  (x, { ffn }) => {
    x = residual(x, tokenDense(x, { bias: false }))
    return residual(x, mlp(x, ffn))
  },
  {
    image: {
      stem: (images, { patch, dim }) => patchEmbed(images, patch, dim),
      head: (x, _, classes) => dense(mean(x, 1), classes),
    },
  },
)

export const timed = compare('timed', {
  task: image({ data: glyphs({ train: 32, test: 26, validation: 0.5 }) }),
  model: { patch: 4, dim: 48, depth: 4, ffn: 192 },
  variants: { folded: resmlpFolded, unfolded: resmlp, bare },
  train: { steps: 1, batch: 4, evalEvery: 1 },
  readouts: [forwardTime],
  metric: 'readout/log_forward_time',
  margin: 0.1,
  seeds: 16,
  quick: { seeds: 1 },
})

// %% claim
import { claim } from 'mixlab'

const nothing = 'costs nothing, no figures'

export const claimed = claim({
  paper: 'resmlp',
  where: 'section 2',
  pilot: [1001, 1002, 1003],
  minutes: 2,
  parts: [
    { study: same, of: 'trained', expected: 'equal', figures: 'absorbed, no figures', spread: 1e-6 },
    { study: timed, of: 'unfolded', expected: 'worse', figures: nothing, spread: 0.078 },
    { study: timed, of: 'bare', expected: 'equal', figures: nothing, spread: 0.078 },
  ],
})

// %% [markdown] found
// ## What was found, and why it may be otherwise elsewhere
//
// The scales and shifts are absorbed, as the paper says: folding moves no logit by more than a millionth or two of what logits
// spread, after training hardly more than before it, which is rounding.
//
// What that saves stayed open. The network took 0.15 of a logarithm longer before it was folded, about a sixth, and was slower
// on 14 of 16 seeds; without any scales and shifts it was faster than folded by 0.07, on 13 of 16. The machine was busy with
// much else, and a few pairs of times lie so far apart that seeds spread several times as much as in the pilot, and neither is
// shown. What the folded network still has, a scale for each channel and a shift for each channel and patch, is two passes over
// the values of a block, where the unfolded one has seven. Such passes count for less the wider the network is, for the
// multiply-adds, of which all three have the same number, grow with the square of the width. The same study on a quiet machine
// would decide both.
