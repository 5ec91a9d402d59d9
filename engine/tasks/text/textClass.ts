import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { sequentialBatches } from '../../data/dataLoader.ts'
import { digest } from '../../data/digest.ts'
import type { DatasetTable } from '../../data/table.ts'
import type { Tokenizer } from '../../data/tokenizers/types.ts'
import type { DataSpec, Split, TextBatch, TextDataset } from '../../data/types.ts'
import { classification, topK } from '../../evaluate/index.ts'
import { assemble } from '../../nn/frame.ts'
import { softmaxCrossEntropy } from '../../nn/losses.ts'
import { parseOptions } from '../../options.ts'
import { batchesOf } from '../examples.ts'
import { supervised } from '../supervised.ts'
import { fitted, predictText, preparationOf, textExtras, textFields, textTensors } from '../textInput.ts'
import { openTokenizer, resolveTokenizer, type TaskTokenizer } from '../tokenizer.ts'
import type { Task, TaskKind } from '../types.ts'

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
  const { classes, hash, warnings } = dataset
  const saved = tokenizer.save()
  const encoded = (text: string | undefined) => (text === undefined ? undefined : tokenizer.encode(text).ids)

  async function* onDevice(source: AsyncGenerator<TextBatch>): AsyncGenerator<tf.NamedTensorMap> {
    for await (const { first, second, labels } of source) {
      const inputs = first.map((text, i) => fitted(tokens, tokenizer.encode(text).ids, encoded(second?.[i])))
      yield { ...textTensors(inputs, tokens), label: tf.tensor1d(labels, 'int32') }
    }
  }

  const examples = {
    hash: digest(JSON.stringify([hash, saved, tokens, pool])),
    fields: { ...textFields(tokens), label: { shape: [], dtype: 'int32', classes } },
    ...batchesOf(dataset, onDevice),
    warnings,
    preparation: preparationOf(tokens, template, pool),
  } as const
  return supervised(examples, {
    from: 'input',
    to: 'label',
    metric: 'test/accuracy',
    input: { shape: [1, tokens], dtype: 'int32' },
    extras: textExtras(tokens),
    model: model({ classes: classes.length, vocabulary: tokenizer.size, pool }),
    predict: predictText,
    loss: (logits, { target }) => softmaxCrossEntropy(logits, target as tf.Tensor),
    evaluators: () => [topK('accuracy', 1)],
    report: () => classification(classes),
    files: { 'tokenizer.json': saved },
    classes,
  })
}
