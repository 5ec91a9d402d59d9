import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { sequentialBatches, shuffledBatches } from '../data/dataLoader.ts'
import { digest } from '../data/digest.ts'
import { excerpts } from '../data/excerpts.ts'
import { corpora } from '../data/text/index.ts'
import { SPECIAL } from '../data/tokenizers/types.ts'
import type { DataSpec } from '../data/types.ts'
import { MixlabError } from '../errors.ts'
import { maskedTokens, perplexity, topK } from '../evaluate/index.ts'
import { maskedOutcomes } from '../evaluate/outcomes/maskedOutcomes.ts'
import { assemble } from '../nn/frame.ts'
import { maskedCrossEntropy } from '../nn/losses.ts'
import { copyOf, parseOptions } from '../options.ts'
import { type Key, keyOf } from '../random.ts'
import { evaluated } from './evaluated.ts'
import { singleExamples } from './examples.ts'
import { supervised } from './supervised.ts'
import { augmentedTokens } from './text/augmentedTokens.ts'
import { type MaskOptions, maskedCount, maskTokens } from './text/masking.ts'
import { preparationOf } from './textInput.ts'
import { bytesPerToken, openTokenizer, resolveTokenizer, type TaskTokenizer, textsOf } from './tokenizer.ts'
import type { Task, TaskKind, TaskSpec, TrainBatchOptions } from './types.ts'

/** Raised whenever the same options give other batches. */
const VERSION = 1
/** Added to the number of masked tokens, as in BERT. */
const EPSILON = 1e-5

const schema = z.strictObject({
  data: z.unknown(), // checked by the table
  tokens: z.int().min(4).max(8192).default(64),
  tokenizer: z.unknown().optional(), // checked by resolveTokenizer
  mask: z.number().gt(0).lt(1).default(0.15),
})

type Options = z.output<typeof schema> & { data: DataSpec; tokenizer: ReturnType<typeof resolveTokenizer> }

export interface MlmOptions {
  data: string | DataSpec
  /** Length of the texts, with [CLS] in front and [SEP] at the end; 64 by default. */
  tokens?: number
  /** 1000 words in lower case, learned from the training text, by default. */
  tokenizer?: TaskTokenizer
  /** The share of tokens that the model is asked for; 0.15 by default. */
  mask?: number
}

/**
 * Masked language modelling by the protocol of BERT, without segments: cross entropy at the masked tokens;
 * `test/perplexity` and `test/accuracy`. Of what is evaluated they are the same at each step and for all variants. A token of the text that is not in the vocabulary counts as [UNK], which can be masked as any other.
 */
export function mlm(options: MlmOptions): TaskSpec {
  return { kind: 'task', task: 'mlm', options: copyOf({ ...options }) }
}

const model: TaskKind['model'] =
  ({ vocabulary = 0 }) =>
  (block, size) =>
    assemble(block, size, 'text', { inputs: vocabulary, outputs: vocabulary })

function extras({ tokens, mask }: Pick<Options, 'tokens' | 'mask'>): NonNullable<Task['extras']> {
  return { mask: { shape: [1, tokens] }, positions: { shape: [1, maskedCount(tokens, mask)], dtype: 'int32' } }
}

export const mlmKind: TaskKind = {
  model,
  extras: (options) => extras(options as Options),
  resolve: (given) => {
    const options = parseOptions(schema, given, 'task')
    const tokenizer = resolveTokenizer(options.tokenizer)
    return { ...options, data: corpora.resolve(options.data as DataSpec | string), tokenizer }
  },
  open: async (given, files, saved) => {
    const { data, tokens, tokenizer: how, mask } = given as Options
    const corpus = await corpora.open(data, files)
    const tokenizer = await openTokenizer(how, () => textsOf(corpus.train), files, saved)
    const length = await bytesPerToken(corpus.train, tokenizer)
    const stride = Math.ceil((tokens - 2) * length)
    const split = (role: 'train' | 'validation' | 'test') => {
      const { bytes } = corpus[role]
      if (bytes >= stride) return excerpts(corpus[role], tokenizer, tokens - 2, stride)
      const most = Math.floor(bytes / length) + 2
      const what = `${tokens}, expected at most about ${most}: the ${role} text is short`
      throw new MixlabError('option', 'task.tokens', what)
    }
    const train = split('train')
    const held = { train, validation: split('validation'), test: split('test') }
    const form = { tokens, share: mask, vocabulary: tokenizer.size }
    const places = maskedCount(tokens, mask)
    const examples = {
      warnings: corpus.warnings,
      hash: digest(JSON.stringify(['mlm', VERSION, corpus.hash, tokens, mask, tokenizer.save()])),
      fields: {
        input: { shape: [tokens], dtype: 'int32' },
        mask: { shape: [tokens], dtype: 'float32' },
        positions: { shape: [places], dtype: 'int32' },
        weights: { shape: [places], dtype: 'float32' },
        hidden: { shape: [places], dtype: 'int32' },
      },
      train: (batch: number, seed: number, from: number, options?: TrainBatchOptions) => {
        const source = shuffledBatches(train, { batch, seed }, from)
        const masked = onDevice(source, form, from * batch, (i) => keyOf(seed, `mask/${i}`))
        return augmentedTokens(masked, { ...options, tokenizer, seed, from })
      },
      evaluated: (split: string, batch: number, examples?: number) =>
        onDevice(sequentialBatches(evaluated(held, split, examples), batch), form, 0, (i) =>
          keyOf(0, `${split}/mask/${i}`),
        ),
      ...singleExamples(held, (source, split, indices) =>
        onDevice(source, form, 0, (row) => keyOf(0, `${split}/mask/${indices[row]}`)),
      ),
      preparation: preparationOf(tokens, '[CLS] text [SEP]', null),
      files: { 'tokenizer.json': tokenizer.save() },
    } as const
    return supervised(examples, {
      from: 'input',
      to: 'hidden',
      metric: 'test/perplexity',
      input: { shape: [1, tokens], dtype: 'int32' },
      extras: extras({ tokens, mask }),
      model: model({ vocabulary: tokenizer.size }),
      predict: (model, { input, mask, positions }, mode) =>
        model.apply(input, mode, { mask: mask as tf.Tensor, positions: positions as tf.Tensor }),
      loss: (logits, { target, weights }) =>
        maskedCrossEntropy(logits, target as tf.Tensor, weights as tf.Tensor, EPSILON),
      evaluators: () => [perplexity(), topK('accuracy', 1)],
      report: () => maskedTokens(tokens, tokenizer.textOf),
      outcomes: () => maskedOutcomes({ tokens, places, textOf: tokenizer.textOf }),
    })
  },
}

/** What all batches have in common: `tokens` ids of each text, and the positions that the model predicts in a text of that length. */
type Form = MaskOptions & { tokens: number }

/**
 * Batches as tensors. `input`, int32, and `mask`, 0 where a text has ended, are `[batch, tokens]`; `positions` and
 * `hidden`, int32, and `weights`, 0 where a place is not used, are `[batch, places]`. The first example is number
 * `from`; `drawsOf` names the draws of each number.
 */
async function* onDevice(
  source: AsyncGenerator<Int32Array[]>,
  form: Form,
  from: number,
  drawsOf: (i: number) => Key,
): AsyncGenerator<tf.NamedTensorMap> {
  const { tokens } = form
  const places = maskedCount(tokens, form.share)
  let number = from
  for await (const texts of source) {
    const rows = texts.length
    const input = new Int32Array(rows * tokens).fill(SPECIAL.pad)
    const mask = new Float32Array(rows * tokens)
    const positions = new Int32Array(rows * places)
    const hidden = new Int32Array(rows * places)
    const weights = new Float32Array(rows * places)
    for (const [row, text] of texts.entries()) {
      const masked = maskTokens(Int32Array.of(SPECIAL.first, ...text, SPECIAL.separator), form, drawsOf(number + row))
      input.set(masked.ids, row * tokens)
      mask.fill(1, row * tokens, row * tokens + masked.ids.length)
      positions.set(masked.positions, row * places)
      hidden.set(masked.targets, row * places)
      weights.fill(1, row * places, row * places + masked.positions.length)
    }
    number += rows
    yield {
      input: tf.tensor2d(input, [rows, tokens], 'int32'),
      mask: tf.tensor2d(mask, [rows, tokens]),
      positions: tf.tensor2d(positions, [rows, places], 'int32'),
      hidden: tf.tensor2d(hidden, [rows, places], 'int32'),
      weights: tf.tensor2d(weights, [rows, places]),
    }
  }
}
