// %% [markdown] question
// # Does a point need its neighbours?
//
// PointNet ([Qi et al. 2017](https://arxiv.org/abs/1612.00593)) looks at each point of a cloud alone and joins them at the
// end. Two ways to let points know of each other before that, at the same place of the same block:
//
// - a learned memory that all points ask, which needs no order: external attention
//   ([Guo et al. 2021](https://arxiv.org/abs/2105.02358)), in the point cloud network of
//   [PCT](https://arxiv.org/abs/2012.09688);
// - the gate of gMLP ([Liu et al. 2021](https://arxiv.org/abs/2105.08050)), with weights that depend on how far two points
//   are apart in the sequence. It lives on the order: along a Hilbert curve points near in the sequence are near in space.
//   `unordered` takes the curve away.
//
// Press **Run all**, or Shift-Enter in each cell. Then change `memory` or `curve` and run again: only that variant is
// trained anew. On the command line: `mixlab run solids.ts`, with `--quick` for a first look.
//
// About four minutes on two idle cores. Logistic regression on hand-made features has 0.769. The learning rate, of 2.5e-3,
// 5e-3, 1e-2 and 2e-2, was chosen by validation, with a seed that is none of these.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | Does a point need its neighbours? | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | alone | 0.7578 ± 0.0029 | 3 |  |
// | memory | 0.862 ± 0.020 | 3 | too few seeds to tell memory from alone: +10.4 points, better on 3 of 3 seeds; about 4 more seeds would settle a difference of this size |
// | curve | 0.795 ± 0.027 | 3 | too few seeds to tell curve from alone: +3.7 points, better on 3 of 3 seeds; about 15 more seeds would settle a difference of this size |
// | unordered | 0.753 ± 0.021 | 3 | without order hilbert: too few seeds to tell unordered from alone: -0.5 points, better on 1 of 3 seeds; more than 100 more seeds are needed to settle a difference of this size |

// %% frame
import {
  type BlockWith,
  batchNorm,
  block,
  concat,
  dense,
  externalAttention,
  gelu,
  layerNorm,
  max,
  mean,
  mul,
  nearZero,
  ones,
  relu,
  residual,
  tokenDense,
} from 'mixlab'

// What all variants share: x is [batch, points, dim], and `mix` is the only place where points may meet before the end.
const cloud = (name: string, mix: BlockWith<object>['run']) =>
  block(name, {}, (x, size) => residual(x, relu(batchNorm(dense(mix(x, size), size.dim)))), {
    features: {
      // with the squares of the coordinates distances are one layer away
      stem: (points, { dim }) => dense(gelu(dense(concat([points, mul(points, points)], -1), dim)), dim),
      head: (x, { dim }, classes) => {
        const y = layerNorm(x)
        return dense(gelu(dense(concat([max(y, 1), mean(y, 1)], -1), dim)), classes)
      },
    },
  })

// %% alone
export const alone = cloud('alone', (x) => x)

// %% memory
export const memory = cloud('memory', (x) => externalAttention(x, { slots: 32 }))

// %% curve
export const curve = cloud('curve', (x) =>
  mul(x, tokenDense(layerNorm(x), { weight: nearZero, bias: ones, structure: 'toeplitz' })),
)

// %% study
import { adamw, compare, points, solids } from 'mixlab'

const data = solids({ difficulty: 0.25, train: 8192 })

export const neighbours = compare('Does a point need its neighbours?', {
  task: points({ data, order: 'hilbert' }),
  model: { dim: 48, depth: 3 },
  variants: { alone, memory, curve, unordered: { block: curve, task: points({ data, order: 'none' }) } },
  train: { steps: 800, batch: 32, evalEvery: 200, optimizer: adamw({ learningRate: 1e-2 }) },
  seeds: 3,
  quick: { seeds: 1 },
})
