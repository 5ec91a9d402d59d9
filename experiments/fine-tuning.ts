// %% [markdown] question
// # Does pretraining pay?
//
// [BERT](https://arxiv.org/abs/1810.04805) first learns to tell masked words of plain text, then a task with few
// examples. [Pay Attention to MLPs](https://arxiv.org/abs/2105.08050), sections 4.3 and 4.4, does the same with gMLP
// and with aMLP, which has a tiny attention besides: comparing two sentences is where attention helps most. Here: does
// a hypothesis follow from a premise, contradict it, or neither, with 1,000 pairs to learn from? A part of the text
// for the pretraining is statements and, after "so", what follows from them; it has no labels.
//
// Press **Run all**, or Shift-Enter in each cell. The last study starts each run from the weights of its variant and
// seed in the first one; else it is the one from scratch. Then change the number of pairs: the pretraining is not done
// again.
//
// On the command line: `mixlab run fine-tuning.ts`, with `--quick` for a first look. About five minutes on two cores;
// chance is 0.333. The learning rate of the pairs, of 1e-3, 2e-3 and 4e-3, was chosen by validation, with a seed that is
// none of these. Much of what BERT gains may be an easier start, not knowledge of the text.

// %% [markdown] expected
// Expected, on simd with numerics 4:
//
// | pretraining | test/perplexity, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | amlp | 4.70 ± 0.44 | 6 |  |
// | bert | 6.79 ± 1.13 | 6 | bert is worse than amlp by 2.1 (higher), 95% interval 1.3 to 3.0, 6 of 6 seeds |
//
// | scratch | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | amlp | 0.520 ± 0.020 | 6 |  |
// | bert | 0.435 ± 0.027 | 6 | bert is less accurate than amlp by 8.6 points, 95% interval 6.3 to 11.4, 6 of 6 seeds |
//
// | fine-tuning | test/accuracy, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | amlp | 0.601 ± 0.020 | 6 |  |
// | bert | 0.62 ± 0.05 | 6 | bert is not shown to differ from amlp: +1.7 points, 95% interval -3.7 to 4.9, better on 4 of 6 seeds; more than 100 more seeds are needed to settle a difference of this size |

// %% pretraining
import { adamw, amlp, bert, compare, mlm, world } from 'mixlab'

const text = world({ difficulty: 0, train: 8000 })

// What the mlm task and the pair task have to have in common, so that the weights fit.
export const reads = { tokens: 32, tokenizer: { corpus: text } }
export const common = {
  model: { dim: 64, depth: 2 },
  variants: { amlp: amlp({ ffn: 192, attention: 32 }), bert: bert({ ffn: 128, heads: 4, positions: 32 }) },
  seeds: 6,
}

export const pretraining = compare('pretraining', {
  task: mlm({ data: text, ...reads }),
  ...common,
  train: { steps: 1200, batch: 64, optimizer: adamw({ learningRate: 3e-3 }), evalEvery: 300 },
  quick: { train: { steps: 500 }, seeds: 2 },
})

// %% pairs
import { pair } from 'mixlab'

// All that both studies below share; they differ in `from` alone.
export const pairs = {
  task: pair({ data: world({ difficulty: 0, train: 1000 }), pool: 'mean', ...reads }),
  ...common,
  train: { steps: 300, batch: 32, optimizer: adamw({ learningRate: 2e-3 }), evalEvery: 100 },
  quick: { train: { steps: 150 }, seeds: 2 },
}

// %% scratch
export const scratch = compare('scratch', pairs)

// %% fineTuning
export const fineTuning = compare('fine-tuning', { ...pairs, from: pretraining })
