import { z } from 'zod'
import type { DataSpec } from '../data/types.ts'
import { noteDefinition } from '../definitions.ts'
import { MixlabError } from '../errors.ts'
import { isMetric, type Metric } from '../evaluate/index.ts'
import type { OutputHead } from '../nn/types.ts'
import { parseOptions } from '../options.ts'
import { changedTask } from './changed.ts'
import { resolveTask, taskNames } from './kinds.ts'
import { type OnData, onData } from './onData.ts'
import type { Part } from './supervised.ts'
import type { TaskTokenizer } from './tokenizer.ts'
import type { OwnLoss, OwnTask, TaskKind, TaskSpec, Teacher } from './types.ts'

/** What a task is: on a data set, or a task with another loss or other metrics. */
export type TaskOptions = TaskOnData | ChangedTask

interface Judged {
  /**
   * The mean over the examples of a batch as a tensor of one number, in the block language: `(prediction, target, batch)`,
   * with all parts of the examples in `batch`. By default that of `base`, or the cross entropy of classes, or the mean
   * squared error of numbers.
   */
  loss?: OwnLoss | undefined
  /** What is measured beside the loss, e.g. `[accuracy]`, or made by `metric()`. */
  metrics?: Metric[] | undefined
  /**
   * A study of one variant, made by `compare()`, whose trained model gives labels: what it says to a batch is the part
   * `teacher` of that, e.g. its logits, for a run the one with the same seed. It is trained first where it is missing.
   */
  teacher?: Teacher | undefined
  /** The name of the one by which variants are compared; the first of `metrics` by default, or `loss`. */
  metric?: string | undefined
}

/** A task on examples whose parts have names: `image` and `label`, `points` and `label`, or those of `dataset()`. */
export interface TaskOnData extends Judged {
  /** A data set, e.g. `shapes({ size: 16 })`. */
  data: string | DataSpec
  /** What the model reads: the name of a part, or a function of all parts of a batch; the first part by default. */
  input?: Part | undefined
  /** What the loss gets, likewise; the last part by default, null for nothing. */
  target?: Part | null | undefined
  /**
   * How many numbers the model gives, or their shape: `10`, `[]` for one without an axis of its own, `[height, width,
   * classes]` for each pixel, `[tokens, n]` for each token. By default what the target needs.
   */
  outputs?: number | number[] | undefined
  /**
   * The length of texts, special tokens included: part `text` of a data set of a cell, with `second` behind it, is then so
   * many token ids. What is longer loses its end.
   */
  tokens?: number | undefined
  /** 1000 words in lower case, learned from the training texts, by default. */
  tokenizer?: TaskTokenizer | undefined
  /** What ends the model, from `[batch, tokens, dim]` to these outputs, in the block language. */
  head?: OutputHead | undefined
  base?: undefined
}

/** A task with another loss, or other metrics. */
export interface ChangedTask extends Judged {
  /** The task whose data, model and, unless given here, loss and metrics these are, e.g. `image({ data })`. */
  base: TaskSpec
  data?: undefined
}

const isPart = (value: unknown) => typeof value === 'string' || typeof value === 'function'
const part = z.custom<Part>(isPart, 'the name of a part, or a function of the parts of a batch')
const judged = {
  loss: z
    .custom<OwnLoss>((value) => typeof value === 'function', 'a function (prediction, target, batch) => one number')
    .optional(),
  metrics: z.array(z.custom<Metric>(isMetric, 'a metric, such as accuracy, or made by metric()')).optional(),
  metric: z.string().optional(),
  teacher: z
    .custom<Teacher>((value) => (value as Teacher | null)?.kind === 'study', 'a study, made by compare()')
    .optional(),
}
const dataSchema = z.strictObject({
  ...judged,
  data: z.custom<string | DataSpec>((value) => Boolean(value), 'a data set, e.g. shapes({ size: 16 })'),
  input: part.optional(),
  target: part.nullable().optional(),
  outputs: z
    .union([z.int().min(1), z.array(z.int().min(1))], { error: 'a whole number, or a list of them' })
    .optional(),
  tokens: z.int().min(5).max(8192).optional(),
  tokenizer: z.custom<TaskTokenizer>().optional(), // checked by resolveTokenizer
  head: z
    .custom<OutputHead>((value) => typeof value === 'function', 'a function (x, size, outputs) => prediction')
    .optional(),
})
const changeSchema = z.strictObject({
  ...judged,
  base: z.custom<TaskSpec>((value) => (value as TaskSpec | null)?.kind === 'task', 'a task, e.g. image({ data })'),
})

/**
 * Defines a task: what of the examples of a data set a model reads and is asked for, how many numbers it gives, the loss
 * and the metrics; or, with `base`, another task with another loss. Throws MixlabError `option` for anything not allowed.
 */
export function task(name: string, options: TaskOptions): TaskSpec {
  if (typeof name !== 'string' || !/^[a-z][\w -]*$/i.test(name)) {
    throw new MixlabError('option', 'task', "expected a name as first argument, letters, digits, _ and -, e.g. 'mask'")
  }
  if (taskNames.includes(name)) throw new MixlabError('option', 'task', `'${name}' is built in; take another name`)
  const called = `task '${name}'`
  if (typeof options !== 'object' || options === null) {
    throw new MixlabError('option', called, 'expected options, { data, ... } or { base, ... }, as second argument')
  }
  if (options.base) {
    const { base, ...change } = parseOptions<ChangedTask>(changeSchema, options, called)
    const resolved = resolveTask(base)
    const kind = { ...changedTask(resolved, change, name), base: base.defined ? base.defined.base : base.task }
    const { base: _, ...decides } = options
    return defined(name, kind, resolved.options, { ...decides, base: base.defined ? base.defined.decides : base.task })
  }
  const { data, tokens, tokenizer, ...given } = parseOptions<TaskOnData>(dataSchema, options, called)
  const shape = typeof given.outputs === 'number' ? [given.outputs] : given.outputs
  const wanted: OnData = { ...given, outputs: shape }
  const { data: _, ...decides } = options
  if (tokenizer && !tokens)
    throw new MixlabError('option', `${called}.tokenizer`, 'expected tokens, a length, beside it')
  const kind = onData(wanted, name)
  return defined(name, kind, kind.resolve({ data, tokens, tokenizer }), decides)
}

/**
 * The spec of a task of a cell. `decides` is what it was given, by which its runs differ: the default of an option of later
 * versions leaves keys as they are.
 */
function defined(
  name: string,
  kind: TaskKind & Pick<OwnTask, 'base' | 'teacher'>,
  options: Record<string, unknown>,
  decides: object,
): TaskSpec {
  const { metrics, teacher, ...rest } = decides as Judged // the key of its run says what a teacher is
  const judging = metrics?.map(({ name, meaning: { words: _, ...meaning }, collect }) => ({ name, meaning, collect }))
  const entries = Object.entries({ ...rest, ...(judging && { metrics: judging }) }).sort(([a], [b]) => (a < b ? -1 : 1))
  const own: OwnTask = { ...kind, name, teacher: teacher ?? kind.teacher, decides: Object.fromEntries(entries) }
  noteDefinition(own)
  return { kind: 'task', task: name, options, defined: own }
}
