import * as tf from '@tensorflow/tfjs-core'
import { nameKey } from '../data/classNames.ts'
import type { FileSource } from '../data/files.ts'
import type { DataSpec } from '../data/types.ts'
import { MixlabError, shortened, suggest } from '../errors.ts'
import type { RunReport } from '../records/report.ts'
import { TEST, VALIDATION } from '../records/splits.ts'
import { taskKind } from '../tasks/index.ts'
import type { Preparation, Task } from '../tasks/types.ts'
import { createEvaluator, type Measured, predict } from '../train/evaluate.ts'
import { EXAMPLES_PER_SECOND } from '../train/timings.ts'
import { notNumbers, rowsWithoutProbability } from './finite.ts'
import type { TrainedModel } from './trained.ts'

/** What a model does on a data set. */
export interface EvaluatedOn {
  data: DataSpec
  /** How many examples of each part there were; of passages, windows of them. */
  examples: Record<string, number>
  /** By part and name, e.g. `test/accuracy`. */
  metrics: Record<string, Measured>
  report: RunReport
  /** What the user should know of how it was done. */
  notes: string[]
  /** How many files were left out, because they cannot be read or their class is none of the model. */
  failed: number
}

/** What a model is evaluated on. */
export interface EvaluationRequest {
  data?: DataSpec | string | undefined
  part?: string | undefined
  /** Of each part the first so many examples; all by default. */
  examples?: number | undefined
}

/**
 * The metrics of a model on a data set of the kind that it was trained on, by default that one: on the tests of the data
 * set, or on one part. Texts are cut by the tokenizer of the model. Nothing is kept. Throws MixlabError `option` for data of
 * another kind, with other classes or of another size, `numerics` where no output is a number, and what opening the data
 * throws.
 */
export async function evaluateOn(
  model: TrainedModel,
  { data, part, examples: limit }: EvaluationRequest,
  files: FileSource,
  pause: () => Promise<void>,
): Promise<EvaluatedOn> {
  const { source, task: own } = model
  const kind = taskKind(own.task)
  if (data === undefined && own.options.data === undefined) {
    throw new MixlabError('option', source, 'does not say what it was trained on; name a data set')
  }
  const isOwn = data === undefined && model.opened !== undefined
  const options = isOwn ? own.options : resolvedFor(model, data)
  const task = isOwn && model.opened ? model.opened : await kind.open(options, files, model.tokenizer?.save())
  checkSize(model, task)
  const { order, notes } = orderOf(model, task)
  const changed =
    !isOwn && own.changedAs && `loss and metrics are those of task '${own.task}', which '${own.changedAs}' changes`
  const beforehand = [
    ...model.notes,
    ...(changed ? [changed] : []),
    ...cutNotes(model.preparation),
    ...(task.warnings ?? []),
    ...notes,
  ]
  let choices = 1
  const rows = { all: 0, bad: 0 }
  const look = (logits: Float32Array) => {
    rows.all += logits.length / choices
    rows.bad += rowsWithoutProbability(logits, choices)
  }
  const asked: Task = {
    ...task,
    ...(part !== undefined && part !== VALIDATION && { tests: [checkedPart(part, task)] }),
    evaluators: () =>
      task.evaluators().map(({ add, ...each }, i) => ({
        ...each,
        add: (logits, values) => {
          if (i === 0) look(logits)
          add(logits, values)
        },
      })),
    predict: (which, batch, mode) => {
      const logits = predict(task, which, { ...batch, input: normalised(batch.input, model, task) }, mode)
      choices = logits.shape.at(-1) as number
      return order ? tf.gather(logits, order, logits.rank - 1) : logits
    },
  }
  const held = createEvaluator(model.model, asked)
  try {
    const found = await (part === VALIDATION ? held.validate(limit, pause) : held.test(limit, pause))
    const problem = rows.bad > 0 ? [await notNumbers(`${rows.bad} of ${rows.all} answers`, model.model)] : []
    if (rows.bad > 0 && rows.bad === rows.all) throw new MixlabError('numerics', source, problem.join())
    const metrics = [...found.metrics].filter(([name]) => !name.endsWith(`/${EXAMPLES_PER_SECOND}`))
    return {
      data: options.data as DataSpec,
      examples: found.examples,
      metrics: Object.fromEntries(metrics),
      report: found.report,
      notes: [...beforehand, ...problem, ...found.problems],
      failed: task.unreadable ?? 0,
    }
  } finally {
    held.dispose()
  }
}

function resolvedFor({ source, task }: TrainedModel, data: DataSpec | string | undefined): Record<string, unknown> {
  try {
    return taskKind(task.task).resolve({ ...task.options, ...(data !== undefined && { data }) })
  } catch (error) {
    if (!(error instanceof MixlabError) || error.path !== 'task.data') throw error
    const [, unknown] = /unknown data set '(.*?)'/.exec(error.message) ?? []
    if (unknown !== undefined && JSON.stringify(task.options.data)?.includes(JSON.stringify(unknown))) {
      const what = `was trained on '${unknown}', which a cell of its notebook defines`
      throw new MixlabError('option', source, `${what}; name a data set of files, or one that is built in (--data)`)
    }
    throw new MixlabError('option', source, `is of task ${task.task}: ${error.message.replace(/^task\.data: /, '')}`)
  }
}

function checkedPart(part: string, { tests = [TEST] }: Task): string {
  if (tests.includes(part)) return part
  throw new MixlabError('option', 'part', `unknown part '${part}'${suggest(part, [VALIDATION, ...tests])}`)
}

/** Throws MixlabError `option` where examples are of another size than the model reads. */
function checkSize({ source, preparation }: TrainedModel, task: Task): void {
  const [own, other] = [sizeOf(preparation), sizeOf(task.preparation as Preparation)]
  if (own === other) return
  throw new MixlabError('option', source, `reads ${own}, the data set has ${other}`)
}

function sizeOf(how: Preparation): string {
  if (how.kind === 'image')
    return `pictures of ${how.size.join(' x ')} pixels in ${how.channels === 1 ? 'grey' : 'RGB'}`
  if (how.kind === 'series')
    return `series of ${how.window} steps of ${how.channels} channels, ${how.horizon} to forecast`
  return how.kind === 'points' ? `clouds of ${how.points} points` : `texts of ${how.tokens} tokens`
}

/**
 * Which output of the model is each class of a data set; null where they are in the same order. Classes of the same names
 * belong together, else those at the same place. Throws MixlabError `option` where there are more or fewer.
 */
function orderOf(
  { source, classes: own }: TrainedModel,
  { classes }: Task,
): { order: number[] | null; notes: string[] } {
  if (!own || !classes) return { order: null, notes: [] }
  if (own.length !== classes.length) {
    const what = `knows ${own.length} classes (${listed(own)}), the data set has ${classes.length} (${listed(classes)})`
    throw new MixlabError('option', source, what)
  }
  const keys = own.map(nameKey)
  if (classes.every((name, i) => nameKey(name) === keys[i])) return { order: null, notes: [] }
  const order = classes.map((name) => keys.indexOf(nameKey(name)))
  if (new Set(order).size === own.length && !order.includes(-1))
    return { order, notes: ['the data set has the classes in another order; they go by name'] }
  const names = `its ${listed(classes)}, the model's ${listed(own)}`
  return { order: null, notes: [`the data set calls its classes otherwise; they go by their place: ${names}`] }
}

/** That a data set resizes pictures its own way. */
function cutNotes(how: Preparation): string[] {
  const own = how.kind === 'image' && (how.squash || (how.crop ?? 1) < 1)
  return own ? ['pictures are resized and cut as the data set does it; --crop and --squash are for single ones'] : []
}

const listed = (names: readonly string[]) =>
  `${names.slice(0, 20).map(shortened).join(', ')}${names.length > 20 ? ', ...' : ''}`

/** Pixels that a task has normalised, normalised as the model expects them instead. */
function normalised(input: tf.Tensor, { preparation: own }: TrainedModel, { preparation: other }: Task): tf.Tensor {
  if (own.kind !== 'image' || other?.kind !== 'image') return input
  const same = own.mean.join() === other.mean.join() && own.deviation.join() === other.deviation.join()
  if (same) return input
  const pixels = tf.add(tf.mul(input, other.deviation), other.mean)
  return tf.div(tf.sub(pixels, own.mean), own.deviation)
}
