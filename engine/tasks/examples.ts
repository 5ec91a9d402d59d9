import * as tf from '@tensorflow/tfjs-core'
import { sequentialBatches, shuffledBatches } from '../data/dataLoader.ts'
import type { FieldBatch, FieldDataset } from '../data/types.ts'
import { evaluated, testsOf } from './evaluated.ts'
import type { Examples } from './types.ts'

/** Examples of named parts as tensors. */
export function fieldExamples(dataset: FieldDataset): Examples {
  const { hash, fields, warnings, unreadable } = dataset
  return {
    hash,
    fields,
    tests: testsOf(dataset),
    warnings,
    unreadable,
    train: (batch, seed, from) => onDevice(shuffledBatches(dataset.train, { batch, seed }, from), dataset),
    evaluated: (split, batch, examples) =>
      onDevice(sequentialBatches(evaluated(dataset, split, examples), batch), dataset),
  }
}

async function* onDevice(source: AsyncGenerator<FieldBatch>, { fields }: FieldDataset) {
  for await (const batch of source) {
    const tensors = Object.entries(fields).map(([name, { shape, dtype }]) => {
      const values = batch[name] as Float32Array
      return [name, tf.tensor(values, [values.length / tf.util.sizeFromShape([...shape]), ...shape], dtype)]
    })
    yield Object.fromEntries(tensors) as tf.NamedTensorMap
  }
}
