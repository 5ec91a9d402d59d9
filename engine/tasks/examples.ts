import * as tf from '@tensorflow/tfjs-core'
import type { AugmentableBatch } from '../data/augment/apply.ts'
import { augmentedParts } from '../data/augment/parts.ts'
import { sequentialBatches, shuffledBatches } from '../data/dataLoader.ts'
import type { FieldBatch, FieldDataset, NumberField } from '../data/types.ts'
import { evaluated, testsOf } from './evaluated.ts'
import type { Examples } from './types.ts'

/** Examples of named parts as tensors. */
export function fieldExamples(dataset: FieldDataset): Examples {
  const { hash, warnings, unreadable } = dataset
  const fields = numbersOf(dataset)
  return {
    hash,
    fields,
    tests: testsOf(dataset),
    warnings,
    unreadable,
    train: (batch, seed, from, options) => {
      const source = shuffledBatches(dataset.train, { batch, seed }, from)
      return onDevice(augmentedParts(source, fields, { ...options, seed, from }))
    },
    evaluated: (split, batch, examples) =>
      onDevice(withFields(sequentialBatches(evaluated(dataset, split, examples), batch), fields)),
  }
}

/** Batches of named numbers as tensors. */
export async function* onDevice(source: AsyncGenerator<AugmentableBatch>): AsyncGenerator<tf.NamedTensorMap> {
  for await (const { fields, values } of source) {
    const tensors = Object.entries(fields as Numbers).map(([name, { shape, dtype }]) => {
      const own = values[name] as Float32Array
      return [name, tf.tensor(own, [own.length / tf.util.sizeFromShape([...shape]), ...shape], dtype)]
    })
    yield Object.fromEntries(tensors) as tf.NamedTensorMap
  }
}

async function* withFields(source: AsyncGenerator<FieldBatch>, fields: Numbers): AsyncGenerator<AugmentableBatch> {
  for await (const values of source) yield { fields, values }
}

type Numbers = Record<string, NumberField>

/** The parts that are numbers; texts are for tasks that have a tokenizer. */
function numbersOf({ fields }: FieldDataset): Numbers {
  return Object.fromEntries(Object.entries(fields).filter(([, { dtype }]) => dtype !== 'text')) as Numbers
}
