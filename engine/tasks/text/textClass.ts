import type * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import type { Form } from '../../data/form.ts'
import type { DatasetTable } from '../../data/table.ts'
import type { DataSpec, TextDataset } from '../../data/types.ts'
import { classification, topK } from '../../evaluate/index.ts'
import { classOutcomes } from '../../evaluate/outcomes/classOutcomes.ts'
import { assemble } from '../../nn/frame.ts'
import { softmaxCrossEntropy } from '../../nn/losses.ts'
import { parseOptions } from '../../options.ts'
import { supervised } from '../supervised.ts'
import { predictText, textExtras } from '../textInput.ts'
import { openTokenizer, resolveTokenizer, type TaskTokenizer } from '../tokenizer.ts'
import type { TaskKind } from '../types.ts'
import { textExamples, textsOf } from './textExamples.ts'

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

/**
 * A task that classifies texts, or pairs of texts, of a table: softmax cross entropy; accuracy, at the end also on each test
 * that the data set has beside the first.
 */
export function textClassKind(table: DatasetTable<TextDataset>, form: Form<TextDataset>): TaskKind {
  return {
    model,
    extras: ({ tokens }) => textExtras(Number(tokens)),
    resolve: (given) => {
      const options = parseOptions(schema, given, 'task')
      const tokenizer = resolveTokenizer(options.tokenizer)
      return { ...options, data: table.resolve(options.data as DataSpec | string), tokenizer }
    },
    open: async (given, files, saved) => {
      const { data, tokenizer: how, tokens, pool } = given as Options
      const dataset = await table.open(data, files)
      const { classes } = dataset
      const texts = form.examples(dataset)
      const tokenizer = await openTokenizer(how, () => textsOf(texts.train), files, saved)
      return supervised(textExamples(texts, { tokens, tokenizer, pool, hashed: [pool] }), {
        from: 'text',
        to: 'label',
        metric: 'test/accuracy',
        input: { shape: [1, tokens], dtype: 'int32' },
        extras: textExtras(tokens),
        model: model({ classes: classes.length, vocabulary: tokenizer.size, pool }),
        predict: predictText,
        loss: (logits, { target }) => softmaxCrossEntropy(logits, target as tf.Tensor),
        evaluators: () => [topK('accuracy', 1)],
        report: () => classification(classes),
        outcomes: () => classOutcomes(classes),
        classes,
      })
    },
  }
}
