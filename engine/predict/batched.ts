import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import type { TextExtras } from '../nn/model.ts'

/** What a model reads. */
export type ModelBatch = { input: tf.Tensor } & TextExtras

/** Logits, flat, and how many each place has. */
export interface Logits {
  values: Float32Array
  choices: number
}

/**
 * The logits of each question, flat, asked in batches of `most`, or the fault of a question that cannot be read.
 * `input` makes the input of one question, `logits` disposes the inputs. Where the code of a model mixes the examples
 * of a batch, each is asked alone.
 */
export async function logitRows<Question>(
  questions: readonly Question[],
  most: number,
  input: (question: Question) => ModelBatch,
  logits: (batch: ModelBatch) => Promise<Logits>,
): Promise<(Float32Array | MixlabError)[]> {
  const rows: (Float32Array | MixlabError)[] = []
  let atOnce = most
  for (let from = 0; from < questions.length; ) {
    const some = questions.slice(from, from + atOnce)
    const inputs = await Promise.all(some.map((question) => orFault(async () => input(question))))
    const sound = inputs.filter((each): each is ModelBatch => !(each instanceof MixlabError))
    const last = sound.length > 1 && from === 0 ? cloned(sound[sound.length - 1] as ModelBatch) : null
    const found = sound.length > 0 ? (await logits(together(sound))).values : new Float32Array()
    const length = found.length / Math.max(1, sound.length)
    const alone = last ? (await logits(last)).values : null
    if (alone && !isClose(alone, found.subarray(-length))) {
      atOnce = 1
      continue
    }
    let row = 0
    for (const each of inputs) {
      if (each instanceof MixlabError) rows.push(each)
      else rows.push(found.slice(row * length, ++row * length))
    }
    from += some.length
  }
  return rows
}

/** What is made, or the fault of what it is made of: a file that cannot be read, an output that is not a number. */
export async function orFault<Made>(make: () => Promise<Made>): Promise<Made | MixlabError> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof MixlabError && (error.code === 'data' || error.code === 'numerics')) return error
    throw error
  }
}

/** Batches as one; disposes them. */
function together(batches: readonly ModelBatch[]): ModelBatch {
  const names = Object.keys(batches[0] as ModelBatch) as (keyof ModelBatch)[]
  const joined = names.map((name) => [name, tf.concat(batches.map((batch) => batch[name] as tf.Tensor))])
  tf.dispose(batches.map((batch) => Object.values(batch)))
  return Object.fromEntries(joined)
}

const cloned = (batch: ModelBatch): ModelBatch =>
  Object.fromEntries(Object.entries(batch).map(([name, tensor]) => [name, tensor.clone()])) as ModelBatch

/** Whether two rows differ by no more than the order in which a device adds; NaN is like NaN. */
function isClose(a: Float32Array, b: Float32Array): boolean {
  const scale = a.reduce((most, value) => Math.max(most, Math.abs(value) || 0), 1)
  return a.every((value, i) => Object.is(value, b[i]) || Math.abs(value - (b[i] as number)) <= 1e-4 * scale)
}
