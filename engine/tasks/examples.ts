import * as tf from '@tensorflow/tfjs-core'
import { sequentialBatches, shuffledBatches } from '../data/dataLoader.ts'
import type { Dataset, FieldBatch, FieldDataset, NumberField } from '../data/types.ts'
import { evaluated, testsOf } from './evaluated.ts'
import type { Examples } from './types.ts'

/** The batches of a data set in the order of training and of evaluation, of which `onDevice` makes tensors. */
export function batchesOf<Batch>(
  dataset: Pick<Dataset<Batch>, 'train' | 'validation' | 'test' | 'others'>,
  onDevice: (source: AsyncGenerator<Batch>) => AsyncGenerator<tf.NamedTensorMap>,
): Pick<Examples, 'train' | 'evaluated' | 'tests'> {
  return {
    tests: testsOf(dataset),
    train: (batch, seed, from) => onDevice(shuffledBatches(dataset.train, { batch, seed }, from)),
    evaluated: (split, batch, examples) => onDevice(sequentialBatches(evaluated(dataset, split, examples), batch)),
  }
}

/** Examples of named parts as tensors. */
export function fieldExamples(dataset: FieldDataset): Examples {
  const { hash, warnings, unreadable } = dataset
  const fields = numbersOf(dataset)
  return {
    hash,
    fields,
    warnings,
    unreadable,
    ...batchesOf(dataset, (source) => onDevice(source, fields)),
  }
}

async function* onDevice(source: AsyncGenerator<FieldBatch>, fields: Numbers) {
  for await (const batch of source) {
    yield tensorsOf(batch, fields)
  }
}

/** Parts of a batch as tensors. */
export function tensorsOf(batch: FieldBatch, fields: Numbers): tf.NamedTensorMap {
  const tensors = Object.entries(fields).map(([name, { shape, dtype }]) => {
    const values = batch[name] as Float32Array
    return [name, tf.tensor(values, [values.length / tf.util.sizeFromShape([...shape]), ...shape], dtype)]
  })
  return Object.fromEntries(tensors)
}

type Numbers = Record<string, NumberField>

/** The parts that are numbers; texts are for tasks that have a tokenizer. */
export function numbersOf({ fields }: FieldDataset): Numbers {
  return Object.fromEntries(Object.entries(fields).filter(([, { dtype }]) => dtype !== 'text')) as Numbers
}
