import * as tf from '@tensorflow/tfjs-core'
import { digest } from '../data/digest.ts'
import { SPECIAL } from '../data/tokenizers/types.ts'
import type { DataSpec, NumberField } from '../data/types.ts'
import { MixlabError, suggest } from '../errors.ts'
import { accuracy, classification, type Metric, r2 } from '../evaluate/index.ts'
import { classOutcomes } from '../evaluate/outcomes/classOutcomes.ts'
import { numberOutcomes } from '../evaluate/outcomes/numberOutcomes.ts'
import { placeOutcomes } from '../evaluate/outcomes/placeOutcomes.ts'
import type { OutcomeCollector } from '../evaluate/outcomes/types.ts'
import { crossEntropy, maskedCrossEntropy, meanSquaredError } from '../nn/losses.ts'
import { modelWith } from '../nn/outputs.ts'
import type { OutputHead } from '../nn/types.ts'
import { TEST } from '../records/splits.ts'
import { lossBy } from './ownLoss.ts'
import { openExamples, openTexts, resolveData, type TextOptions } from './sources.ts'
import { type Part, type Supervision, supervised } from './supervised.ts'
import { predictText } from './textInput.ts'
import { resolveTokenizer } from './tokenizer.ts'
import type { Examples, OwnLoss, Task, TaskKind } from './types.ts'

/** What a cell says of a task on a data set; the rest follows from its parts. */
export interface OnData {
  input?: Part | undefined
  target?: Part | null | undefined
  /** Shape of the prediction for an example. */
  outputs?: number[] | undefined
  head?: OutputHead | undefined
  loss?: OwnLoss | undefined
  metrics?: Metric[] | undefined
  metric?: string | undefined
}

/** A task on the examples of a data set, `data`; its texts are token ids where it says how many, `tokens`, of what `tokenizer`. */
export function onData(wanted: OnData, name: string): TaskKind {
  return {
    resolve: ({ data, tokens, tokenizer }) => ({
      data: resolveData(data as DataSpec),
      ...(tokens !== undefined && { tokens, tokenizer: resolveTokenizer(tokenizer) }),
    }),
    open: async ({ data, ...texts }, files, saved) => {
      const examples =
        texts.tokens === undefined
          ? openExamples(data as DataSpec, files)
          : openTexts(data as DataSpec, texts as unknown as TextOptions, files, saved)
      return opened(await examples, wanted, name)
    },
    model: () => {
      throw new MixlabError('option', `task '${name}'`, 'has no model without its data')
    },
  }
}

function opened(examples: Examples, wanted: OnData, name: string): Task {
  const { fields, extras, preparation } = examples
  const names = Object.keys(fields).filter((field) => !extras || !(field in extras))
  const from = wanted.input ?? (names[0] as string)
  const to = wanted.target === undefined ? (names.at(-1) as string) : wanted.target
  const input = fieldOf(from, examples, name, 'input')
  const target = to === null ? null : fieldOf(to, examples, name, 'target')
  const classes = target?.classes
  const outputs = wanted.outputs ?? (target && outputsFor(target))
  const fail = (what: string) => new MixlabError('option', `task '${name}'`, what)
  if (!outputs) throw fail('has no target, expected outputs: how many numbers the model gives')
  const loss = wanted.loss ?? (target && (classes ? crossEntropy : meanSquaredError))
  if (!loss) throw fail('has no target, expected a loss')
  const isUsual = target !== null && outputs.join() === outputsFor(target).join()
  const metrics = wanted.metrics ?? (isUsual ? [classes ? accuracy : r2] : [])
  const isPlain = loss === crossEntropy
  const weigh = target && withoutPadding(target, outputs, examples)
  const ownLoss: OwnLoss =
    isPlain && weigh ? (said, wanted, { weights }) => maskedCrossEntropy(said, wanted, weights as tf.Tensor) : loss
  const task = supervised(examples, {
    from,
    to,
    ...(weigh && { weigh }),
    metric: `${TEST}/${wanted.metric ?? metrics[0]?.name ?? 'loss'}`,
    input: { shape: [1, ...input.shape], dtype: input.dtype },
    model: modelWith(
      { input: input.shape, vocabulary: input.classes?.length, outputs, head: wanted.head },
      `task '${name}'`,
    ),
    ...lossBy(ownLoss, name),
    ...(extras && from === names[0] && { extras, predict: predictText }),
    ...(isPlain && { lossMeaning: undefined }),
    ...(isPlain && weigh && { weighed: true }),
    evaluators: () => [],
    metrics,
    ...(classes && { classes: [...classes] }),
  })
  return {
    ...task,
    ...(weigh && { hash: digest(JSON.stringify([task.hash, 'without padding'])) }),
    hashed: true,
    ...(isUsual && classes && target.shape.length === 0 && { report: () => classification(classes) }),
    ...(isUsual && { outcomes: () => outcomesFor(target) }),
    ...(preparation?.kind === 'text' && outputs.length > 1 && { preparation: { ...preparation, pool: null } }),
    ...(from !== names[0] && { preparation: undefined }), // which is that of the first part
  }
}

/**
 * What counts of a target with a class for each token of a text: no padding. Of token ids that is what is none of it, of other
 * classes what stands where the text has tokens. Null for other targets, and for data that say themselves what counts.
 */
function withoutPadding(
  { shape, dtype }: NumberField,
  outputs: readonly number[],
  { fields, extras }: Examples,
): Supervision['weigh'] | null {
  const { text, mask, weights } = fields
  if (!text || !extras || !mask || weights) return null
  if (shape.length !== 1 || shape[0] !== text.shape[0] || dtype !== 'int32' || outputs[0] !== shape[0]) return null
  if (outputs.at(-1) !== text.classes?.length) return (_, example) => tf.clone(example.mask as tf.Tensor)
  return (target) => tf.cast(tf.notEqual(target, tf.scalar(SPECIAL.pad, 'int32')), 'float32')
}

/** What a part is, by its name or by what a function makes of two examples of zeros. */
function fieldOf(part: Part, { fields }: Examples, name: string, role: string): NumberField {
  const fail = (what: string) => new MixlabError('option', `${role} of '${name}'`, what)
  if (typeof part === 'string') {
    const field = fields[part]
    if (field) return field
    throw fail(`its data set has no part '${part}'${suggest(part, Object.keys(fields))}`)
  }
  return tf.tidy(() => {
    const zeros = Object.entries(fields).map(([name, { shape, dtype }]) => [name, tf.zeros([2, ...shape], dtype)])
    const made: unknown = part(Object.fromEntries(zeros))
    if (!(made instanceof tf.Tensor) || made.rank === 0) throw fail('expected a tensor [batch, ...]')
    const { shape, dtype } = made
    if (dtype !== 'float32' && dtype !== 'int32') throw fail(`is of type ${dtype}, expected float32 or int32`)
    return { shape: shape.slice(1), dtype }
  })
}

/** What comes of examples with such a target: a class, one for each place, or numbers. */
function outcomesFor({ shape, classes }: NumberField): OutcomeCollector {
  const places = tf.util.sizeFromShape([...shape])
  if (!classes) return numberOutcomes(places)
  return shape.length === 0 ? classOutcomes(classes) : placeOutcomes({ places, unit: 'places' })
}

/** What a prediction of a target needs: a number for each class, or as many numbers. */
function outputsFor({ shape, classes }: NumberField): number[] {
  return classes ? [...shape, classes.length] : [...shape]
}
