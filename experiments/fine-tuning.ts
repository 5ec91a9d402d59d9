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
// On the command line: `mixlab run fine-tuning.ts`, with `--quick` for a first look. Expected: about these test
// accuracies over 6 seeds (mean ± standard deviation), where chance is 0.333. They were measured before validation
// examples were kept apart, with the last weights, not those that validation chooses:
//
// | | from scratch | fine-tuned | difference, ± standard error |
// |---|---|---|---|
// | aMLP | 0.543 ± 0.032 | 0.599 ± 0.025 | 0.056 ± 0.012 |
// | BERT | 0.434 ± 0.021 | 0.645 ± 0.036 | 0.210 ± 0.010 |
//
// Each of the twelve runs is better fine-tuned than from scratch. But much of what BERT gains may be an easier start,
// not knowledge of the text: with `--quick` it comes to about 0.61, too, from a pretraining that stops at a perplexity
// of 68. About five minutes on two cores.

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
