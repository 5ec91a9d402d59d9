import * as tf from '@tensorflow/tfjs-core'
import type { Image } from '../data/images/resize.ts'
import { MixlabError } from '../errors.ts'
import { VALIDATION } from '../records/splits.ts'
import type { Task } from '../tasks/types.ts'
import type { Mask } from './answer.ts'
import type { Question } from './ask.ts'

/** What the answer should be: the name of a class, a mask, or the steps that came. */
export type Truth = { name: string } | { mask: Mask } | { after: number[][] }

/** A validation example as a question, and its answer. */
export interface ValidationExample {
  question: Question
  truth: Truth | null
}

/**
 * The validation example of an index, from 0, as a question to models of this task; of a picture with pixels of 8 bits.
 * Throws MixlabError `option` where there are fewer, or the task reads neither pictures nor series.
 */
export async function validationExample(task: Task, index: number): Promise<ValidationExample> {
  let count = 0
  for await (const batch of task.evalBatches(VALIDATION, 1, index + 1)) {
    try {
      if (count++ < index) continue
      const target = batch.target && { values: await batch.target.data(), shape: batch.target.shape }
      return exampleIn(task, await batch.input.data(), target)
    } finally {
      tf.dispose(batch)
    }
  }
  throw new MixlabError('option', 'example', `${index + 1}, there are ${count} for validation`)
}

type Target = { values: ArrayLike<number>; shape: number[] } | undefined

function exampleIn({ preparation, classes }: Task, input: ArrayLike<number>, target: Target): ValidationExample {
  if (preparation?.kind === 'series') {
    const { channels, mean, deviation } = preparation
    const stepsOf = (values: ArrayLike<number>) =>
      Array.from({ length: values.length / channels }, (_, step) =>
        Array.from({ length: channels }, (_, c) => {
          return (values[step * channels + c] as number) * (deviation[c] as number) + (mean[c] as number)
        }),
      )
    const text = stepsOf(input).map((values) => values.join(','))
    return { question: { texts: [text.join('\n')] }, truth: target ? { after: stepsOf(target.values) } : null }
  }
  if (preparation?.kind !== 'image') {
    throw new MixlabError('option', 'example', 'the model reads neither pictures nor series')
  }
  const { mean, deviation, channels } = preparation
  const [height, width] = preparation.size
  const pixels = Uint8Array.from(input, (value, i) => {
    const share = value * (deviation[i % channels] ?? 1) + (mean[i % channels] ?? 0)
    return Math.round(255 * Math.min(1, Math.max(0, share)))
  })
  const picture: Image = { width, height, channels: channels === 1 ? 1 : 3, pixels }
  return { question: { picture }, truth: truthIn(target, height, width, classes ?? []) }
}

function truthIn(target: Target, height: number, width: number, classes: string[]): Truth | null {
  if (!target) return null
  if (target.values.length === 1) {
    const label = Number(target.values[0])
    return { name: classes[label] || `class ${label}` }
  }
  if (target.values.length !== height * width) return null
  return { mask: { height, width, pixels: Uint8Array.from(target.values), classes } }
}
