// %% [markdown] question
// # Must a patch know its surroundings?
//
// Which pixels are a disc, a square, a triangle, a cross, and which the ground? A patch of 4 x 4 pixels sees a piece of an
// edge: whether it is that of a disc or of a square, the other patches know. In the words of
// [MLP-Mixer](https://arxiv.org/abs/2105.01601) each block mixes channels, and then, or not, tokens. Each token says the
// classes of the pixels of its patch:
//
// - `alone`: nothing is mixed, each patch goes through its own feed-forward layers;
// - `mixer`: an MLP over the tokens, the same for all channels;
// - `gmlp`: a gate over the tokens ([Pay Attention to MLPs](https://arxiv.org/abs/2105.08050)).
//
// Press **Run all**, or Shift-Enter in each cell. The page of a run shows its scenes with what it took for what, and takes
// a picture of yours under *Try it*. On the command line: `mixlab run scenes.ts`, with `--quick` for a first look.
//
// About two minutes on two cores. All have the same recipe and two seeds: a look at what mixing does, no ranking.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | Must a patch know its surroundings? | test/iou, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | alone | 0.2359 ± 0.0004 | 2 |  |
// | mixer | 0.281 ± 0.009 | 2 | too few seeds to tell mixer from alone: +4.5 points, better on 2 of 2 seeds; at least 5 more seeds are needed |
// | gmlp | 0.2818 ± 0.0013 | 2 | too few seeds to tell gmlp from alone: +4.59 points, better on 2 of 2 seeds; at least 5 more seeds are needed |

// %% alone
import { block, dense, gelu, layerNorm, residual } from 'mixlab'

// Each patch by itself. x is [batch, tokens, dim].
export const alone = block('alone', (x, { dim, ffn }) => residual(x, dense(gelu(dense(layerNorm(x), ffn)), dim)))

// %% study
import { adamw, compare, gmlp, mixer, scenes, segment } from 'mixlab'

export const surroundings = compare('Must a patch know its surroundings?', {
  task: segment({ data: scenes({ size: 32, train: 2048, test: 512 }) }),
  model: { patch: 4, dim: 48, depth: 2, ffnRatio: 2 },
  variants: { alone, mixer: mixer(), gmlp: gmlp() },
  train: { steps: 500, batch: 32, optimizer: adamw({ learningRate: 4e-3 }), evalEvery: 250 },
  seeds: 2,
  quick: { train: { steps: 100, evalEvery: 50 }, seeds: 1 },
})
