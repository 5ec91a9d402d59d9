// %% [markdown] question
// # Can any of the four do without residual connections?
//
// The [survey](https://arxiv.org/abs/2105.15078) finds residual connections in all of the architectures that it compares,
// and says that they make training stable and play a key role (sections 3.3 and 4; it has no figures for that). Here are
// the blocks of MLP-Mixer, gMLP and ResMLP, and of a Transformer, each as its paper has it and without its shortcuts,
// with 2 blocks and with 8. All else is the same.
//
// The plan. It is asked whether a model without shortcuts is worse at either depth; two comparisons in a study need 7
// seeds. A difference of 5 points is the smallest that matters: the survey itself counts 5 points and more as a gap
// between families. Each model has the learning rate that was best for it by validation with seed 1001, of 7.5e-4 to
// 1.2e-2, with 2 blocks also of 2.4e-2, and of 4.8e-2 for MLP-Mixer alone; the pilot runs also showed the test accuracy of
// their seeds. Rates are chosen for each, for what can be trained at all may want another rate; the spread is that of
// seeds 1001 to 1003.
//
// Press **Run all**, or Shift-Enter in each cell. Then give a block another `join`, e.g. `add` for `residual`, and run
// again: only its variants are trained anew. On the command line: `mixlab run residual.ts`, with `--quick` for a first
// look. About five minutes on two cores; chance is 0.038.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | asked | the paper | here | verdict | plan |
// | --- | --- | --- | --- | --- |
// | mixer: shortcut without instead of with at depth 2 | no figures | 0.882 against 0.889, difference -0.006 (-0.019 to 0.004), 7 seeds | **equal within the margin** | margin 0.05; power 1.00, to be equal 1.00 |
// | mixer: shortcut without instead of with at depth 8 | no figures | 0.732 against 0.895, difference -0.163 (-0.187 to -0.142), 7 seeds | **screening** | margin 0.05; power 0.94, to be equal 0.99 |
// | gmlp: shortcut without instead of with at depth 2 | no figures | 0.885 against 0.840, difference 0.045 (0.025 to 0.058), 7 seeds | **found otherwise** | margin 0.05; power 1.00, to be equal 1.00 |
// | gmlp: shortcut without instead of with at depth 8 | no figures | 0.73 against 0.92, difference -0.19 (-0.27 to -0.15), 7 seeds | **screening** | margin 0.05; power 0.13, to be equal 0.04 |
// | resmlp: shortcut without instead of with at depth 2 | no figures | 0.792 against 0.823, difference -0.031 (-0.056 to -0.002), 7 seeds | **open** | margin 0.05; power 0.53, to be equal 0.64 |
// | resmlp: shortcut without instead of with at depth 8 | no figures | 0.48 against 0.84, difference -0.36 (-0.47 to -0.27), 7 seeds | **screening** | margin 0.05; power 0.20, to be equal 0.11 |
// | vit: shortcut without instead of with at depth 2 | no figures | 0.45 against 0.67, difference -0.23 (-0.27 to -0.17), 7 seeds | **screening** | margin 0.05; power 0.09, to be equal 0.02 |
// | vit: shortcut without instead of with at depth 8 | no figures | 0.04 against 0.38, difference -0.34 (-0.38 to -0.28), 7 seeds | **screening** | margin 0.05; power 0.25, to be equal 0.19 |
//
// | mixer | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | shortcut=with depth=2 | 0.889 ± 0.010 | 7 |  |
// | shortcut=with depth=8 | 0.895 ± 0.021 | 7 |  |
// | shortcut=without depth=2 | 0.882 ± 0.016 | 7 |  |
// | shortcut=without depth=8 | 0.73 ± 0.03 | 7 |  |
//
// - shortcut without instead of with at depth 2: equal within 5 points: -0.6 points, 95% interval -1.9 to 0.4, within it on 7 of 7 seeds
// - shortcut without instead of with at depth 8: worse by 16.3 points, 95% interval 14.2 to 18.7, 7 of 7 seeds
//
// | gmlp | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | shortcut=with depth=2 | 0.840 ± 0.021 | 7 |  |
// | shortcut=with depth=8 | 0.921 ± 0.009 | 7 |  |
// | shortcut=without depth=2 | 0.885 ± 0.010 | 7 |  |
// | shortcut=without depth=8 | 0.73 ± 0.08 | 7 |  |
//
// - shortcut without instead of with at depth 2: better by 4.5 points, 95% interval 2.5 to 5.8, 7 of 7 seeds
// - shortcut without instead of with at depth 8: worse by 18.9 points, 95% interval 14.6 to 26.6, 7 of 7 seeds
//
// | resmlp | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | shortcut=with depth=2 | 0.823 ± 0.023 | 7 |  |
// | shortcut=with depth=8 | 0.84 ± 0.04 | 7 |  |
// | shortcut=without depth=2 | 0.792 ± 0.029 | 7 |  |
// | shortcut=without depth=8 | 0.48 ± 0.12 | 7 |  |
//
// - shortcut without instead of with at depth 2: not better by more than 5 points: -3.1 points, 95% interval -5.6 to -0.2, better on 2 of 7 seeds; about 17 more seeds would settle a difference of this size
// - shortcut without instead of with at depth 8: worse by 36.0 points, 95% interval 27.4 to 46.5, 7 of 7 seeds
//
// | vit | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | shortcut=with depth=2 | 0.67 ± 0.05 | 7 |  |
// | shortcut=with depth=8 | 0.38 ± 0.07 | 7 |  |
// | shortcut=without depth=2 | 0.45 ± 0.05 | 7 |  |
// | shortcut=without depth=8 | 0.0385 ± 0.0005 | 7 |  |
//
// - shortcut without instead of with at depth 2: worse by 22.6 points, 95% interval 16.7 to 27.4, 7 of 7 seeds
// - shortcut without instead of with at depth 8: worse by 33.8 points, 95% interval 27.9 to 37.7, 7 of 7 seeds

// %% joins
import { type BlockWith, residual } from 'mixlab'

/** How the branch of a block goes on: added to its input, or alone. */
const joins = { with: residual, without: (_, branch) => branch } satisfies Record<string, typeof residual>
type Join = typeof residual

// %% frame
import { addPositions, block, dense, layerNorm, mean, mlp, patchEmbed } from 'mixlab'

const frame: Parameters<typeof block>[3] = {
  image: {
    stem: (images, { patch, dim }) => addPositions(patchEmbed(images, patch, dim), 'positions'),
    head: (x, _, classes) => dense(mean(layerNorm(x), 1), classes),
  },
}

/** Tokens are mixed, then channels; x is [batch, tokens, dim], and so is what `mix` returns. */
const former = (
  name: string,
  join: Join,
  mix: BlockWith<object>['run'],
  norm = (x: Parameters<Join>[0]) => layerNorm(x),
) =>
  block(
    name,
    {},
    (x, size) => {
      x = join(x, mix(norm(x), size))
      return join(x, mlp(norm(x), size.ffn))
    },
    frame,
  )

// %% blocks
import { affine, gelu, mul, nearZero, ones, selfAttention, split, tokenDense } from 'mixlab'

const blocks = {
  mixer: (join: Join) =>
    former('mixer', join, (x, { dim }) => {
      const [, tokens = 1] = x.shape
      return tokenDense(gelu(tokenDense(x, { tokens: dim / 2 })), { tokens })
    }),
  gmlp: (join: Join) =>
    block(
      'gmlp',
      {},
      (x, { dim, ffn }) => {
        const [u, v] = split(gelu(dense(layerNorm(x), ffn)), 2)
        const gate = tokenDense(layerNorm(v), { weight: nearZero, bias: ones })
        return join(x, dense(mul(u, gate), dim))
      },
      frame,
    ),
  resmlp: (join: Join) =>
    former(
      'resmlp',
      join,
      (x) => tokenDense(x),
      (x) => affine(x),
    ),
  vit: (join: Join) => former('vit', join, (x) => selfAttention(x, { heads: 4 })),
}

// %% rates
/** The learning rate of each model, with 2 blocks and with 8. */
const rates = {
  mixer: { with: { 2: 2.4e-2, 8: 6e-3 }, without: { 2: 1.2e-2, 8: 3e-3 } },
  gmlp: { with: { 2: 6e-3, 8: 6e-3 }, without: { 2: 1.2e-2, 8: 3e-3 } },
  resmlp: { with: { 2: 1.2e-2, 8: 3e-3 }, without: { 2: 1.2e-2, 8: 3e-3 } },
  vit: { with: { 2: 6e-3, 8: 3e-3 }, without: { 2: 3e-3, 8: 1.5e-3 } },
}

// %% study
import { adamw, ask, compare, factors, glyphs, image } from 'mixlab'

const shortcuts = (name: keyof typeof blocks) =>
  compare(name, {
    task: image({ data: glyphs({ difficulty: 0.1, test: 1024 }) }),
    model: { patch: 7, dim: 48, ffnRatio: 3 },
    variants: factors({ shortcut: ['with', 'without'], depth: [2, 8] }, ({ shortcut, depth }) => ({
      block: blocks[name](joins[shortcut]),
      model: { depth },
      train: { optimizer: adamw({ learningRate: rates[name][shortcut][depth], weightDecay: 0.05 }) },
    })),
    questions: [ask.simple('shortcut', { at: 'depth' })],
    margin: 0.05,
    train: { steps: 200, batch: 64, warmup: 20, evalEvery: 100 },
    seeds: 7,
    quick: { train: { steps: 20 }, seeds: 1 },
  })

export const mixer = shortcuts('mixer')
export const gmlp = shortcuts('gmlp')
export const resmlp = shortcuts('resmlp')
export const vit = shortcuts('vit')

// %% claim
import { claim } from 'mixlab'

/** Without shortcuts each model is worse, at either depth. */
const worse = (study: typeof mixer, ...spreads: [shallow: number, deep: number]) =>
  ([2, 8] as const).map((depth, i) => ({
    study,
    of: `shortcut without instead of with at depth ${depth}`,
    expected: 'worse' as const,
    figures: 'no figures',
    spread: spreads[i] ?? 1,
  }))

export const claimed = claim({
  paper: 'survey',
  where: 'sections 3.3 and 4',
  pilot: [1001, 1002, 1003],
  minutes: 6,
  parts: [
    ...worse(mixer, 0.009, 0.021),
    ...worse(gmlp, 0.007, 0.073),
    ...worse(resmlp, 0.037, 0.061),
    ...worse(vit, 0.088, 0.055),
  ],
})

// %% [markdown] found
// ## What was found, and why it may be otherwise elsewhere
//
// With 8 blocks the survey is right of all four: without residual connections they lose 16 to 36 points, and the
// Transformer does not train at all. With 2 blocks it is right of the Transformer alone. MLP-Mixer does as well without,
// gMLP better, by 4.5 points, and of ResMLP it stays open: it lost 3 points, which
// some 17 more seeds would settle.
//
// What residual connections are good for, that a gradient reaches the first blocks, is hardly a problem of two blocks. A
// block that is added to its input also begins as a small change of it, and in 200 steps it may not get far from that. A
// longer training may turn what is found with 2 blocks; 8 blocks without residual connections might be trained with
// initial values that were made for that.
