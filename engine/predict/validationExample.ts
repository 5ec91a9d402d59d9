import * as tf from '@tensorflow/tfjs-core'
import type { Image } from '../data/images/resize.ts'
import { readTokenizer } from '../data/tokenizers/index.ts'
import { SPECIAL } from '../data/tokenizers/types.ts'
import { MixlabError } from '../errors.ts'
import { VALIDATION } from '../records/splits.ts'
import type { Batch, ExampleText, Task } from '../tasks/types.ts'
import type { Mask } from './answer.ts'
import type { Question } from './ask.ts'

/** What the answer should be: the name of a class, an answer or masked words; a mask, or the steps that came. */
export type Truth = { name: string } | { mask: Mask } | { after: number[][] }

/** A validation example as a question, and its answer. */
export interface ValidationExample {
  question: Question
  truth: Truth | null
}

/**
 * The validation example of an index, from 0, as a question to models of this task; of a picture with pixels of 8 bits.
 * Throws MixlabError `option` where there are fewer, or where the task reads none of what one can ask about.
 */
export async function validationExample(task: Task, index: number): Promise<ValidationExample> {
  const size = task.knownOf?.(VALIDATION).size ?? Number.POSITIVE_INFINITY
  if (index >= size) throw tooFew(index, size)
  const [texts] = (await task.textsOf?.(VALIDATION, [index])) ?? []
  const asked = texts?.at(-1)
  if (texts && asked?.answers) return { question: questionIn(texts), truth: { name: answerIn(asked) } }
  let count = 0
  for await (const batch of task.evalBatches(VALIDATION, 1, index + 1)) {
    try {
      if (count++ < index) continue
      const target = batch.target && { values: await batch.target.data(), shape: batch.target.shape }
      if (texts) return { question: questionIn(texts), truth: className(task, target) }
      if (batch.positions) return maskedIn(task, batch)
      return exampleIn(task, index, await batch.input.data(), target)
    } finally {
      tf.dispose(batch)
    }
  }
  throw tooFew(index, count)
}

const tooFew = (index: number, count: number) =>
  new MixlabError('option', 'example', `${index + 1}, there are ${count} for validation`)

const questionIn = (texts: readonly ExampleText[]): Question => ({ texts: texts.map(({ text }) => text) })

const answerIn = ({ text, answers: [first] = [] }: ExampleText) =>
  first && first.start >= 0 ? text.slice(first.start, first.end) : 'no answer'

/** A text with [MASK] for each token that is asked for, and these tokens. */
async function maskedIn({ files }: Task, { input, positions, weights, target }: Batch): Promise<ValidationExample> {
  const tokenizer = readTokenizer(files?.['tokenizer.json'] ?? '')
  const [ids, places, used, hidden] = await Promise.all(
    [input, positions, weights, target].map((each) => (each as tf.Tensor).data()),
  )
  const asked = Array.from(places as Int32Array, (place, i) => ({ place, id: hidden?.[i] as number, used: used?.[i] }))
    .filter((each) => each.used)
    .sort((a, b) => a.place - b.place)
  const text = Array.from(ids as Int32Array)
  for (const { place } of asked) text[place] = SPECIAL.mask
  const end = text.lastIndexOf(SPECIAL.separator)
  return {
    question: { texts: [tokenizer.decode(text.slice(1, end))] },
    truth: { name: asked.map(({ id }) => tokenizer.textOf(id)).join(', ') },
  }
}

type Target = { values: ArrayLike<number>; shape: number[] } | undefined

function exampleIn(task: Task, index: number, input: ArrayLike<number>, target: Target): ValidationExample {
  const { preparation, classes } = task
  if (preparation?.kind === 'series') {
    const { channels, mean, deviation } = preparation
    const stepsOf = (values: ArrayLike<number>) =>
      Array.from({ length: values.length / channels }, (_, step) =>
        Array.from({ length: channels }, (_, c) => {
          const value = (values[step * channels + c] as number) * (deviation[c] as number) + (mean[c] as number)
          return Number(value.toPrecision(7)) // it is read and changed by hand
        }),
      )
    const text = stepsOf(input).map((values) => values.join(','))
    return { question: { texts: [text.join('\n')] }, truth: target ? { after: stepsOf(target.values) } : null }
  }
  if (preparation?.kind === 'points') {
    const lines = Array.from({ length: input.length / 3 }, (_, i) =>
      [0, 1, 2].map((axis) => input[3 * i + axis]).join(' '),
    )
    const file = new TextEncoder().encode(lines.join('\n'))
    return { question: { file, name: `validation example ${index + 1}.xyz` }, truth: className(task, target) }
  }
  if (preparation?.kind !== 'image') {
    throw new MixlabError('option', 'example', 'the model reads nothing that is asked about')
  }
  const { mean, deviation, channels } = preparation
  const [height, width] = preparation.size
  const pixels = Uint8Array.from(input, (value, i) => {
    const share = value * (deviation[i % channels] ?? 1) + (mean[i % channels] ?? 0)
    return Math.round(255 * Math.min(1, Math.max(0, share)))
  })
  const picture: Image = { width, height, channels: channels === 1 ? 1 : 3, pixels }
  return { question: { picture }, truth: className(task, target) ?? maskTruth(target, height, width, classes ?? []) }
}

function className({ classes }: Task, target: Target): Truth | null {
  if (target?.values.length !== 1) return null
  const label = Number(target.values[0])
  return { name: classes?.[label] || `class ${label}` }
}

function maskTruth(target: Target, height: number, width: number, classes: string[]): Truth | null {
  if (target?.values.length !== height * width) return null
  return { mask: { height, width, pixels: Uint8Array.from(target.values), classes } }
}
