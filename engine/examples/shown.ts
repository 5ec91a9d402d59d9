import * as tf from '@tensorflow/tfjs-core'
import type { FileSource } from '../data/files.ts'
import { readTokenizer } from '../data/tokenizers/index.ts'
import { batchSamples } from '../datacard/batch.ts'
import { maskPart, seriesPart } from '../datacard/parts.ts'
import type { Sample, SamplePart } from '../datacard/schema.ts'
import { MixlabError } from '../errors.ts'
import { maskedTokens } from '../evaluate/index.ts'
import type { Model } from '../nn/model.ts'
import type { Modules } from '../notebook/modules.ts'
import type { MaskedText } from '../records/report.ts'
import type { StoredRunDetails } from '../records/run.ts'
import { planOf, rebuild } from '../study/recreate/rebuild.ts'
import type { Batch, ExampleText, Task } from '../tasks/types.ts'
import { predict } from '../train/evaluate.ts'

/** A test example as it is drawn. */
export interface ShownExample {
  /** What the model reads and is asked for, and what it says where it was asked. */
  parts: Sample['parts']
  /** In place of that the texts of an example, and which parts of them are right answers. */
  texts: ExampleText[] | null
  /** What a model guessed for masked tokens. */
  guesses: MaskedText | null
}

/** Tokens that are named for each masked place. */
const LIKELY = 3

/**
 * Test examples of a stored run, at such places of the test; with weights also what the model says of masked tokens, of each
 * pixel, and of a series. Throws as `rebuild`, and MixlabError `option` for a task whose single examples cannot be read.
 */
export async function shownExamples(
  run: StoredRunDetails,
  test: string,
  indices: readonly number[],
  weights: Uint8Array | null,
  files: FileSource,
  modules: Modules,
): Promise<ShownExample[]> {
  if (weights) {
    const { model, task, dispose } = await rebuild(run, weights, files, modules)
    return drawn(task, test, indices, model).finally(dispose)
  }
  const { task, forget } = await planOf(run, files, modules)
  return drawn(task, test, indices, null).finally(forget)
}

async function drawn(
  task: Task,
  test: string,
  indices: readonly number[],
  model: Model | null,
): Promise<ShownExample[]> {
  const texts = await task.textsOf?.(test, indices)
  if (texts) return texts.map((own) => ({ parts: [], texts: own, guesses: null }))
  for await (const batch of task.examplesAt?.(test, indices) ?? []) {
    try {
      const samples = await batchSamples(task, batch, indices.length)
      const said = model ? await saidOf(task, model, batch) : []
      return samples.map(({ parts }, i) => ({
        parts: [...parts, ...(said[i]?.parts ?? [])],
        texts: null,
        guesses: said[i]?.guesses ?? null,
      }))
    } finally {
      tf.dispose(batch)
    }
  }
  throw new MixlabError('option', 'examples', 'of its task cannot be read one by one')
}

type Said = Pick<ShownExample, 'parts' | 'guesses'>

/** What a model says to each example of a batch, where that is drawn. */
async function saidOf(task: Task, model: Model, batch: Batch): Promise<Said[]> {
  const prediction = tf.tidy(() => predict(task, model, batch, { training: false }))
  try {
    const values = (await prediction.data()) as Float32Array
    const count = batch.input.shape[0] ?? 0
    if (batch.positions) return guessesOf(task, values, batch)
    const part = partOf(task, batch, prediction.shape.slice(1))
    if (!part) return []
    const size = values.length / count
    const inputs = await batch.input.data()
    const width = inputs.length / count
    return Array.from({ length: count }, (_, i) => {
      const said = part(values.subarray(i * size, (i + 1) * size), inputs.subarray(i * width, (i + 1) * width))
      return { parts: [said], guesses: null }
    })
  } finally {
    prediction.dispose()
  }
}

/** Draws a prediction for an input: a class for each pixel, or a series with its forecast; null for others. */
function partOf(
  { classes, preparation }: Task,
  { target }: Batch,
  shape: readonly number[],
): ((said: Float32Array, input: ArrayLike<number>) => Said['parts'][number]) | null {
  if (classes && shape.length === 3 && target?.rank === 3) {
    return (said) => ({
      name: 'predicted',
      part: maskPart(largestOf(said, classes.length), shape.slice(0, 2), classes),
    })
  }
  if (preparation?.kind !== 'series') return null
  const { mean, deviation, channels, window } = preparation
  const part = (said: Float32Array, input: ArrayLike<number>): SamplePart => {
    const all = [...Array.from(input), ...said].map((value, i) => {
      return value * (deviation[i % channels] ?? 1) + (mean[i % channels] ?? 0)
    })
    return seriesPart(all, channels, window)
  }
  return (said, input) => ({ name: 'predicted', part: part(said, input) })
}

/** The class of the largest logit of each place. */
function largestOf(logits: Float32Array, classes: number): number[] {
  return Array.from({ length: logits.length / classes }, (_, place) => {
    const own = logits.subarray(place * classes, (place + 1) * classes)
    return own.indexOf(Math.max(...own))
  })
}

async function guessesOf(task: Task, logits: Float32Array, batch: Batch): Promise<Said[]> {
  const saved = task.files?.['tokenizer.json']
  if (saved === undefined) return []
  const [count = 0, tokens = 0] = batch.input.shape
  const kept = { texts: count, tokens: Number.POSITIVE_INFINITY, likely: LIKELY }
  const collector = maskedTokens(tokens, readTokenizer(saved).textOf, kept)
  const values = Object.entries(batch).map(async ([name, tensor]) => [name, await tensor.data()] as const)
  collector.add(logits, Object.fromEntries(await Promise.all(values)) as Record<string, Float32Array | Int32Array>)
  return collector.value().texts.map((guesses) => ({ parts: [], guesses }))
}
