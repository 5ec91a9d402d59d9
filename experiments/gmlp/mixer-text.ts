// %% [markdown] question
// # Is MLP-Mixer as good on text as gMLP?
//
// Both mix tokens by matrices alone: MLP-Mixer by an MLP over the tokens that is added, gMLP by one matrix whose result
// multiplies. In a later version of table 3 of [Pay Attention to MLPs](https://arxiv.org/abs/2105.08050) masked language
// modelling ends with a perplexity of 5.34 for MLP-Mixer, with 112 million parameters, and of 4.35 for gMLP, with 102 million.
//
// Here both have two blocks of 32 channels, and parameters equal within 1%, 29,300. They learn the masked words of texts of 32
// tokens, for 400 steps and for 1,200.
//
// The plan. It is asked whether MLP-Mixer is worse by the loss, the logarithm of the perplexity. A difference of 0.04 nats is the
// smallest that matters: 4% of the perplexity, as between the split and the multiplicative gate, the smallest step of the table;
// between these two models it has 0.21. Each has the learning rate that is best for it by validation with seeds 1001 to 1003, of
// six, each twice the one before; 3e-3, 4.8e-2 and 9.6e-2 were added as the best was at an end. The
// spread is that of these seeds, and no test of them was looked at. Three seeds tell it badly, so that the power is told for one and
// a half times as much. One comparison needs 6 seeds; 8 show 0.04 nats with a power of 0.07 after 400 steps, so that large
// differences alone can be shown there, and of 0.84 after 1,200. A first start of the full run was ended after some seconds, before
// a run was done, to try the largest rate; margin and seeds are as they were.
//
// Press **Run all**, or Shift-Enter in each cell. Then give `mixer` another `tokenRatio`, and run again: only that variant is
// trained. On the command line: `mixlab run mixer-text.ts`, with `--quick` for a first look. About six minutes on two cores.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | asked | the paper | here | verdict | plan |
// | --- | --- | --- | --- | --- |
// | 400 steps: mixer | perplexity 5.34 against 4.35, 0.21 nats | 3.93 against 2.40, difference 1.52 (1.41 to 1.69), 8 seeds | **screening** | margin 0.04; power 0.09, to be equal 0.00 |
// | 1200 steps: mixer | perplexity 5.34 against 4.35, 0.21 nats | 2.72 against 1.87, difference 0.86 (0.66 to 1.34), 8 seeds | **found** | margin 0.04; power 0.99, to be equal 1.00 |
//
// | 400 steps | test/loss, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | gmlp | 2.40 ± 0.09 | 8 |  |
// | mixer | 3.93 ± 0.14 | 8 | mixer has a higher loss than gmlp by 1.52, 95% interval 1.41 to 1.69, 8 of 8 seeds; exploratory: tuning was planned otherwise; mixer at lr 0.024, gmlp at lr 0.012, each the best of 0.003, 0.006, 0.012, 0.024, 0.048, 0.096 on validation with seeds 1001 to 1003; tuning took 36 runs, the report 16 |
//
// | 1200 steps | test/loss, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | gmlp | 1.867 ± 0.023 | 8 |  |
// | mixer | 2.72 ± 0.44 | 8 | mixer has a higher loss than gmlp by 0.9, 95% interval 0.7 to 1.3, 8 of 8 seeds; mixer at lr 0.048, gmlp at lr 0.006, each the best of 0.003, 0.006, 0.012, 0.024, 0.048, 0.096 on validation with seeds 1001 to 1003; tuning took 36 runs, the report 16 |

// %% study
import { adamw, compare, gmlp, mixer, mlm, tuned, world } from 'mixlab'

const texts = (steps: number) =>
  compare(`${steps} steps`, {
    task: mlm({ data: world({ difficulty: 0, train: 8000 }), tokens: 32 }),
    model: { dim: 32, depth: 2 },
    variants: { gmlp: gmlp({ ffn: 128 }), mixer: mixer({ ffn: 82 }) },
    tune: tuned({ lr: [3e-3, 6e-3, 1.2e-2, 2.4e-2, 4.8e-2, 9.6e-2] }, ({ lr }) => ({
      train: { optimizer: adamw({ learningRate: lr }) },
    })),
    metric: 'test/loss', // nats: the logarithm of the perplexity
    margin: 0.04,
    train: { steps, batch: 16, evalEvery: 400 },
    seeds: 8,
    quick: { train: { steps: 20 }, seeds: 1 },
  })

// %% short
export const short = texts(400)

// %% long
export const long = texts(1200)

// %% claim
import { claim } from 'mixlab'

const worse = (study: typeof short, spread: number) => ({
  ...{ study, of: 'mixer', figures: 'perplexity 5.34 against 4.35, 0.21 nats', spread },
  expected: 'worse' as const,
})

export const claimed = claim({
  paper: 'gmlp',
  where: 'table 3',
  pilot: [1001, 1002, 1003],
  minutes: 12,
  parts: [worse(short, 0.14), worse(long, 0.021)],
})

// %% [markdown] found
// ## What was found, and why it may be otherwise elsewhere
//
// As in the paper, MLP-Mixer is worse on text: after 1,200 steps by 0.86 nats, a perplexity of 15 against 6.5, on each of eight
// seeds. After 400 steps it is behind by 1.52 nats, on each seed as well; that part stays open, since its first start was planned
// with one learning rate fewer to choose from, and the verdict keeps to the plan. The gap is four times the paper's 0.21 nats.
//
// A short training ranks models by how fast they learn, and the gap shrinks with it: the paper trains for 125,000 steps. Part of it
// is the matrix rather than the gate: here gMLP has the weights of its tokens by distance (gmlp/toeplitz: with a full matrix, as
// MLP-Mixer has, it loses 0.11 nats after 1,200 steps). The seeds of MLP-Mixer differ by 0.44 nats after 1,200 steps,
// where the pilot seeds had 0.02, so that the power was less than was planned.
