import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { sequentialBatches, shuffledBatches } from '../../data/dataLoader.ts'
import { digest } from '../../data/digest.ts'
import type { DatasetTable } from '../../data/table.ts'
import type { Tokenizer } from '../../data/tokenizers/types.ts'
import type { DataSpec, Split, TextBatch, TextDataset } from '../../data/types.ts'
import { classification, topK } from '../../evaluate/index.ts'
import { assemble } from '../../nn/frame.ts'
import { softmaxCrossEntropy } from '../../nn/losses.ts'
import { parseOptions } from '../../options.ts'
import { evaluated, testsOf } from '../evaluated.ts'
import { fitted, predictText, preparationOf, textExtras, textTensors } from '../textInput.ts'
import { openTokenizer, resolveTokenizer, type TaskTokenizer } from '../tokenizer.ts'
import type { Batch, Task, TaskKind } from '../types.ts'
import { augmentedTokens } from './augmentedTokens.ts'

const schema = z.strictObject({
  data: z.unknown(), // checked by the table
  tokens: z.int().min(5).max(8192).default(64),
  tokenizer: z.unknown().optional(), // checked by resolveTokenizer
  pool: z.enum(['first', 'mean']).default('first'),
})

type Options = z.output<typeof schema> & { data: DataSpec; tokenizer: ReturnType<typeof resolveTokenizer> }

export interface TextClassOptions {
  data: string | DataSpec
  /** Length of an example, special tokens included; 64 by default. What is longer loses its end. */
  tokens?: number
  /** 1000 words in lower case by default. */
  tokenizer?: TaskTokenizer
  /** What is classified: the first token, [CLS], which is the default, or the mean over all tokens. */
  pool?: 'first' | 'mean'
}

const model: TaskKind['model'] =
  ({ classes = 0, vocabulary = 0, pool = 'first' }) =>
  (block, size) =>
    assemble(block, size, 'text', { inputs: vocabulary, outputs: classes, head: 'class', pool })

/** A task that classifies texts, or pairs of texts, of a table; `template` says how they stand between special tokens. */
export function textClassKind(table: DatasetTable<TextDataset>, template: string): TaskKind {
  return {
    model,
    extras: ({ tokens }) => textExtras(Number(tokens)),
    resolve: (given) => {
      const options = parseOptions(schema, given, 'task')
      const tokenizer = resolveTokenizer(options.tokenizer)
      return { ...options, data: table.resolve(options.data as DataSpec | string), tokenizer }
    },
    open: async (given, files, saved) => {
      const { data, tokenizer: how, ...options } = given as Options
      const dataset = await table.open(data, files)
      const tokenizer = await openTokenizer(how, () => textsOf(dataset.train), files, saved)
      return textClassification(dataset, tokenizer, template, options)
    },
  }
}

/** All texts of a split, in its order. */
async function* textsOf(split: Split<TextBatch>): AsyncGenerator<string> {
  for await (const { first, second = [] } of sequentialBatches(split, 256)) yield* [...first, ...second]
}

/** Softmax cross entropy; accuracy, at the end also on each test that the data set has beside the first. */
function textClassification(
  dataset: TextDataset,
  tokenizer: Tokenizer,
  template: string,
  { tokens, pool }: Pick<Options, 'tokens' | 'pool'>,
): Task {
  const { classes, hash, train, warnings } = dataset
  const saved = tokenizer.save()
  const encoded = (text: string | undefined) => (text === undefined ? undefined : tokenizer.encode(text).ids)

  async function* onDevice(source: AsyncGenerator<TextBatch>): AsyncGenerator<Batch> {
    for await (const { first, second, labels } of source) {
      const inputs = first.map((text, i) => fitted(tokens, tokenizer.encode(text).ids, encoded(second?.[i])))
      yield { ...textTensors(inputs, tokens), target: tf.tensor1d(labels, 'int32') }
    }
  }

  return {
    hash: digest(JSON.stringify([hash, saved, tokens, pool])),
    metric: 'test/accuracy',
    input: { shape: [1, tokens], dtype: 'int32' },
    extras: textExtras(tokens),
    model: model({ classes: classes.length, vocabulary: tokenizer.size, pool }),
    trainBatches: (batch, seed, from, options) => {
      const source = onDevice(shuffledBatches(train, { batch, seed }, from))
      return augmentedTokens(source, { ...options, tokenizer, seed, from })
    },
    tests: testsOf(dataset),
    evalBatches: (split, batch, examples) => onDevice(sequentialBatches(evaluated(dataset, split, examples), batch)),
    predict: predictText,
    loss: (logits, { target }) => softmaxCrossEntropy(logits, target as tf.Tensor),
    evaluators: () => [topK('accuracy', 1)],
    report: () => classification(classes),
    warnings,
    files: { 'tokenizer.json': saved },
    classes,
    preparation: preparationOf(tokens, template, pool),
  }
}
