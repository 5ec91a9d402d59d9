import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { digest } from '../data/digest.ts'
import { excerpts } from '../data/excerpts.ts'
import { corpora } from '../data/text/index.ts'
import { SPECIAL } from '../data/tokenizers/types.ts'
import type { DataSpec } from '../data/types.ts'
import { MixlabError } from '../errors.ts'
import { perplexity, topK } from '../evaluate/index.ts'
import { placeOutcomes } from '../evaluate/outcomes/placeOutcomes.ts'
import { assemble } from '../nn/frame.ts'
import { maskedCrossEntropy } from '../nn/losses.ts'
import { copyOf, parseOptions } from '../options.ts'
import { batchesOf } from './examples.ts'
import { supervised } from './supervised.ts'
import { augmentedTokens } from './text/augmentedTokens.ts'
import { preparationOf } from './textInput.ts'
import { bytesPerToken, openTokenizer, resolveTokenizer, type TaskTokenizer, textsOf } from './tokenizer.ts'
import type { TaskKind, TaskSpec } from './types.ts'

/** Raised whenever the same options give other batches. */
const VERSION = 1

const schema = z.strictObject({
  data: z.unknown(), // checked by the table
  tokens: z.int().min(4).max(8192).default(64),
  tokenizer: z.unknown().optional(), // checked by resolveTokenizer
})

type Options = z.output<typeof schema> & { data: DataSpec; tokenizer: ReturnType<typeof resolveTokenizer> }

export interface ClmOptions {
  data: string | DataSpec
  /** Tokens that the model reads, [CLS] in front among them; 64 by default. */
  tokens?: number
  /** 1000 words in lower case, learned from the training text, by default. */
  tokenizer?: TaskTokenizer
}

/**
 * Causal language modelling: each token of a text is told from those before it, the first from [CLS]; cross entropy,
 * `test/perplexity` and `test/accuracy`. Blocks that look at later tokens are refused before they are trained.
 */
export function clm(options: ClmOptions): TaskSpec {
  return { kind: 'task', task: 'clm', options: copyOf({ ...options }) }
}

const model: TaskKind['model'] =
  ({ vocabulary = 0 }) =>
  (block, size) =>
    assemble(block, size, 'text', { inputs: vocabulary, outputs: vocabulary })

export const clmKind: TaskKind = {
  model,
  resolve: (given) => {
    const options = parseOptions(schema, given, 'task')
    const tokenizer = resolveTokenizer(options.tokenizer)
    return { ...options, data: corpora.resolve(options.data as DataSpec | string), tokenizer }
  },
  open: async (given, files, saved) => {
    const { data, tokens, tokenizer: how } = given as Options
    const corpus = await corpora.open(data, files)
    const tokenizer = await openTokenizer(how, () => textsOf(corpus.train), files, saved)
    const length = await bytesPerToken(corpus.train, tokenizer)
    const stride = Math.ceil(tokens * length)
    const split = (role: 'train' | 'validation' | 'test') => {
      const { bytes } = corpus[role]
      if (bytes >= stride) return excerpts(corpus[role], tokenizer, tokens, stride)
      const what = `${tokens}, expected at most about ${Math.floor(bytes / length)}: the ${role} text is short`
      throw new MixlabError('option', 'task.tokens', what)
    }
    const held = { train: split('train'), validation: split('validation'), test: split('test') }
    const ids = { shape: [tokens], dtype: 'int32' } as const
    const examples = {
      warnings: corpus.warnings,
      hash: digest(JSON.stringify(['clm', VERSION, corpus.hash, tokens, tokenizer.save()])),
      fields: { input: ids, weights: { shape: [tokens], dtype: 'float32' }, next: ids },
      ...batchesOf(
        held,
        (source) => onDevice(source, tokens),
        (source, options) => augmentedTokens(onDevice(source, tokens), { ...options, tokenizer }),
      ),
      preparation: preparationOf(tokens, '[CLS] text', null),
      files: { 'tokenizer.json': tokenizer.save() },
    } as const
    return supervised(examples, {
      from: 'input',
      to: 'next',
      metric: 'test/perplexity',
      input: { shape: [1, tokens], dtype: 'int32' },
      causal: true,
      model: model({ vocabulary: tokenizer.size }),
      loss: (logits, { target, weights }) => maskedCrossEntropy(logits, target as tf.Tensor, weights as tf.Tensor),
      evaluators: () => [perplexity(), topK('accuracy', 1)],
      outcomes: () => placeOutcomes({ places: tokens, unit: 'tokens' }),
    })
  },
}

/** Texts as a causal model reads them, `[texts, tokens]`: [CLS] in front, padded at the end. */
export function shifted(texts: readonly ArrayLike<number>[], tokens: number): Int32Array {
  const input = new Int32Array(texts.length * tokens).fill(SPECIAL.pad)
  for (const [row, text] of texts.entries()) {
    input.set([SPECIAL.first, ...Array.from(text).slice(0, tokens - 1)], row * tokens)
  }
  return input
}

/** Batches as tensors `[batch, tokens]`: int32 `input` and `next`, the token that comes next; `weights`, 0 after the end. */
async function* onDevice(source: AsyncGenerator<Int32Array[]>, tokens: number): AsyncGenerator<tf.NamedTensorMap> {
  for await (const texts of source) {
    const rows = texts.length
    const next = new Int32Array(rows * tokens).fill(SPECIAL.pad)
    const weights = new Float32Array(rows * tokens)
    for (const [row, text] of texts.entries()) {
      next.set(text, row * tokens)
      weights.fill(1, row * tokens, row * tokens + text.length)
    }
    yield {
      input: tf.tensor2d(shifted(texts, tokens), [rows, tokens], 'int32'),
      next: tf.tensor2d(next, [rows, tokens], 'int32'),
      weights: tf.tensor2d(weights, [rows, tokens]),
    }
  }
}
