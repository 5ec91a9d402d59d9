import * as tf from '@tensorflow/tfjs-core'
import { z } from 'zod'
import { sequentialBatches, shuffledBatches } from '../data/dataLoader.ts'
import { digest } from '../data/digest.ts'
import { spanData } from '../data/text/index.ts'
import type { Tokenizer } from '../data/tokenizers/types.ts'
import type { AnswerSpan, DataSpec, SpanBatch, SpanDataset, Split } from '../data/types.ts'
import { MixlabError } from '../errors.ts'
import { exact, f1 } from '../evaluate/index.ts'
import { assemble } from '../nn/frame.ts'
import { softmaxCrossEntropy } from '../nn/losses.ts'
import { copyOf, parseOptions } from '../options.ts'
import { evaluated, testsOf } from './evaluated.ts'
import { supervised } from './supervised.ts'
import { augmentedTokens } from './text/augmentedTokens.ts'
import { collectAnswers } from './text/spanAnswers.ts'
import { spanOutcomes } from './text/spanOutcomes.ts'
import { inputOf, type PassageWindow, targetOf, windowsOf } from './text/spanWindows.ts'
import { predictText, preparationOf, textExtras, textFields, textTensors } from './textInput.ts'
import { openTokenizer, resolveTokenizer, type TaskTokenizer } from './tokenizer.ts'
import type { Examples, Task, TaskKind, TaskSpec } from './types.ts'

const schema = z.strictObject({
  data: z.unknown(), // checked by the table
  tokens: z.int().min(5).max(8192).default(128),
  question: z.int().min(1).default(32),
  stride: z.int().min(1).optional(),
  answer: z.int().min(1).default(30),
  nullThreshold: z.number().default(0),
  tokenizer: z.unknown().optional(), // checked by resolveTokenizer
})

type Options = Omit<z.output<typeof schema>, 'data' | 'tokenizer'> & {
  data: DataSpec
  tokenizer: ReturnType<typeof resolveTokenizer>
  stride: number
}

export interface SpanOptions {
  data: string | DataSpec
  /** Length of a window, special tokens included; 128 by default. The published results have 384 or 512. */
  tokens?: number
  /** Most tokens of a question; 32 by default. */
  question?: number
  /** Tokens from window to window of a long passage; by default half of what is left for the passage. */
  stride?: number
  /** Most tokens of an answer that is given; 30 by default. */
  answer?: number
  /**
   * Where questions may have no answer: no answer is given where its score exceeds the score of the best span by more
   * than this; 0 by default. Published results have the best on the development set. Training does not depend on it.
   */
  nullThreshold?: number
  /** 1000 words in lower case by default. */
  tokenizer?: TaskTokenizer
}

/**
 * Extraction of the answer to a question from a passage, as in SQuAD: [CLS] question [SEP] passage [SEP]. The loss is the
 * mean of the cross entropies of start and end; both are at [CLS] where there is no answer. `test/f1` and `test/exact`.
 */
export function span(options: SpanOptions): TaskSpec {
  return { kind: 'task', task: 'span', options: copyOf({ ...options }) }
}

const model: TaskKind['model'] =
  ({ vocabulary = 0 }) =>
  (block, size) =>
    assemble(block, size, 'text', { inputs: vocabulary, outputs: 2, head: 'span' })

export const spanKind: TaskKind = {
  model,
  extras: ({ tokens }) => textExtras(Number(tokens)),
  resolve: (given) => {
    const options = parseOptions(schema, given, 'task')
    const { tokens, question } = options
    const room = tokens - question - 3
    if (room < 1) {
      throw new MixlabError('option', 'task.tokens', `${tokens}, expected at least ${question + 4}, the question and 4`)
    }
    const stride = options.stride ?? Math.ceil(room / 2)
    if (stride > room) {
      const what = `${stride}, expected at most ${room}, what is left for the passage`
      throw new MixlabError('option', 'task.stride', what)
    }
    const data = spanData.resolve(options.data as DataSpec | string)
    return { ...options, stride, data, tokenizer: resolveTokenizer(options.tokenizer) }
  },
  open: async (given, files, saved) => {
    const { data, tokenizer: how, ...options } = given as Options
    const dataset = await spanData.open(data, files)
    const tokenizer = await openTokenizer(how, () => textsOf(dataset.train), files, saved)
    return spanExtraction(dataset, tokenizer, options)
  },
}

/** All questions of a split and all passages, each once. */
async function* textsOf(split: Split<SpanBatch>): AsyncGenerator<string> {
  const seen = new Set<string>()
  for await (const { questions, passages } of sequentialBatches(split, 256)) {
    yield* questions
    for (const passage of passages) {
      if (!seen.has(passage)) yield passage
      seen.add(passage)
    }
  }
}

function spanExtraction(
  dataset: SpanDataset,
  tokenizer: Tokenizer,
  options: Omit<Options, 'data' | 'tokenizer'>,
): Task {
  const { tokens, question, stride, answer, nullThreshold } = options
  const { hash, unanswerable, train, warnings } = dataset
  const saved = tokenizer.save()
  /** Those of all splits that were asked for; batches have their places here. */
  const windows: PassageWindow[] = []
  const cut = new Map<string, Promise<Placed[]>>()

  /** The windows of a split, which are cut when they are first asked for. */
  function windowsIn(name: string): Promise<Placed[]> {
    const split = () => (name === 'train' ? train : evaluated(dataset, name))
    const known = cut.get(name) ?? windowsOf(split(), tokenizer, options).then(placed)
    cut.set(name, known)
    return known
  }
  const placed = (own: PassageWindow[]) => own.map((window) => ({ window, place: windows.push(window) - 1 }))

  async function* trainBatches(batch: number, seed: number, from: number) {
    for await (const some of shuffledBatches(listed(await windowsIn('train')), { batch, seed }, from)) {
      yield onDevice(some, tokens)
    }
  }

  const examples: Examples = {
    hash: digest(JSON.stringify([hash, saved, tokens, question, stride, answer, nullThreshold])),
    fields: {
      ...textFields(tokens),
      window: { shape: [], dtype: 'int32' },
      span: { shape: [2], dtype: 'int32' },
    },
    tests: testsOf(dataset),
    train: (batch, seed, from, options) =>
      augmentedTokens(trainBatches(batch, seed, from), { ...options, tokenizer, seed, from }),
    evaluated: async function* (split, batch, examples = Number.POSITIVE_INFINITY) {
      const own = (await windowsIn(split)).filter(({ window }) => window.example < examples)
      for await (const some of sequentialBatches(listed(own), batch)) yield onDevice(some, tokens)
    },
    known: (split) => evaluated(dataset, split),
    texts: async (split, indices) => {
      const { questions, passages, answers } = await evaluated(dataset, split).read(indices)
      return indices.map((_, i) => [
        { name: 'question', text: questions[i] as string },
        { name: 'passage', text: passages[i] as string, answers: answers[i] as AnswerSpan[] },
      ])
    },
    warnings,
    preparation: preparationOf(tokens, '[CLS] question [SEP] passage [SEP]', null),
    files: { 'tokenizer.json': saved },
  }
  const how = { tokens, answer, nullThreshold: unanswerable ? nullThreshold : Number.POSITIVE_INFINITY }
  return supervised(examples, {
    from: 'input',
    to: 'span',
    metric: 'test/f1',
    input: { shape: [1, tokens], dtype: 'int32' },
    extras: textExtras(tokens),
    model: model({ vocabulary: tokenizer.size }),
    predict: predictText,
    loss: (logits, { target }) => softmaxCrossEntropy(tf.transpose(logits, [0, 2, 1]), target as tf.Tensor),
    evaluators: () => [f1, exact].map((metric) => metric(collectAnswers(windows, how))),
    outcomes: () => spanOutcomes(windows, how),
  })
}

/** A window and its place among all. */
interface Placed {
  window: PassageWindow
  place: number
}

function listed<Item>(items: Item[]): Split<Item[]> {
  return { size: items.length, read: async (indices) => Array.from(indices, (i) => items[i] as Item) }
}

/** Windows as tensors; `span` is `[batch, 2]`, `window` says which they are. */
function onDevice(placed: Placed[], tokens: number): tf.NamedTensorMap {
  const inputs = placed.map(({ window }) => inputOf(window))
  const targets = placed.map(({ window }) => targetOf(window))
  const places = placed.map(({ place }) => place)
  return {
    ...textTensors(inputs, tokens),
    span: tf.tensor2d(targets, [placed.length, 2], 'int32'),
    window: tf.tensor1d(places, 'int32'),
  }
}
