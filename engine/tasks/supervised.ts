import * as tf from '@tensorflow/tfjs-core'
import type { Batch, Examples, Task } from './types.ts'

/** A part of the examples by its name, or what is made of their parts: tensors `[batch, ...]`, whose first axis counts examples. */
export type Part = string | ((example: tf.NamedTensorMap) => tf.Tensor)

/** What a task makes of examples. */
export interface Supervision
  extends Pick<
      Task,
      'metric' | 'input' | 'extras' | 'causal' | 'model' | 'predict' | 'loss' | 'lossMeaning' | 'weighed'
    >,
    Pick<Task, 'evaluators' | 'metrics' | 'report' | 'outcomes' | 'classes'> {
  /** What the model reads of an example, and what it is asked for; null for nothing. */
  from: Part
  to: Part | null
  /** What counts of the target, 1 or 0 for each place, as `weights` of a batch; nothing by default. */
  weigh?: ((target: tf.Tensor, example: tf.NamedTensorMap) => tf.Tensor) | undefined
}

/**
 * A task on examples: of each batch the model gets one part and the loss another, as `input` and `target`; other parts keep
 * their names. Every built-in task is made by it as `task()` of a cell is.
 */
export function supervised(examples: Examples, { from, to, weigh, ...task }: Supervision): Task {
  const { hash, tests, warnings, unreadable, preparation, files, at, known, texts, check } = examples
  const own = (source: AsyncGenerator<tf.NamedTensorMap>) => asked(source, { from, to, weigh })
  return {
    ...task,
    hash,
    ...(tests && { tests }),
    trainBatches: (batch, seed, start, options) => own(examples.train(batch, seed, start, options)),
    evalBatches: (split, batch, count) => own(examples.evaluated(split, batch, count)),
    ...(at && { examplesAt: (split, indices) => own(at(split, indices)) }),
    ...(known && { knownOf: known }),
    ...(texts && { textsOf: texts }),
    warnings,
    unreadable,
    ...(check && { check }),
    ...(preparation && { preparation }),
    ...(files && { files }),
  }
}

async function* asked(
  source: AsyncGenerator<tf.NamedTensorMap>,
  { from, to, weigh }: Pick<Supervision, 'from' | 'to' | 'weigh'>,
): AsyncGenerator<Batch> {
  for await (const example of source) {
    const batch = tf.tidy(() => {
      const input = partOf(example, from)
      const target = to === null ? null : partOf(example, to)
      return {
        input,
        ...(target && { target }),
        ...(target && weigh && { weights: weigh(target, example) }),
        ...without(example, ['input', 'target', from, to]),
      }
    })
    tf.dispose(Object.values(example).filter((each) => !Object.values(batch).includes(each)))
    yield batch as Batch
  }
}

const partOf = (example: tf.NamedTensorMap, part: Part): tf.Tensor =>
  typeof part === 'string' ? (example[part] as tf.Tensor) : part(example)

/** The parts of an example but those of these names. */
function without(example: tf.NamedTensorMap, names: (Part | null)[]): tf.NamedTensorMap {
  return Object.fromEntries(Object.entries(example).filter(([name]) => !names.includes(name)))
}
